import ArgumentParser
import Expectations
import Foundation
import Testing

@testable import Commands

@Suite("babbench check --each: many captures, each by itself", .shippedEdition)
struct SeparateChecksTests {
  private func check(_ arguments: [String]) throws -> (status: Int32, told: String, complaints: [String]) {
    var told: [String] = []
    var complaints: [String] = []
    let streams = OutputStreams(tell: { told.append($0) }, complain: { complaints.append($0) })
    let status = try CheckCommand.parse(["--each"] + arguments).execute(for: streams)
    return (status, told.joined(separator: "\n"), complaints)
  }

  /// Two sound captures, two in which a response answers nothing, one without records, and two that are none.
  private func captures() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    // An ATT_EXCHANGE_MTU_RSP with 22 octets, and one with 21: each is below 23.
    let wrong = [UInt8(22), 21].map { mtu in
      SmallCapture.record(
        seconds: 0, [0x02, 0x01, 0x20, 0x07, 0x00, 0x03, 0x00, 0x04, 0x00, 0x03, mtu, 0x00])
    }
    try folder.write("no capture", to: "captures/README")
    try folder.write("no capture", to: "captures/.hidden")
    let files: [(String, [UInt8])] = [
      ("a.log", SmallCapture.btsnoop), ("b/wrong.log", SmallCapture.header + wrong[0]),
      ("c.log", SmallCapture.btsnoop), ("d.log", SmallCapture.header + wrong[1]), ("e.log", SmallCapture.header),
    ]
    for (name, octets) in files {
      let path = URL(fileURLWithPath: folder.path + "/captures/" + name)
      try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(octets).write(to: path)
    }
    return folder
  }

  @Test("A cause is told once, with all captures that show it and the line that judges the first alone")
  func causes() throws {
    let folder = try captures()
    let result = try check([folder.path + "/captures"])
    equal(result.status, 1)
    equal(result.complaints, ["note: \(folder.path)/captures: 1 other file is no capture"])
    expect(
      result.told.contains("fail RxMTUIsAtLeast23 in 2 of 5: wrong.log, d.log\n  RxMTUIsAtLeast23 at"), "\(result.told)"
    )
    expect(result.told.contains("babbench check \(folder.path)/captures/b/wrong.log\n"), "\(result.told)")
    expect(result.told.contains("inconclusive nothing to judge in 1 of 5: e.log\n"), "\(result.told)")
    expect(result.told.contains("5 captures, 2 fail, "), "\(result.told)")
  }

  @Test("Whoever has shown nothing is no pass, however many others pass")
  func emptyIsNoPass() throws {
    let folder = try captures()
    let sound = folder.path + "/captures/a.log"
    equal(try check([sound]).status, 0)
    let result = try check([sound, folder.path + "/captures/e.log"])
    equal(result.status, 2)
    expect(result.told.contains("verdict inconclusive"), "\(result.told)")
  }

  @Test("A capture that cannot be read does not hide what others show")
  func unreadable() throws {
    let folder = try captures()
    let result = try check(["README", "a.log", "b/wrong.log"].map { folder.path + "/captures/" + $0 })
    equal(result.status, 1)
    expect(result.told.contains("inconclusive cannot be read in 1 of 3: README\n"), "\(result.told)")
    expect(result.told.contains("no capture that babbench reads"), "\(result.told)")
  }

  @Test("The files of --out are the same with one worker and with three, and each cause has its page")
  func files() throws {
    let folder = try captures()
    func files(jobs: String) throws -> [String] {
      let out = folder.path + "/out"
      _ = try check([folder.path + "/captures", "--jobs", jobs, "--out", out])
      let texts = try ["junit.xml", "result.json", "captures/2.html", "captures/5.html"].map {
        try folder.read("out/" + $0)
      }
      expect(texts[0].contains("tests=\"5\" failures=\"2\""), "\(texts[0])")
      expect(texts[0].contains("name=\"wrong.log\""), "\(texts[0])")
      expect(texts[2].contains("RxMTUIsAtLeast23"))
      try expect(folder.read("out/index.html").contains("captures/2.html"))
      // Its last member is by the wall clock.
      return texts.map {
        $0.split(separator: "\n").filter { !$0.contains("totalMilliseconds") }.joined(separator: "\n")
      }
    }
    try equal(files(jobs: "1"), files(jobs: "3"))
  }

  @Test("What is wrong on the command line is exit 64 before anything is judged")
  func usage() throws {
    let folder = try captures()
    try FileManager.default.createDirectory(atPath: folder.path + "/none", withIntermediateDirectories: true)
    for (name, hint) in [("missing", "no such file or folder"), ("none", "no capture is in this folder")] {
      let result = try check([folder.path + "/captures/a.log", folder.path + "/" + name])
      equal(result.status, 64)
      expect(result.told.isEmpty)
      equal(result.complaints, ["error: \(folder.path)/\(name): \(hint)"])
    }
    for words in [["--each", "a", "--json", "b"], ["a", "--out", "b"], ["a", "--jobs", "2"], ["--each", "-"]] {
      #expect(throws: (any Error).self) { try CheckCommand.parse(words) }
    }
  }
}
