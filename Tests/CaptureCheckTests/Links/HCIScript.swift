import BluetoothWire
import CaptureFormats
import Expectations
import SimKernel

@testable import CaptureCheck

/// Writes down what a reader tells.
final class TrafficRecorder: TrafficObserver {
  let interests: TrafficEvent.Interests = [
    .links, .att, .frames, .fragments, .gaps, .commands, .events, .advertisements, .asides, .foreign,
  ]
  private(set) var events: [TrafficEvent] = []
  private(set) var att: [(number: Int, link: Int, fromCentral: Bool, octets: [UInt8])] = []
  private(set) var end: SimInstant?

  /// What is noted of an event at its time, before later ones change its link.
  var onEvent: (TrafficEvent) -> String? = { _ in nil }
  private(set) var notes: [String] = []

  func observe(_ event: TrafficEvent) {
    events.append(event)
    if let note = onEvent(event) { notes.append(note) }
  }
  func observe(att pdu: TrafficPDU) {
    att.append((pdu.place.number, pdu.link.index, pdu.fromCentral, Array(pdu.octets)))
  }
  func finish(at end: SimInstant) { self.end = end }

  var gaps: [TrafficGap] { events.compactMap { if case .gap(_, _, let gap) = $0.kind { gap } else { nil } } }
  var foreign: [TrafficForeign] {
    events.compactMap { if case .foreign(_, _, let why, _) = $0.kind { why } else { nil } }
  }
  var changes: [TrafficLink.Change] {
    events.compactMap { if case .linkChanged(_, let change) = $0.kind { change } else { nil } }
  }
  var advertisements: [TrafficAdvertisement] {
    events.compactMap { if case .advertisement(let advertisement) = $0.kind { advertisement } else { nil } }
  }
  /// "opened 0", "closed 0 13", "closed 0".
  var lives: [String] {
    events.compactMap {
      switch $0.kind {
      case .linkOpened(let link): "opened \(link.index)"
      case .linkClosed(let link, let reason):
        "closed \(link.index)" + (reason.map { " " + String($0.rawValue, radix: 16) } ?? "")
      default: nil
      }
    }
  }
}

/// An HCI conversation, octet by octet as a capture has it.
final class HCIScript {
  let recorder = TrafficRecorder()
  let reader: TrafficReader
  private var number = 0
  /// What passes beside a microsecond for each record.
  var pause = SimDuration.zero
  var adapter: UInt16 = 0

  init() { reader = TrafficReader(observers: [recorder]) }

  var links: [TrafficLink] { reader.links }

  private func record(_ body: CaptureBody, _ octets: [UInt8]) {
    number += 1
    reader.read(
      CaptureRecord(
        number: number, link: .h4, nanoseconds: 0, originalLength: octets.count, body: body,
        octets: octets[...]), file: 0, at: SimInstant(nanoseconds: Int64(number) * 1_000) + pause)
  }

  /// Code and parameters; the length is put in.
  func event(_ text: String) {
    let octets = [UInt8].hex(text)
    record(
      .hci(adapter: adapter, indicator: 4, isToHost: true),
      [octets[0], UInt8(octets.count - 1)] + octets.dropFirst())
  }

  /// Opcode (most significant octet first, as people write it) and parameters.
  func command(_ opcode: UInt16, _ text: String = "") {
    let octets = [UInt8].hex(text)
    record(
      .hci(adapter: adapter, indicator: 1, isToHost: false),
      [UInt8(opcode & 0xFF), UInt8(opcode >> 8), UInt8(octets.count)] + octets)
  }

  /// A command and its Command Complete with status 0.
  func done(_ opcode: UInt16, _ text: String = "", returns: String = "") {
    command(opcode, text)
    event("0E 01" + Self.text(opcode) + "00" + returns)
  }

  /// ACL data as it is, with its length.
  func acl(_ handle: UInt16, toHost: Bool?, boundary: UInt16? = nil, length: Int? = nil, _ text: String) {
    let octets = [UInt8].hex(text)
    let field = handle | (boundary ?? (toHost == true ? 2 : 0)) << 12
    let count = length ?? octets.count
    record(
      .hci(adapter: adapter, indicator: 2, isToHost: toHost),
      [UInt8(field & 0xFF), UInt8(field >> 8), UInt8(count & 0xFF), UInt8(count >> 8)] + octets)
  }

  /// A frame of one channel in one fragment.
  func frame(_ handle: UInt16, toHost: Bool, channel: UInt16, _ text: String) {
    let count = UInt16([UInt8].hex(text).count)
    acl(handle, toHost: toHost, Self.text(count) + Self.text(channel) + text)
  }

  func att(_ handle: UInt16, toHost: Bool, _ text: String) { frame(handle, toHost: toHost, channel: 4, text) }

  func monitor(_ opcode: UInt16, _ text: String = "") {
    record(.monitor(adapter: adapter, opcode: opcode), [UInt8].hex(text))
  }

  /// LE Connection Complete with a public peer that ends in `peer`, 30 ms, latency 0, 5 s.
  func connect(_ handle: UInt16, role: UInt8 = 0, peer: UInt8 = 0x01) {
    event("3E 01 00" + Self.text(handle) + Self.text(role) + "00" + Self.text(peer) + "5544332211 1800 0000 F401 00")
  }

  func disconnect(_ handle: UInt16, reason: UInt8 = 0x13) { event("05 00" + Self.text(handle) + Self.text(reason)) }

  static func text(_ value: UInt8) -> String { (value < 16 ? "0" : "") + String(value, radix: 16) }
  static func text(_ value: UInt16) -> String { text(UInt8(value & 0xFF)) + text(UInt8(value >> 8)) }
}
