package import BabSim
import Conformance

/// The written form that BAB 4.1 to 4.16 ask of a packet, as tables, and a judge that holds a text against them.
///
/// It shares nothing with the engines' encoder but the digits of 32-bit numbers.
package enum WireForm {
  /// A place in a text where a clause is broken.
  package struct Fault: Hashable {
    package var clause: String
    package var what: String
  }

  package indirect enum Shape: Sendable {
    case text, integer, float, boolean
    case names([String])
    case object(Kind)
    case optional(Shape)
    case list(Shape)
    case map(Shape)
    /// Carried and not interpreted (BAB 4.45).
    case anything
  }

  /// One object of table 4.D.
  package struct Kind: Sendable {
    var name: String
    /// The clause that a missing or unknown key breaks; nil: BAB 4.4 for a key with a default, else BAB 4.3.
    var clause: String?
    var fields: [Field]
    init(_ name: String, clause: String? = nil, _ fields: [Field]) {
      self.name = name
      self.clause = clause
      self.fields = fields
    }
  }

  package struct Field: Sendable {
    var key: String
    var shape: Shape
    /// May be absent for a reader, so its absence is a default that was not written.
    var hasDefault: Bool
    init(_ key: String, _ shape: Shape, hasDefault: Bool = false) {
      self.key = key
      self.shape = shape
      if case .optional = shape { self.hasDefault = true } else { self.hasDefault = hasDefault }
    }
  }

  package static let discriminator = "com.bablabs.bringabrainlanguage.domain.models.PacketPayload."

  /// The type a text says it is by its payload, whatever else is wrong with it.
  package static func type(of octets: [UInt8]) -> PacketType? {
    guard let text = try? WireText.parse(octets).value, let name = text["payload"]?["type"]?.text else { return nil }
    return kinds.first { discriminator + $0.name == name || $0.name == name }?.type
  }

  /// Everything in a text that breaks a clause of section 4.A.
  package static func faults(_ octets: [UInt8]) -> [Fault] {
    let parsed: WireText.Parsed
    do throws(WireText.Refusal) {
      parsed = try WireText.parse(octets)
    } catch {
      return [Fault(clause: "BAB 4.1", what: "no JSON: \(error.reason) at octet \(error.offset)")]
    }
    var judge = WireJudge()
    if parsed.hasSpace { judge.add("BAB 4.3", "white space between tokens") }
    judge.packet(parsed.value)
    return judge.faults
  }

  /// A 32-bit number as BAB 4.11 wants it.
  package static func text(of number: Float) -> String {
    let result = PronunciationResult(errorCount: 0, accuracy: number, wordErrors: [], skipped: false, duration: 0)
    let packet = BabPacket(
      senderID: "", vectorClock: VectorClock(), payload: .lineCompleted(lineID: "", result: result))
    let value = try? WireText.parse(packet.encoded()).value["payload"]?["result"]?["accuracy"]
    if case .number(let text)? = value { return text }
    return ""
  }
}

/// Walks through a text along the tables.
private struct WireJudge {
  private(set) var faults: [WireForm.Fault] = []

  mutating func add(_ clause: String, _ what: String) { faults.append(WireForm.Fault(clause: clause, what: what)) }

  mutating func packet(_ text: WireText) {
    let keys = text.members.map(\.key)
    if keys != ["type", "senderId", "vectorClock", "payload"] {
      add("BAB 4.1", "the packet's keys are " + keys.joined(separator: ", "))
    }
    let envelope = text["type"]?.text
    if envelope.flatMap(PacketType.init(rawValue:)) == nil { add("BAB 4.2", "type is \(envelope ?? "no string")") }
    if let sender = text["senderId"] { value(sender, .text, "senderId", clause: "BAB 4.1") }
    if let clock = text["vectorClock"] {
      value(clock, .object(WireForm.clock), "vectorClock", clause: "BAB 4.13")
    }
    guard let payload = text["payload"] else { return }
    guard let name = payload["type"]?.text, payload.members[0].key == "type" else {
      return add("BAB 4.2", "the payload does not begin with its type")
    }
    guard let kind = WireForm.kinds.first(where: { WireForm.discriminator + $0.name == name }) else {
      return add("BAB 4.2", "the payload's type is \(name)")
    }
    if let envelope, PacketType(rawValue: envelope) != nil, envelope != kind.type.rawValue {
      add("BAB 4.5", "type is \(envelope), the payload a \(kind.name)")
    }
    let fields = [WireForm.Field("type", .text)] + kind.fields
    object(payload, WireForm.Kind(kind.name, clause: kind.clause, fields))
  }

