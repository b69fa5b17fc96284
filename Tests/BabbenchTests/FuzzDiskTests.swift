import Expectations
import Foundation
import Testing

@testable import Commands

/// `babbench fuzz` where files cannot be written or read: one line, the right exit code, and what is there is whole.
@Suite("babbench fuzz on a full disk, and with damaged files", .shippedEdition)
struct FuzzDiskTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(FuzzRunTests.twoPeers, to: "two.yaml")
  }

  private func arguments(_ more: [String]) -> [String] {
    ["fuzz", "run", folder.path + "/two.yaml", "--when", "client in lobby", "--from", "client", "--executions", "256"]
      + ["--set", "devices.host.engine=host-crashes-on-wrong-kinds"] + more
  }

  private func expectOneLine(_ result: (status: Int32, errors: String), _ words: String) {
    equal(result.status, 3)
    let lines = result.errors.split(separator: "\n")
    expect(lines.count == 1 && result.errors.contains(words), "\(result.errors)")
  }

  @Test("A disk that becomes full ends a campaign with a line; attacks and findings that are there are whole")
  func full() throws {
    for size in [16_384, 49_152, 131_072] {
      try? FileManager.default.removeItem(atPath: folder.path + "/copy")
      let small = folder.path + "/small"
      let words = arguments(["--corpus", small + "/corpus", "--out", small])
      guard let result = try SmallDisk.run(size, in: folder, words) else { return }
      expectOneLine(result, "No space left on device")
      for name in try folder.files(in: "copy/corpus") {
        let attack = try JSONSerialization.jsonObject(with: Data(try folder.read("copy/corpus/" + name).utf8))
        expect(attack is [String: Any], "\(name)")
      }
      for name in try folder.files(in: "copy") where name.hasPrefix("Breakdown") {
        let files = try folder.files(in: "copy/" + name)
        expect(Set(files).isSubset(of: ["finding.pcapng", "finding.txt", "input.json"]), "\(files)")
      }
    }
  }

  @Test("So does one on which decoders keep inputs")
  func fullOfInputs() throws {
    let small = folder.path + "/small"
    let arguments = ["fuzz", "parser", "att", "--executions", "20000", "--corpus", small]
    guard let result = try SmallDisk.run(65_536, in: folder, arguments) else { return }
    expectOneLine(result, "No space left on device")
    try expect(folder.files(in: "copy").allSatisfy { $0.count == 16 })
  }

  @Test("A state that cannot be written is a line")
  func state() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    try FileManager.default.createDirectory(atPath: folder.path + "/out", withIntermediateDirectories: true)
    let partial = folder.path + "/out/state.json.partial"
    try FileManager.default.createSymbolicLink(atPath: partial, withDestinationPath: "/dev/full")
    let result = try Executable.run(arguments(["--out", folder.path + "/out"]))
    expectOneLine((result.status, result.errors), "state.json.partial: No space left on device")
  }

  @Test("A damaged attack in a corpus is named; a half of an input is none")
  func damaged() throws {
    try folder.write("{\"strokes\": [{\"manner\": \"send\", \"oct", to: "corpus/a.json")
    let result = try Executable.run(arguments(["--corpus", folder.path + "/corpus"]))
    equal(result.status, 64)
    expect(result.errors.contains("corpus/a.json: this is no attack"))
    equal(result.errors.split(separator: "\n").count, 1)
    try folder.write("{\"strokes\": [{\"manner\": \"sned\"}]}", to: "corpus/a.json")
    let misspelt = try Executable.run(arguments(["--corpus", folder.path + "/corpus"]))
    expect(misspelt.status == 64 && misspelt.errors.contains("a.json: stroke 1: \"sned\" is none of send"))
    try folder.write("ab", to: "inputs/x.partial")
    let empty = try Executable.run(["fuzz", "parser", "uuid", "--executions", "1", "--seeds", folder.path + "/inputs"])
    expect(empty.status == 0 && !empty.output.contains("2 inputs kept"), "\(empty.output)")
  }
}
