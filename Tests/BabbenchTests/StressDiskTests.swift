import Expectations
import Foundation
import Testing

@testable import Commands

@Suite("babbench stress on a full disk", .shippedEdition)
struct StressDiskTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(FuzzRunTests.twoPeers, to: "two.yaml")
  }

  private func arguments(_ out: String, _ more: [String] = []) -> [String] {
    ["stress", folder.path + "/two.yaml", "--seeds", "1..200", "--out", folder.path + "/" + out] + more
  }

  private func result(_ name: String) throws -> String {
    try folder.read(name + "/result.json").split(separator: "\n").filter { !$0.contains("wallMilliseconds") }
      .joined(separator: "\n")
  }

  @Test("A disk that becomes full ends a campaign with one line, and it goes on elsewhere to the same result")
  func full() throws {
    try equal(Executable.run(arguments("whole")).status, 0)
    for size in [4_096, 16_384, 65_536] {
      try? FileManager.default.removeItem(atPath: folder.path + "/copy")
      guard let ended = try SmallDisk.run(size, in: folder, arguments("small")) else { return }
      equal(ended.status, 3)
      equal(ended.errors.split(separator: "\n").count, 1, "\(ended.errors)")
      expect(ended.errors.contains("No space left on device"), "\(ended.errors)")
      expect(!FileManager.default.fileExists(atPath: folder.path + "/copy/result.json"))
      // What was left of it is moved to where there is room.
      try equal(Executable.run(arguments("copy", ["--resume"])).status, 0)
      try equal(result("copy"), result("whole"))
      try equal(folder.read("copy/worlds.csv"), folder.read("whole/worlds.csv"))
    }
  }
}