  private mutating func object(_ text: WireText, _ kind: WireForm.Kind) {
    let written = text.members.map(\.key)
    for field in kind.fields where !written.contains(field.key) {
      add(kind.clause ?? (field.hasDefault ? "BAB 4.4" : "BAB 4.3"), "\(kind.name) lacks \(field.key)")
    }
    for key in written where !kind.fields.contains(where: { $0.key == key }) {
      add(kind.clause ?? "BAB 4.3", "\(kind.name) has a key \(key)")
    }
    let due = kind.fields.map(\.key).filter(written.contains)
    let known = written.filter(due.contains)
    if known != due { add("BAB 4.3", "\(kind.name)'s keys are " + written.joined(separator: ", ")) }
    for member in text.members {
      guard let field = kind.fields.first(where: { $0.key == member.key }) else { continue }
      value(member.value, field.shape, "\(kind.name)'s \(field.key)", clause: kind.clause)
    }
  }

  private mutating func value(_ text: WireText, _ shape: WireForm.Shape, _ place: String, clause: String?) {
    switch (shape, text) {
    case (.optional, .word("null")), (.anything, _): break
    case (.optional(let inner), _): value(text, inner, place, clause: clause)
    case (.text, .string(let raw)): string(raw, place)
    case (.boolean, .word("true")), (.boolean, .word("false")): break
    case (.integer, .number(let raw)): integer(raw, place)
    case (.float, .number(let raw)): float(raw, place)
    case (.float, .word(let word)): add("BAB 4.12", "\(place) is \(word)")
    case (.names(let names), .string(let raw)):
      if !names.contains(raw) { add("BAB 4.9", "\(place) is \(raw)") }
    case (.names, _): add("BAB 4.9", "\(place) is no name")
    case (.object(let kind), .object): object(text, kind)
    case (.list(let inner), .array(let items)): for item in items { value(item, inner, place, clause: clause) }
    case (.map(let inner), .object(let members)):
      for member in members {
        string(member.key, "a key of " + place)
        value(member.value, inner, place, clause: clause)
      }
      for (index, member) in members.enumerated() where members[..<index].contains(where: { $0.key == member.key }) {
        add("BAB 4.8", "\(place) has the key \(member.key) twice")
      }
    case (.integer, _): add("BAB 4.10", "\(place) is no number")
    case (.float, _): add("BAB 4.11", "\(place) is no number")
    default: add(clause ?? "BAB 4.3", "\(place) is of another kind")
    }
  }

  private mutating func string(_ raw: String, _ place: String) {
    let due = WireText.escaped(WireText.unescaped(raw))
    if !raw.utf8.elementsEqual(due.utf8) { add("BAB 4.7", "\(place) is written \"\(raw)\"") }
  }

  private mutating func integer(_ raw: String, _ place: String) {
    guard let value = Int64(raw), String(value) == raw else { return add("BAB 4.10", "\(place) is written \(raw)") }
  }

  private mutating func float(_ raw: String, _ place: String) {
    guard let value = Float(raw), value.isFinite else { return add("BAB 4.12", "\(place) is written \(raw)") }
    let due = WireForm.text(of: value)
    if due != raw { add("BAB 4.11", "\(place) is written \(raw) instead of \(due)") }
  }
}
