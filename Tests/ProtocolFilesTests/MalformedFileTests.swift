import Testing

@testable import Bench
@testable import ProtocolFiles

/// One thing is wrong in the chat of the template: it is told in one line, with its place and what to write instead.
@Suite("Malformed protocol files")
struct MalformedFileTests {
  struct Slip: Sendable, CustomTestStringConvertible {
    /// What stands in the template, and what stands there instead.
    var text: String
    var instead: String
    /// In the message.
    var told: String
    var testDescription: String { "\(instead.prefix(60)): \(told)" }

    init(_ text: String, _ instead: String, _ told: String) {
      self.text = text
      self.instead = instead
      self.told = told
    }
  }

  static let slips: [Slip] = [
    // Keys and names.
    Slip("protocol: chat", "protocl: chat", "has no key “protocl”; did you mean “protocol”"),
    Slip("protocol: chat", "protocol: My Chat", "is no name; write lower case letters"),
    Slip("protocol: chat", "protocol: [chat]", "must be a text, not a list"),
    Slip("protocol: chat", "protocol: chat\nbyte order: middle", "“middle” does not exist"),
    Slip("room: { local name: chat }", "Room: { local name: chat }", "is no name of a role"),
    Slip("room: { local name: chat }", "room: { name: chat }", "a role has no key “name”"),
    Slip("room: { local name: chat }", "room: [chat]", "a role must be a mapping, not a list"),
    Slip("room: { local name: chat }", "room: { leads: maybe }", "write yes or no"),
    Slip("room: { local name: chat }", "room: { advertises: [chatt] }", "did you mean “chat”"),
    // Services.
    Slip("uuid: 6E400001-B5A3-F393-E0A9-E50E24DCCA9E", "uuid: 6E400001", "is no UUID"),
    Slip("uuid: 6E400001-B5A3-F393-E0A9-E50E24DCCA9E", "uid: 6E400001-B5A3-F393-E0A9-E50E24DCCA9E", "a service has no key “uid”"),
    Slip("of: room\n    characteristics", "of: rom\n    characteristics", "did you mean “room”"),
    Slip("of: room\n    characteristics", "characteristics", "a service needs “of”"),
    Slip("properties: [write] }", "properties: [wite] }", "did you mean “write”"),
    Slip("properties: [write] }", "properties: write }", "must be a list"),
    Slip("properties: [write] }", "properties: [write], framing: line }", "did you mean “lines”"),
    Slip("properties: [write] }", "properties: [write], framing: { } }", "a framing needs “length” or “fragments”"),
    Slip("properties: [write] }", "properties: [write], framing: { length: text } }", "is no number; write u8"),
    Slip("properties: [write] }", "properties: [write], framing: { fragments: [place u8] } }", "is no field of a fragment"),
    Slip("uuid: 6E400003-", "uuid: 6E400002-", "has the UUID"),
    // Packets.
    Slip("by: guest, on: said, fields: { kind: u8 = 1", "by: gest, on: said, fields: { kind: u8 = 1", "did you mean “guest”"),
    Slip("by: guest, on: said, fields: { kind: u8 = 1", "on: said, fields: { kind: u8 = 1", "a packet needs “by”"),
    Slip("by: guest, on: said, fields: { kind: u8 = 1", "by: guest, on: sid, fields: { kind: u8 = 1", "did you mean “said”"),
    Slip("by: guest, on: said, fields: { kind: u8 = 1", "by: guest, on: said, json: {}, fields: { kind: u8 = 1", "a packet has “fields” or “json”, not both"),
    Slip("kind: u8 = 1", "kind: u9 = 1", "no type is called “u9”"),
    Slip("kind: u8 = 1", "kind: u8 = 300", "is no number from 0 to 255"),
    Slip("kind: u8 = 1", "kind: u8 = one", "is no number from 0 to 255"),
    Slip("kind: u8 = 1", "kind: u8 =", "after “=” comes a value"),
    Slip("kind: u8 = 1", "kind: u8 1..", "“1..” cannot stand here"),
    Slip("kind: u8 = 1", "kind: u8 when flags & 1", "“flags” is no number before this field"),
    Slip("name: text u8 1..20", "name: text u8 when kind & x", "after “&” comes a number"),
    Slip("name: text u8 1..20", "name: text 9000", "9000 is no length"),
    Slip("name: text u8 1..20", "name: text size", "a length may be one of kind"),
    Slip("name: text u8 1..20", "name: list text", "“of” is missing before “text”"),
    Slip("name: text u8 1..20", "name: list of list of u8", "a list of lists cannot be said"),
    Slip("name: text u8 1..20", "name: text until 1", "“0” is missing"),
    Slip("name: text u8 1..20", "name: crc16", "comes the number that holds it"),
    Slip("name: text u8 1..20", "name: [text]", "must be a text, not a list"),
    // Words.
    Slip("enter: { by: guest, values: { name: text } }", "enter: { by: guest, values: { name: txt } }", "did you mean “text”"),
    Slip("enter: { by: guest, values: { name: text } }", "enter: { of: guest, values: { name: text } }", "has no key “of”"),
    // Claims.
    Slip("clause: CHAT 1, of: guest, when: does enter", "clause: CHAT 9, of: guest, when: does enter", "clause “CHAT 9” does not exist"),
    Slip("clause: CHAT 1, of: guest, when: does enter", "of: guest, when: does enter", "a claim needs “clause”"),
    Slip("clause: CHAT 1, of: guest, when: does enter", "clause: CHAT 1, of: gest, when: does enter", "did you mean “guest”"),
    Slip("when: does enter,", "when: dos enter,", "must begin with one of"),
    Slip("when: does enter,", "when: does entr,", "there is no action “entr”"),
    Slip("when: does enter,", "whn: does enter,", "a claim has no key “whn”"),
    Slip("then: sends hello where name = enter.name, within: 2s", "within: 2s", "a claim needs “then”"),
    Slip("then: sends hello where name = enter.name, within: 2s", "then: sends hello where name = enter.name", "“then” needs “within”"),
    Slip("then: sends hello where name = enter.name, within: 2s", "then: sends hello where name = enter.name, within: soon", "within"),
    Slip("then: sends hello where name = enter.name", "then: sends hello where nam = enter.name", "there is no field “nam” here; there are kind, name"),
    Slip("then: sends hello where name = enter.name", "then: sends hello where name = enter.nam", "enter has no field “nam”"),
    Slip("then: sends hello where name = enter.name", "then: sends hello where name", "compares nothing"),
    Slip("never: sends message, before: sends hello", "before: sends hello", "a claim needs “when” and “then”"),
    Slip("agree: shows line", "agree: shows lines", "there is no report “lines”; there are welcomed, line"),
    Slip("HelloComesFirst:", "hello comes first:", "is no name of a claim"),
    Slip("to: every link", "to: all links", "“to”"),
    // Purposes.
    Slip("CHAT/ROOM/HELLO/BV-01:", "HELLO:", "is no id of a test purpose"),
    Slip("- tester sends: { hello: { name: ann } }", "- tester send: { hello: { name: ann } }", "no step is called “tester send”; did you mean “tester sends”"),
    Slip("- tester sends: { hello: { name: ann } }", "- tester sends: { helo: { name: ann } }", "did you mean “hello”"),
    Slip("- tester sends: { hello: { name: ann } }", "- tester sends: { hello: { nam: ann } }", "hello has no field “nam”"),
    Slip("- tester sends: { hello: { name: ann } }", "- tester sends: { hello: {} }", "hello needs a value for “name”"),
    Slip("- tester sends: { hello: { name: ann } }", "- tester sends: { hello: { name: abcdefghijklmnopqrstu } }", "“name” is 21 long, not 1..20"),
    Slip("- tester sends octets: { said: ff00 }", "- tester sends octets: { said: ff0 }", "pairs of hexadecimal digits"),
    Slip("- tester sends octets: { said: ff00 }", "- tester-2 sends octets: { said: ff00 }", "there is no “tester-2”"),
    Slip("- user: { enter: ann }", "- user: { entre: ann }", "did you mean “enter”"),
    Slip("- user: { enter: ann }", "- wait", "how long"),
    Slip("- iut shows: welcomed where name = ann", "- iut shows: welcomed where nme = ann", "there is no field “nme”"),
  ]

