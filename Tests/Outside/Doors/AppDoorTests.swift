import AppSeam
import Bench
import Bystanders
import Conformance
import Judging
import Testing

@testable import echobench

/// Echo is a folder that no one but its executable knows: its app, engines, oracle, test purpose and mutant are written
/// with what outsiders see.
@Suite("An app protocol of an outsider")
struct AppDoorTests {
  private static let protocols: [AppProtocol] = [.echo, .bystander]

  /// A whole room of a scenario, and what the protocol's oracles say of it.
  private func play(_ engine: String) throws -> Judgement {
    let room = """
      protocol: echo
      devices:
        host: { engine: \(engine) }
        client: { around: host }
        beacon: { protocol: bystander, role: advertiser, at: [3, 0] }
      steps:
        - { when: client is ready, within: 10s, client: call }
      expect:
        - { that: client has heard 1, within: 5s }
      """
    let language = ScenarioLanguage(Self.protocols)
    let scenario = try ScenarioReader.read(text: room, file: "room.yaml", language: language).get()
    let judge = Self.protocols.judge(of: scenario)
    _ = try World.run(
      scenario, options: RunOptions(seed: scenario.seed), readers: [judge], engines: Self.protocols.engines)
    return try #require(judge.judgement)
  }

  @Test("Its oracle passes the reference in a room, and fails the mutant")
  func oracle() throws {
    let right = try play("reference")
    #expect(right.verdict == .pass)
    let pongs = try #require(right.oracles.first { $0.id == "PongsAnswerPings" })
    #expect(pongs.verdict == .pass && pongs.judged == 1)
    let wrong = try play("wrong-number")
    #expect(wrong.verdict == .fail)
    #expect(wrong.findings.contains { $0.expected == "pong 1" && $0.actual == "pong 2" })
  }

  @Test("Its test purpose passes an engine of one's own, and fails one that answers wrongly")
  func purpose() throws {
    let right = ImplementationUnderTest(of: .echo, name: "mine", role: .echoHost) { _ in EchoHost() }
    let wrong = ImplementationUnderTest(of: .echo, name: "doubled", role: .echoHost) { _ in EchoHost { $0 &* 2 } }
    let suite = Suite([right, wrong])
    let results = suite.items.map { suite.run($0) }
    #expect(results.map(\.verdict) == [.pass, .fail])
    #expect(results.allSatisfy { $0.id.purpose == "ECHO/HOST/PING/BV-01-C" })
    #expect(results.last?.finding?.actual.contains("heard: 2") ?? false)
  }

  @Test("Its words are checked in scenario files, with the place and what was probably meant")
  func words() throws {
    let text = "protocol: echo\ndevices:\n  host: {}\n  client: {}\nsteps:\n  - client: cal\n"
    let read = ScenarioReader.read(text: text, file: "room.yaml", language: ScenarioLanguage(Self.protocols))
    guard case .failure(let problems) = read else {
      Issue.record("a word that does not exist was taken")
      return
    }
    #expect("\(problems)".contains("room.yaml:6:13"), "\(problems)")
    #expect("\(problems)".contains("did you mean “call”?"), "\(problems)")
  }
}
