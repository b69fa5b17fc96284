import AppSeam
import BabSim
import BluetoothWire
import Expectations
import SimKernel
import Testing

@testable import BabSuite
@testable import Conformance
@testable import Judging

/// An engine behind the IUT protocol without a process: every input and every answer goes through its text.
private final class TextEngine: AppEngine {
  private var session: IUTSession
  private var writer = JSONText()

  init(role: AppRole, name: String, configuration: AppConfiguration) {
    session = IUTSession(greeting: IUTGreeting(implementation: "text"), of: .bab) { hello in
      try AppProtocol.bab.makeEngine(name: name, hello.configuration)
    }
    IUTHello(of: .bab, role: role, configuration: configuration).write(to: &writer)
    _ = try! session.answer(writer.octets)
    writer = JSONText()
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    writer.beginObject()
    writer.member("at", now.nanoseconds)
    writer.input(input)
    writer.endObject()
    let answer = try! session.answer(writer.octets)
    writer = JSONText()
    let members = try! MessageMembers(JSONTree(answer))
    equal(try! members.integer("at"), now.nanoseconds)
    return try! members.objects("effects") { (effect) throws(MessageProblem) in
      try effect.effect(of: BabApp()) { .init(kind: .random, bits: $0) }
    }
  }
}

@Suite("The IUT protocol as text")
struct IUTSessionTests {
  @Test(
    "A case comes out the same through the text: digest, verdict, steps",
    arguments: [AppRole.host, .client])
  func sameDigests(role: AppRole) {
    var count = 0
    let direct = try! ImplementationUnderTest.builtIn("reference", of: .bab, role: role)
    let piped = ImplementationUnderTest(of: .bab, name: "reference", role: role, dialects: direct.dialects) {
      TextEngine(role: role, name: "reference", configuration: $0)
    }
    // The catalogue in three dialects is what selftest and the samples are for.
    for (index, purpose) in Part.of(Catalog.all(role: role), 8).enumerated() {
      let dialect = purpose.dialects[index % purpose.dialects.count]
      let id = CaseID(purpose: purpose.id, dialect: dialect, seed: purpose.seeds[0])
      let (a, b) = (CaseRunner.run(purpose, id, on: direct), CaseRunner.run(purpose, id, on: piped))
      equal(a.digest, b.digest, "\(purpose.id) \(dialect)")
      equal(a, b, "\(purpose.id) \(dialect)")
      count += 1
    }
    expect(count > 0)
  }

  @Test("JSON that is none is refused with an offset, and nothing traps")
  func refusals() {
    let refused: [(text: String, offset: Int)] = [
      ("", 0), ("{", 1), ("[1,]", 3), ("{\"a\":1,}", 7), ("01", 0), ("-", 1), ("1.", 2), ("nul", 3), ("\"", 1),
      ("\"\\x\"", 1), ("\"\\u12\"", 5), ("{\"a\":1,\"a\":2}", 7), ("1 2", 2), ("'a'", 0), ("NaN", 0), ("\"a\tb\"", 2),
      (String(repeating: "[", count: 40), 16),
    ]
    for (text, offset) in refused {
      #expect(throws: JSONTree.Refusal.self, "\(text)") { try JSONTree(Array(text.utf8)) }
      do {
        _ = try JSONTree(Array(text.utf8))
      } catch {
        equal(error.offset, offset, "\(text): \(error)")
      }
    }
  }

  @Test("JSON of other writers is read: spaces, escapes, surrogates, numbers")
  func reading() throws {
    let text = #" { "a" : [ 1 , -2 , 1.5e3, true,false,null ] , "b":"\u00fc\n\ud83d\ude00\/\ud800" } "#
    let tree = try JSONTree(Array(text.utf8))
    equal(
      tree,
      .object([
        .init(
          name: "a",
          value: .list([.integer(1), .integer(-2), .number("1.5e3"), .boolean(true), .boolean(false), .null])),
        .init(name: "b", value: .text("ü\n😀/\u{FFFD}")),
      ]))
  }

  @Test("Any damage to an answer is an answer or a problem, never a trap")
  func damage() {
    let whole = Array(
      #"{"at":5,"effects":[{"name":"publish","service":"BAB1","characteristics":[{"uuid":"BAB2","properties":12}]},{"name":"notify","link":0,"characteristic":"BAB3","octets":"00ff"},{"name":"leaderboard","rows":[{"rank":1,"player":"a","score":2,"highlight":null}]}]}"#
        .utf8)
    func effects(_ octets: [UInt8]) -> Bool {
      do {
        let members = try MessageMembers(JSONTree(octets))
        _ = try members.objects("effects") { (effect) throws(MessageProblem) in
          try effect.effect(of: BabApp()) { .init(kind: .random, bits: $0) }
        }
        return true
      } catch { return false }
    }
    expect(effects(whole))
    for count in whole.indices { expect(!effects(Array(whole[..<count]))) }
    for index in whole.indices {
      for value in [UInt8(0), 0x22, 0x2C, 0x5C, 0x7B, 0x7D, 0xFF, whole[index] ^ 1] {
        var copy = whole
        copy[index] = value
        _ = effects(copy)
      }
    }
  }

  @Test(
    "A problem says what and where",
    arguments: [
      (#"{"name":"notify","link":0,"characteristic":"BAB3"}"#, "octets: missing"),
      (#"{"name":"notify","link":0,"characteristic":"BAB3","octets":"0"}"#, "octets: an odd number"),
      (#"{"name":"notify","link":"0","characteristic":"BAB3","octets":""}"#, "link: a text, where a whole number"),
      (#"{"name":"notify","link":-1,"characteristic":"BAB3","octets":""}"#, "link: -1 is out of range"),
      (#"{"name":"notify","link":0,"characteristic":"hello","octets":""}"#, "characteristic: \"hello\" is no UUID"),
      (#"{"name":"setTimer","timer":1,"at":1.5}"#, "at: a number that is not whole"),
      (#"{"name":"setTimer","timer":1,"at":9007199254740993}"#, "at: 9007199254740993 is out of range"),
      (#"{"name":"connect","address":"F0:F1"}"#, "address: \"F0:F1\" is no address"),
      (#"{"name":"leaderboard","rows":[{"rank":1}]}"#, "rows[0].player: missing"),
      (#"{"name":"roster","players":["a",1]}"#, "players[1]: a whole number, where a text"),
      (#"{"name":"Notify"}"#, "did you mean “notify”?"),
      (
        #"{"name":"identity","role":"guest","peerID":"a","displayName":"b"}"#, "role: \"guest\" is none of host, client"
      ),
    ])
  func places(text: String, expected: String) throws {
    let members = try MessageMembers(JSONTree(Array(text.utf8)))
    let problem = #expect(throws: MessageProblem.self) {
      try members.effect(of: BabApp()) { .init(kind: .random, bits: $0) }
    }
    equal(problem?.description.contains(expected), true, "\(problem?.description ?? "")")
  }
}