  @Test("A slip is told once, with its line and what to write instead", arguments: slips)
  func slip(_ slip: Slip) throws {
    let chat = ProtocolFileTests.chat
    try #require(chat.contains(slip.text))
    let range = try #require(chat.firstRange(of: slip.text))
    var text = chat
    text.replaceSubrange(range, with: slip.instead)
    do throws(ScenarioProblems) {
      _ = try ProtocolFileReader.read(octets: Array(text.utf8), file: "chat.yaml")
      Issue.record("nothing was wrong with it")
    } catch {
      let line = chat[..<range.lowerBound].count { $0 == "\n" } + 1
      let first = try #require(error.list.first { $0.message.contains(slip.told) }, "\(error.list.map(\.message))")
      let lines = slip.instead.count { $0 == "\n" }
      // A key that is missing is told where its mapping begins.
      #expect((line - 6...line + lines).contains(first.location.line), "line \(first.location.line), not \(line)")
      #expect(first.location.column >= 1)
      #expect(!"\(error)".contains("Optional("))
    }
  }

  @Test("There are at least sixty kinds")
  func count() { #expect(Self.slips.count >= 60) }

  @Test("No octets make the reader trap, hang or grow: the template with octets changed, removed and doubled")
  func total() {
    let octets = Array(ProtocolFileTests.chat.utf8)
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      var changed = octets
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let place = Int.random(in: 0..<changed.count, using: &generator)
        switch Int.random(in: 0...3, using: &generator) {
        case 0: changed[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: changed.remove(at: place)
        case 2: changed.insert(changed[place], at: place)
        default:
          let end = min(changed.count, place + Int.random(in: 0...200, using: &generator))
          changed.insert(contentsOf: changed[place..<end], at: place)
        }
      }
      _ = try? ProtocolFileReader.read(octets: changed, file: "chat.yaml")
    }
  }
}
