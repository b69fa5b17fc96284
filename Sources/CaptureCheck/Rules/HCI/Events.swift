import BluetoothWire
import Judging
import SimKernel
/// Spec: Core v5.4, Vol 4, Part E, 7.7.
final class EventsHaveTheirLength: TrafficRule {
  static let id = "EventsHaveTheirLength"
  static let claim = "An event has as many parameters as its code and its own counts say."
  static let clause = "Core v5.4, Vol 4, Part E, 7.7"
  static let leavesOpen = "nothing; LE Advertising Report with several reports is left alone"

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .events

  func observe(event: TrafficHCIEvent) {
    let code = event.code
    let fields = event.parameters
    guard let expected = Self.length(code, fields) else { return }
    if fields.count == expected { return ledger.judged += 1 }
    let subevent = code == 0x3E ? ", subevent \(hexNumber(fields.first ?? 0, digits: 2))" : ""
    fail(
      event, nil, expected: "\(CountedNoun.text(expected, "octet")) of parameters",
      actual: "event \(hexNumber(code, digits: 2))\(subevent) has \(fields.count)")
  }

  /// Nil where it may be anything, or is not known.
  private static func length(_ code: UInt8, _ fields: ArraySlice<UInt8>) -> Int? {
    switch code {
    case 0x13: return 1 + 4 * Int(fields.first ?? 0)
    case 0x05, 0x08, 0x0F: return 4
    case 0x0C: return 8
    case 0x0E: return fields.count < 3 ? 3 : nil
    case 0x10: return 1
    case 0x30: return 3
    case 0x3E: break
    default: return nil
    }
    guard let subevent = fields.first else { return 1 }
    switch subevent {
    case 0x01: return 19
    case 0x02: return reports(fields)
    case 0x03: return 10
    case 0x04: return 12
    case 0x05: return 13
    case 0x06, 0x07: return 11
    case 0x0A: return 31
    case 0x0C: return 6
    case 0x14: return 4
    default: return nil
    }
  }

  /// LE Advertising Report (7.7.65.2): `Type, Address type, Address: 6, Length, Data, RSSI`, one after the other as
  /// every controller sends them. The layout of several at once is disputed, so they are not judged.
  private static func reports(_ fields: ArraySlice<UInt8>) -> Int? {
    guard fields.count >= 11, fields.octet(at: 1) == 1 else { return nil }
    return 12 + Int(fields.octet(at: 10))
  }
}

/// Spec: Core v5.4, Vol 4, Part E, 7.8.12, 7.8.18, 7.8.66, 7.7.65.1 and 7.7.65.3.
final class ConnectionParametersAreInRange: TrafficRule {
  static let id = "ConnectionParametersAreInRange"
  static let claim =
    "Connection parameters at the HCI are in their ranges, and the timeout outlasts latency and interval."
  static let clause = "Core v5.4, Vol 4, Part E, 7.8.12"
  static let leavesOpen = "nothing"
  static let eventCodes = OpcodeSet(0x3E)

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.commands, .events]

  func observe(_ event: TrafficEvent) {
    guard case .command(_, let opcode, let fields) = event.kind else { return }
    let moment = event.moment
    switch opcode.rawValue {
    case 0x200D where fields.count >= 21: judge(moment, fields, at: 13, Self.clause, "the host")
    case 0x2013 where fields.count >= 10: judge(moment, fields, at: 2, "Core v5.4, Vol 4, Part E, 7.8.18", "the host")
    case 0x2020 where fields.count >= 10: judge(moment, fields, at: 2, "Core v5.4, Vol 4, Part E, 7.8.31", "the host")
    case 0x2043 where fields.count >= 10:
      for offset in stride(from: 10, through: fields.count - 16, by: 16) {
        judge(moment, fields, at: offset + 4, "Core v5.4, Vol 4, Part E, 7.8.66", "the host")
      }
    default: break
    }
  }

  func observe(event: TrafficHCIEvent) {
    let fields = event.parameters
    guard fields.count >= 10 else { return }
    let isDone = fields.octet(at: 1) == 0
    switch fields.octet(at: 0) {
    case 0x01 where isDone && fields.count >= 18: judge(event.moment, fields, single: 12, "7.7.65.1")
    case 0x0A where isDone && fields.count >= 30: judge(event.moment, fields, single: 24, "7.7.65.10")
    case 0x29 where isDone && fields.count >= 30: judge(event.moment, fields, single: 24, "7.7.65.10")
    case 0x03 where isDone: judge(event.moment, fields, single: 4, "7.7.65.3")
    case 0x06 where fields.count >= 11:
      judge(event.moment, fields, at: 3, "Core v5.4, Vol 4, Part E, 7.7.65.6", "the peer")
    default: break
    }
  }

  private func judge(_ moment: TrafficMoment, _ fields: ArraySlice<UInt8>, single offset: Int, _ clause: String) {
    let interval = fields.word(at: offset)
    let parameters = ConnectionParameters(
      intervalMin: interval, intervalMax: interval, latency: fields.word(at: offset + 2),
      timeout: fields.word(at: offset + 4))
    judge(moment, parameters, "Core v5.4, Vol 4, Part E, " + clause, "the controller")
  }

  private func judge(
    _ moment: TrafficMoment, _ fields: ArraySlice<UInt8>, at offset: Int, _ clause: String, _ who: String
  ) {
    let parameters = ConnectionParameters(
      intervalMin: fields.word(at: offset), intervalMax: fields.word(at: offset + 2),
      latency: fields.word(at: offset + 4), timeout: fields.word(at: offset + 6))
    judge(moment, parameters, clause, who)
  }

  private func judge(_ moment: TrafficMoment, _ parameters: ConnectionParameters, _ clause: String, _ who: String) {
    guard let defect = parameters.defect() else { return ledger.judged += 1 }
    fail(at: moment, nil, clause: clause, expected: defect, actual: "\(who) says \(parameters)")
  }
}
