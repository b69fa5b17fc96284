import AppSeam
import BluetoothWire
import Foundation
import SimKernel

/// Writing hellos and answers, in the notation of Docs/Formats/app-seam.md.
struct AnswerLine {
  private var text: String
  private var isFirst = true
  private var calls = 0
  private static let mostCalls = 2_000

  init(at now: SimInstant) { text = "{\"at\":\(now.nanoseconds),\"effects\":[" }

  /// The line, once all effects are in it.
  var octets: [UInt8] { Array((text + "]}").utf8) }

  /// The members of a report, without braces.
  mutating func report(_ json: String) { add(json) }

  /// A call or callback. One answer has a limit of 10 000 words, which belongs to what the app does: the calls of an
  /// app that calls without end are left out from here on.
  mutating func call(_ word: CallWord) {
    calls += 1
    if calls <= Self.mostCalls { add(Self.members(of: word)) }
  }

  /// What the phone keeps, as the answer to `remember`.
  mutating func memory(_ memory: AppMemory) { add(Self.members(of: memory)) }

  mutating func effect(_ effect: AppEffect) {
    switch effect {
    case .advertise(let request):
      let services = request.serviceUUIDs.map { "\"\($0)\"" }.joined(separator: ",")
      add("\(named("advertise")),\"localName\":\(Self.quoted(request.localName)),\"services\":[\(services)]")
    case .stopAdvertising: add(named("stopAdvertising"))
    case .scan(let services):
      add("\(named("scan")),\"services\":[\(services.map { "\"\($0)\"" }.joined(separator: ","))]")
    case .stopScanning: add(named("stopScanning"))
    case .connect(let address): add("\(named("connect")),\"address\":\"\(address)\"")
    case .cancelConnect(let address): add("\(named("cancelConnect")),\"address\":\"\(address)\"")
    case .disconnect(let link): add("\(named("disconnect")),\"link\":\(link.rawValue)")
    case .exchangeMTU(let link, let size): add("\(named("exchangeMTU")),\"link\":\(link.rawValue),\"attMTU\":\(size)")
    case .setTimer(let timer, let instant):
      add("\(named("setTimer")),\"timer\":\(timer.rawValue),\"at\":\(instant.nanoseconds)")
    case .cancelTimer(let timer): add("\(named("cancelTimer")),\"timer\":\(timer.rawValue)")
    case .keep(let octets): add("\(named("keep")),\"octets\":\"\(String(hexadecimal: octets))\"")
    case .keepMore(let octets): add("\(named("keepMore")),\"octets\":\"\(String(hexadecimal: octets))\"")
    case .gatt(let word): add(Self.members(of: word))
    case .gap(let word): add(Self.members(of: word))
    case .channel(let word): add(Self.members(of: word))
    case .network(let word): add(Self.members(of: word))
    // In words by type, which a phone does not use.
    default: break
    }
  }

  private mutating func add(_ members: String) {
    text += isFirst ? "{" : ",{"
    text += members + "}"
    isFirst = false
  }

  private func named(_ name: String) -> String { "\"name\":\"\(name)\"" }

  private static func members(of word: some AppStatement) -> String {
    var writer = WordWriter()
    var copy = word
    copy.visit(&writer)
    return writer.text
  }

  static func quoted(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    // A text is always encodable.
    return String(decoding: (try? encoder.encode(text)) ?? Data("\"\"".utf8), as: UTF8.self)
  }
}

/// The members of one object, without braces.
private struct WordWriter: WordVisitor {
  typealias Failure = Never

  var text = ""

  private mutating func member(_ name: StaticString, _ json: String) {
    text += text.isEmpty ? "\"\(name)\":" : ",\"\(name)\":"
    text += json
  }

  mutating func word(_ name: StaticString) { member("name", "\"\(name)\"") }
  mutating func field(_ name: StaticString, _ value: inout String) { member(name, AnswerLine.quoted(value)) }
  mutating func field(_ name: StaticString, _ value: inout String?) {
    member(name, value.map(AnswerLine.quoted) ?? "null")
  }
  mutating func field(_ name: StaticString, _ value: inout Int64) { member(name, "\(value)") }
  mutating func field(_ name: StaticString, _ value: inout Bool) { member(name, "\(value)") }
  mutating func field(_ name: StaticString, _ value: inout [String]) {
    member(name, "[\(value.map(AnswerLine.quoted).joined(separator: ","))]")
  }
  mutating func field(_ name: StaticString, _ value: inout LinkID) { member(name, "\(value.rawValue)") }
  // By default a text.
  mutating func field(_ name: StaticString, _ value: inout UInt8?) { member(name, value.map { "\($0)" } ?? "null") }

  mutating func records<Record: WordRecord>(_ name: StaticString, _ value: inout [Record]) {
    let objects = value.indices.map { index in
      var writer = WordWriter()
      value[index].visit(&writer)
      return "{\(writer.text)}"
    }
    member(name, "[\(objects.joined(separator: ","))]")
  }
}

/// What the program says of itself.
struct ProgramGreeting {
  var implementation: String
  var claims: [String]?
  var reports: [String] = []

  var octets: [UInt8] {
    var text =
      "{\"name\":\"hello\",\"protocol\":1,\"implementation\":\(AnswerLine.quoted(implementation)),"
      + "\"memory\":\(AppMemory.version)"
    if let claims { text += ",\"ics\":[\(claims.map(AnswerLine.quoted).joined(separator: ","))]" }
    if !reports.isEmpty { text += ",\"reports\":[\(reports.map(AnswerLine.quoted).joined(separator: ","))]" }
    return Array((text + "}").utf8)
  }
}
