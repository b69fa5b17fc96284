import BluetoothWire
import Foundation
import Judging
import SimKernel

/// Attacks as JSON: `{"strokes": [{"manner": "send", "after": 0, "route": 0, "octets": "…", "origin": "…"}]}`.
/// Spans are nanoseconds, octets are hexadecimal digits.
package enum AttackFile {
  /// Why a file is no attack.
  package struct Refusal: Error, CustomStringConvertible {
    package var description: String
    package init(description: String) { self.description = description }
  }

  private struct File: Codable {
    var strokes: [Line]
  }

  private struct SequenceFile: Codable {
    struct Part: Codable {
      var after: Int64
      var strokes: [Line]
    }
    var attacks: [Part]
  }

  private struct Line: Codable {
    var manner: String
    var after: Int64?
    var route: Int?
    var unit: Int?
    var times: Int?
    var octets: String?
    var origin: String?
  }

  package static func octets(of attack: Attack) -> [UInt8] {
    var text = JSONText()
    text.beginObject()
    write(attack, to: &text)
    text.endObject()
    text.endLine()
    return text.octets
  }

  /// Attacks of a live session: `{"attacks": [{"after": 0, "strokes": […]}]}`.
  package static func octets(of attacks: [TimedAttack]) -> [UInt8] {
    var text = JSONText()
    text.beginObject()
    text.list("attacks", attacks) { write($1, to: &$0) }
    text.endObject()
    text.endLine()
    return text.octets
  }

  /// What stands after the last attack of such a file.
  package static let ending = Array("]}\n".utf8)

  /// What comes into such a file before its ending when there is one more attack.
  package static func octets(of timed: TimedAttack, isFirst: Bool) -> [UInt8] {
    var text = JSONText()
    write(timed, to: &text)
    return (isFirst ? [] : Array(",".utf8)) + text.octets
  }

  private static func write(_ timed: TimedAttack, to text: inout JSONText) {
    text.beginObject()
    text.member("after", timed.after.nanoseconds)
    write(timed.attack, to: &text)
    text.endObject()
  }

  private static func write(_ attack: Attack, to text: inout JSONText) {
    text.objects("strokes", attack.strokes) { text, stroke in
      write(stroke.manner, to: &text)
      if !stroke.octets.isEmpty { text.member("octets", octets: stroke.octets) }
      if !stroke.origin.isEmpty { text.member("origin", octets: stroke.origin) }
    }
  }

  private static func write(_ manner: Attack.Manner, to text: inout JSONText) {
    switch manner {
    case .send(let span, let route):
      text.member("manner", "send")
      text.member("after", span.nanoseconds)
      text.member("route", route)
    case .replace(let unit):
      text.member("manner", "replace")
      text.member("unit", unit)
    case .drop(let unit):
      text.member("manner", "drop")
      text.member("unit", unit)
    case .again(let unit, let times):
      text.member("manner", "again")
      text.member("unit", unit)
      text.member("times", times)
    case .late(let unit, let span):
      text.member("manner", "late")
      text.member("unit", unit)
      text.member("after", span.nanoseconds)
    }
  }

  /// - Throws: `Refusal`.
  package static func read(_ path: String) throws -> Attack { try read(parsing: try content(of: path), of: path) }

  /// - Parameter place: where the octets are from, for messages.
  /// - Throws: `Refusal`.
  static func read(parsing octets: Data, of place: String) throws -> Attack {
    try decoded(File.self, octets, place) { file in try attack(file.strokes, place) }
  }

  /// - Throws: `Refusal`.
  package static func readSequence(_ path: String) throws -> [TimedAttack] {
    try decoded(SequenceFile.self, try content(of: path), path) { file in
      var last: Int64 = 0
      return try file.attacks.enumerated().map { index, part in
        last = min(max(last, part.after), 86_400_000_000_000)
        return TimedAttack(
          after: .nanoseconds(last), attack: try attack(part.strokes, "\(path): attack \(index + 1)"))
      }
    }
  }

  private static func attack(_ lines: [Line], _ place: String) throws -> Attack {
    Attack(try lines.enumerated().map { try stroke($1, "\(place): stroke \($0 + 1)") })
  }

  private static func content(of path: String) throws -> Data {
    if let data = FileManager.default.contents(atPath: path) { return data }
    throw Refusal(description: "\(path): the file cannot be read")
  }

  private static func decoded<File: Decodable, Value>(
    _ kind: File.Type, _ data: Data, _ place: String, _ value: (File) throws -> Value
  ) throws -> Value {
    do {
      return try value(try JSONDecoder().decode(kind, from: data))
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw Refusal(description: "\(place): this is no attack that babbench fuzz has written")
    }
  }

  /// All attacks of a folder, by name.
  package static func all(in folder: String) throws -> [Attack] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return try names.filter { $0.hasSuffix(".json") }.sorted().map { try read(folder + "/" + $0) }
  }

  private static func stroke(_ line: Line, _ place: String) throws -> Attack.Stroke {
    guard let octets = [UInt8](hexadecimalDigits: line.octets ?? ""),
      let origin = [UInt8](hexadecimalDigits: line.origin ?? "")
    else {
      throw Refusal(description: "\(place): octets are hexadecimal digits in pairs")
    }
    let unit = max(0, line.unit ?? 0)
    let span = SimDuration.nanoseconds(min(max(0, line.after ?? 0), 3_600_000_000_000))
    let manner: Attack.Manner
    switch line.manner {
    case "send": manner = .send(after: span, route: max(0, line.route ?? 0))
    case "replace": manner = .replace(unit)
    case "drop": manner = .drop(unit)
    case "again": manner = .again(unit, times: min(max(1, line.times ?? 1), 64))
    case "late": manner = .late(unit, span)
    default:
      throw Refusal(description: "\(place): \"\(line.manner)\" is none of send, replace, drop, again, late")
    }
    return Attack.Stroke(manner, octets: octets, origin: origin)
  }

  /// One line for people.
  package static func text(of stroke: Attack.Stroke) -> String {
    switch stroke.manner {
    case .send(let span, let route): "sends after \(span) s on route \(route): \(shown(stroke.octets))"
    case .replace(let unit): "in place of unit \(unit): \(shown(stroke.octets))"
    case .drop(let unit): "swallows unit \(unit)"
    case .again(let unit, let times): "sends unit \(unit) \(times) times"
    case .late(let unit, let span): "holds unit \(unit) back for \(span) s"
    }
  }

  private static func shown(_ octets: [UInt8]) -> String {
    let isText = octets.allSatisfy { 0x20..<0x7F ~= $0 }
    let text =
      isText
      ? String(decoding: octets, as: UTF8.self) : octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return text.count > 200 ? text.prefix(200) + "… (\(CountedNoun.text(octets.count, "octet")))" : text
  }
}
