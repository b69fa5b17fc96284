import Expectations
import Foundation
import Testing

@testable import Commands

/// `babbench fuzz run` as a shell sees it: it forks, which a process with threads must not do.
@Suite("babbench fuzz run", .shippedEdition)
struct FuzzRunTests {
  static let twoPeers = """
    devices:
      host: {}
      client: {}
    game: { lines: 4, autoplay: { think: 300ms..900ms, accuracy: 80%..100% } }
    steps:
      - host: start hosting
      - client: join
      - when: client in lobby
        within: 5s
        host: { set scenario: coffee-shop }
      - after: 500ms
        host: start lobby game
    expect:
      - that: everyone is FINISHED
        within: 60s
    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.twoPeers, to: "two.yaml")
  }

  private func fuzz(_ state: String, _ arguments: [String]) throws -> Executable.Result {
    try Executable.run(["fuzz", "run", folder.path + "/two.yaml", "--when", state] + arguments)
  }

  private func line(_ prefix: String, of result: Executable.Result) -> String? {
    result.output.split(separator: "\n").first { $0.hasPrefix(prefix) }.map(String.init)
  }

  @Test(
    "A reference host bears dozens of attacks in the lobby and on turn, at every seam",
    arguments: ["client in lobby", "client is ACTIVE"], ["packet", "fragment", "att", "l2cap", "hci", "ll", "air"])
  func reference(state: String, seam: String) throws {
    let result = try fuzz(state, ["--from", "client", "--seam", seam, "--executions", "64"])
    equal(result.status, 0, "\(result.output)\(result.errors)")
    expect(result.output.contains("64 executions"))
  }

  @Test(
    "A process for every execution or one for many: the same attacks, findings and digest",
    arguments: Part.of(["packet", "fragment", "att", "l2cap", "hci", "ll", "air"], 3))
  func fresh(seam: String) throws {
    let arguments = ["--from", "client", "--seam", seam, "--executions", "192", "--for", "500ms", "--jobs", "2"]
    let many = try fuzz("client is ACTIVE", arguments)
    let each = try fuzz("client is ACTIVE", arguments + ["--fresh"])
    equal(many.output, each.output)
    expect(many.output.contains("192 executions"))
  }

  @Test("A reference client bears a hostile host", arguments: ["packet", "att"])
  func referenceClient(seam: String) throws {
    let result = try fuzz("client is ACTIVE", ["--from", "host", "--seam", seam, "--executions", "64"])
    equal(result.status, 0, "\(result.output)\(result.errors)")
  }

  @Test(
    "A host that a hostile client breaks is found, made small, and found again from the file",
    arguments: [
      ("host-crashes-on-half-packets", "Breakdown-BAB-7.13"), ("host-crashes-on-wrong-kinds", "Breakdown-BAB-7.13"),
    ])
  func mutants(engine: String, cause: String) throws {
    let out = folder.path + "/" + engine
    let common = ["--from", "client", "--set", "devices.host.engine=\(engine)"]
    let result = try fuzz("client in lobby", common + ["--executions", "128", "--out", out])
    equal(result.status, 1, "\(result.output)\(result.errors)")
    let name = try required(try folder.files(in: engine).first { $0.hasPrefix(cause) }, "\(result.output)")
    try equal(folder.files(in: engine + "/" + name), ["finding.pcapng", "finding.txt", "input.json"])
    let again = try fuzz("client in lobby", common + ["--input", out + "/" + name + "/input.json"])
    equal(again.status, 1)
    expect(again.output.contains("finding \(name)"))
  }

  @Test("Executions side by side change nothing, and the line that is printed repeats them")
  func jobs() throws {
    let arguments = ["--from", "client", "--executions", "96"]
    let one = try fuzz("client in lobby", arguments + ["--jobs", "1"])
    let two = try fuzz("client in lobby", arguments + ["--jobs", "3"])
    equal(one.output, two.output)
    let other = try fuzz("client in lobby", arguments + ["--seed", "2"])
    expect(line("digest ", of: one) != nil)
    expect(line("digest ", of: one) != line("digest ", of: other))
  }

  @Test("A corpus grows in its folder, and whole files are all there is")
  func corpus() throws {
    let corpus = folder.path + "/corpus"
    let arguments = ["--from", "client", "--executions", "64", "--corpus", corpus]
    _ = try fuzz("client in lobby", arguments)
    let first = try folder.files(in: "corpus")
    expect(!first.isEmpty)
    expect(first.allSatisfy { $0.hasSuffix(".json") })
    _ = try fuzz("client in lobby", arguments)
    try expect(Set(folder.files(in: "corpus")).isSuperset(of: first))
  }

  @Test("What is misspelt, or never comes, is one line with the right exit code")
  func refusals() throws {
    func ends(_ result: Executable.Result, _ status: Int32, _ words: String) {
      equal(result.status, status)
      expect(result.output.isEmpty)
      expect(result.errors.contains(words), "\(result.errors)")
      equal(result.errors.split(separator: "\n").first?.contains(words), true)
    }
    ends(try fuzz("client in loby", ["--from", "client"]), 64, "did you mean “in lobby”?")
    ends(try fuzz("client in lobby", ["--from", "clint"]), 64, "did you mean “client”?")
    ends(try fuzz("client in lobby", ["--from", "client", "--seam", "packt"]), 64, "did you mean “packet”?")
    ends(try fuzz("host has at least 5 links", ["--from", "client"]), 2, "never held")
    ends(try fuzz("client in lobby", ["--from", "client", "--input", "nowhere.json"]), 64, "cannot be read")
    try folder.write("", to: "file")
    ends(try fuzz("client in lobby", ["--from", "client", "--out", folder.path + "/file"]), 3, "not a folder")
    if FileManager.default.fileExists(atPath: "/dev/full") {
      let corpus = folder.path + "/full"
      try FileManager.default.createSymbolicLink(atPath: corpus, withDestinationPath: "/proc/self")
      ends(try fuzz("client in lobby", ["--from", "client", "--corpus", corpus]), 3, corpus)
    }
  }
}
