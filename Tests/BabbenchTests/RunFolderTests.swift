import ArgumentParser
@testable import Campaigns
import Expectations
import Foundation
import Testing

@testable import Commands

/// One folder of `--out`, one run: what an earlier run has left there is gone, and what others put there is not.
@Suite("A folder that runs are written to one after the other")
struct RunFolderTests {
  private let folder: TemporaryFolder
  private static let always = [
    ".babbench-files", "air.pcapng", "host.btsnoop", "junit.xml", "result.json", "timeline.html", "trace.jsonl",
  ]

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      """
      devices: { host: {}, client: { count: 2 } }
      steps: [ host: start hosting, all clients: join, after: 1s ]
      expect: [ all clients in lobby ]
      """, to: "lobby.yaml")
  }

  private func run(_ arguments: String..., bench: Bench = .real) throws -> Int32 {
    let words = [folder.path + "/lobby.yaml", "--out", folder.path + "/out"] + arguments
    return try RunCommand.parse(words).execute(on: bench, for: .nobody)
  }

  private func files() throws -> [String] { try folder.files(in: "out") }

  @Test("A run with fewer devices leaves none of the captures before; foreign files and recordings stay")
  func fewer() throws {
    try equal(run(), 0)
    try equal(files(), (Self.always + ["client-1.btsnoop", "client-2.btsnoop"]).sorted())
    for name in ["notes.txt", "phone.btsnoop", "session.jsonl"] { try folder.write("mine", to: "out/\(name)") }
    try equal(run("--set", "devices.client.count=1"), 0)
    try equal(
      files(), (Self.always + ["client-1.btsnoop", "notes.txt", "phone.btsnoop", "session.jsonl"]).sorted())
    try equal(folder.read("out/phone.btsnoop"), "mine")
    // Without captures there are none at all.
    try equal(run("--no-capture"), 0)
    let bare = [".babbench-files", "junit.xml", "result.json", "trace.jsonl"]
    try equal(files(), (bare + ["notes.txt", "phone.btsnoop", "session.jsonl"]).sorted())
  }

  @Test("A run that fails leaves no result of an earlier one; one that cannot begin leaves it as it was")
  func failing() throws {
    try equal(run(), 0)
    let before = try files().map { try Data(contentsOf: URL(fileURLWithPath: folder.path + "/out/" + $0)) }
    try equal(run("--set", "devices.nobody.count=1"), 64)
    try equal(files().map { try Data(contentsOf: URL(fileURLWithPath: folder.path + "/out/" + $0)) }, before)
    let broken = FakeWorld(failure: { _ in BenchFailure("x") })
    try equal(run(bench: broken.bench), 3)
    try expect(files().isEmpty)
  }

  @Test("What an earlier version left, without a list, is known by its result.json; another's result.json is not")
  func unlisted() throws {
    try equal(run(), 0)
    try FileManager.default.removeItem(atPath: folder.path + "/out/.babbench-files")
    try equal(run("--no-capture"), 0)
    try equal(files(), [".babbench-files", "junit.xml", "result.json", "trace.jsonl"])

    for text in ["{\"devices\": [{\"name\": \"phone\"}]}", "no JSON", "{\"digest\": \"1\", \"repeat\": \"make test\"}"]
    {
      try FileManager.default.removeItem(atPath: folder.path + "/out")
      try folder.write(text, to: "out/result.json")
      try folder.write("mine", to: "out/phone.btsnoop")
      try equal(run("--no-capture"), 0)
      try equal(folder.read("out/phone.btsnoop"), "mine")
    }
  }

  @Test("Links and folders with names of a run are left alone")
  func links() throws {
    try equal(run(), 0)
    let path = folder.path + "/out/client-2.btsnoop"
    try FileManager.default.removeItem(atPath: path)
    try folder.write("mine", to: "elsewhere")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/elsewhere")
    try equal(run("--no-capture"), 0)
    try equal(folder.read("elsewhere"), "mine")
    try expect(files().contains("client-2.btsnoop"))
  }
}
