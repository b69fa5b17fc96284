import BluetoothWire
import Foundation
import SimKernel
import VirtualRadio

/// Writes a session as JSON Lines, one line for each thing, keys sorted.
struct SessionLines {
  /// Each seat's device as a JSON string; those that have come are after those of the header.
  private var names: [String]

  init(_ header: SessionRecording.Header) { names = header.seats.map { Self.quoted($0.device) } }

  /// The header's line.
  static func line(_ header: SessionRecording.Header) -> [UInt8] {
    octets(
      HeaderLine(
        bench: header.bench, file: header.file, format: SessionRecording.format, kind: LineKind.header.rawValue,
        profiles: header.profiles.isEmpty
          ? nil : header.profiles.map { ProfileMember(path: $0.path, text: $0.text) },
        places: header.places == 0 ? nil : header.places, scenario: header.scenario,
        seats: header.seats.map { SeatMember(device: $0.device, seat: $0.seat.rawValue) },
        seed: String(header.seed), settings: header.settings, version: SessionRecording.version))
  }

  /// The line of what came in.
  mutating func line(_ entry: SessionRecording.Entry) -> [UInt8] {
    if case .arrival(let arrival) = entry.what { names.append(Self.quoted(arrival.name)) }
    let (device, kind) =
      switch entry.what {
      case .seat(let seat, .attached): (names[seat], "\"attached\"")
      case .seat(let seat, .detached): (names[seat], "\"detached\"")
      case .seat(let seat, .packet(let octets)):
        (names[seat], "\"packet\",\"octets\":\"\(String(hexadecimal: octets))\"")
      case .step(let device, let words): (Self.quoted(device), "\"step\",\"words\":\(Self.quoted(words))")
      case .arrival(let arrival):
        (
          Self.quoted(arrival.name),
          "\"arrival\",\"external\":\(arrival.isExternal),\"words\":\(Self.quoted(arrival.words))"
        )
      case .departure(let device): (Self.quoted(device), "\"departure\"")
      }
    return Array("{\"device\":\(device),\"instant\":\(entry.instant.nanoseconds),\"kind\":\(kind)}\n".utf8)
  }

  /// The last line.
  static func line(_ end: SessionRecording.End) -> [UInt8] {
    octets(
      EndLine(
        digest: end.digest, ending: end.ending.rawValue, instant: end.instant.nanoseconds,
        kind: LineKind.end.rawValue))
  }

  private static func octets(_ line: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Strings and integers: nothing that JSON could not say.
    return [UInt8]((try? encoder.encode(line)) ?? Data()) + [0x0A]
  }

  private static func quoted(_ text: String) -> String {
    String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
  }
}

extension SessionRecording {
  /// The whole file.
  public var octets: [UInt8] {
    var lines = SessionLines(header)
    var octets = SessionLines.line(header)
    for entry in entries { octets += lines.line(entry) }
    if let end { octets += SessionLines.line(end) }
    return octets
  }
}

enum LineKind: String {
  case header, attached, detached, packet, step, arrival, departure, end
}

struct SeatMember: Codable {
  var device: String
  var seat: String
}

struct ProfileMember: Codable {
  var path: String
  var text: String
}

struct HeaderLine: Codable {
  var bench: String
  var file: String
  var format: String
  var kind: String
  /// Absent when the scenario names none.
  var profiles: [ProfileMember]?
  /// Absent when no device could come.
  var places: Int?
  var scenario: String
  var seats: [SeatMember]
  var seed: String
  var settings: [String]
  var version: Int
}

struct EndLine: Codable {
  var digest: String
  var ending: String
  var instant: Int64
  var kind: String
}
