import Bench
import Conformance
import Expectations
import Judging
import Testing

@testable import ProtocolFiles

/// What scenarios ask of what screens show: true where it is shown so, false where not, and refused where it can never
/// be.
@Suite("Conditions on what a protocol file's screens show")
struct FileFactTests {
  private static let file = ProtocolFileTests.chat
    .replacing(
      "line: { by: guest, values: { text: text } }",
      with: """
        line: { by: guest, values: { text: text } }
          told: { by: guest, values: { number: number, from: text, new: flag } }
          board: { by: guest, values: { lines: number } }
          bell: { by: guest }
        """
    )
    .replacing(
      "claims:\n",
      with: """
        claims:
          Tells:
            clause: CHAT 4
            of: guest
            when: hears welcome
            then: shows told where number = 2 and from = ann and new = true
            within: 1s
          Boards: { clause: CHAT 4, of: guest, when: hears welcome, then: shows board where lines = 2, within: 1s }

        """)

  /// One guest has entered.
  private static func problems(_ condition: String) throws -> (told: [String], verdict: Verdict?) {
    let app = AppProtocol(try ProtocolFileTests.form(file), file: "chat.yaml", spellings: ["./chat.yaml"])
    let room = """
      protocol: ./chat.yaml
      devices: { room: { phone: linux }, guest: { count: 1 } }
      steps: [{ after: 6s, guest: { enter: are you there } }]
      expect: [{ that: "\(condition)", within: 14s }]
      duration: 15s

      """
    switch ScenarioReader.read(text: room, file: "room.yaml", language: ScenarioLanguage([app])) {
    case .failure(let problems): return (problems.list.map(\.message), nil)
    case .success(let scenario):
      let oracles = app.makeOracleReader()
      _ = try World.run(scenario, options: RunOptions(seed: 1), readers: [oracles], engines: [app].engines)
      return ([], oracles.judgement?.verdict)
    }
  }

  @Test(
    "What is shown holds",
    arguments: [
      "guest shows welcomed", "guest shows welcomed are you there", "guest shows the welcomed are you there",
      "guest shows welcomed where name = are you there", "guest shows welcomed where name.length > 3",
      #"guest shows welcomed where name = \"are you there\" and name != \"salt and pepper\""#,
      "guest shows told", "guest shows told where number = 2", "guest shows told where number = 0x2 and from = ann",
      "guest shows told where new = yes", "guest shows told where new = true and number > 1", "guest shows board 2",
      "guest shows board where lines >= 2", "no guest shows told where from = bob", "guest shows no bell",
    ])
  func holds(condition: String) throws {
    let (told, verdict) = try Self.problems(condition)
    expect(told == [] && verdict == .pass, "\(told)")
  }

  @Test(
    "What is not shown does not",
    arguments: [
      "guest shows welcomed where name = bob", "guest shows told where number = 3",
      "guest shows told where number = 2 and from = bob", "guest shows told where new = no", "guest shows board 3",
      "guest shows bell",
    ])
  func fails(condition: String) throws {
    let (told, verdict) = try Self.problems(condition)
    expect(told == [] && verdict == .fail, "\(told)")
  }

  @Test(
    "What can never hold is refused",
    arguments: [
      ("guest shows told ann", "“told” has number, from, new; write shows told where number = ann"),
      ("guest shows told number 2", "“told” has number, from, new; write shows told where number = 2"),
      ("guest shows told where nonsense = 2", "there is no field “nonsense” here; there are number, from, new"),
      ("guest shows told where number = two", "“number” cannot be compared with “two”; it is a whole number"),
      ("guest shows told where new = maybe", "“new” cannot be compared with “maybe”; it is yes or no"),
      ("guest shows board two", "“lines” cannot be compared with “two”; it is a whole number"),
      ("guest shows bell 2", "“bell” has no values, so “2” says nothing; write shows bell"),
      ("guest shows welcomd", "there is no report “welcomd”; did you mean “welcomed”?"),
      ("guest dances", "“dances” is no condition; "),
    ])
  func refused(condition: String, message: String) throws {
    let (told, verdict) = try Self.problems(condition)
    expect(told.count == 1 && told[0].hasPrefix(message) && verdict == nil, "\(told)")
  }
}
