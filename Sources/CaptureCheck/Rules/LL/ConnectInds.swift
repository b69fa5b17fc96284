import BluetoothWire
import CaptureFormats
import Judging

extension TrafficEvent {
  /// The CONNECT_IND, or AUX_CONNECT_REQ, that a sniffer received whole.
  fileprivate var connectInd: LL.ConnectInd? {
    guard case .air(_, let header, let pdu) = kind, header.accessAddress == LL.advertisingAccessAddress,
      header.isCRCValid == true, pdu.count == 2 + LL.ConnectInd.payloadLength,
      pdu.octet(at: 0) & 0x0F == LL.AdvertisingType.connectInd
    else { return nil }
    return try? LL.ConnectInd(decoding: Array(pdu))
  }
}

/// Spec: Core v5.4, Vol 6, Part B, 2.3.3.1 and 2.3.3.2.
final class ConnectionRequestsHaveTheirLength: TrafficRule {
  static let id = "ConnectionRequestsHaveTheirLength"
  static let claim = "CONNECT_IND and AUX_CONNECT_REQ have 34 octets of payload."
  static let clause = "Core v5.4, Vol 6, Part B, 2.3.3.1"
  static let leavesOpen = "nothing; without a valid CRC, or cut, it is left alone"

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .air

  func observe(_ event: TrafficEvent) {
    guard case .air(_, let header, let pdu) = event.kind, header.accessAddress == LL.advertisingAccessAddress,
      header.isCRCValid == true, pdu.count >= 2, pdu.octet(at: 0) & 0x0F == LL.AdvertisingType.connectInd
    else { return }
    let length = Int(pdu.octet(at: 1))
    guard pdu.count >= 2 + length else { return }
    if length == LL.ConnectInd.payloadLength { return ledger.judged += 1 }
    // A length that is wrong is believed only with the CRC that the air had, or where no other octet was kept, or of
    // the program that sent it: its radio sent no more than this, whatever octets there were.
    if header.crc ?? 0 == 0, pdu.count != 2 + length, !header.isFromTool { return }
    fail(
      event, nil, expected: "\(LL.ConnectInd.payloadLength) octets of payload in a request for a connection",
      actual: "\(length)")
  }
}

/// Spec: Core v5.4, Vol 6, Part B, 2.1.2.
final class AccessAddressesFollowTheRules: TrafficRule {
  static let id = "AccessAddressesFollowTheRules"
  static let claim =
    "A central chooses an access address with the bits that a receiver needs, and not that of advertising."
  static let clause = "Core v5.4, Vol 6, Part B, 2.1.2"
  static let leavesOpen = "nothing; without a valid CRC it is left alone"

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .air

  func observe(_ event: TrafficEvent) {
    guard let request = event.connectInd else { return }
    if LL.isValidAccessAddress(request.accessAddress) { return ledger.judged += 1 }
    fail(
      event, nil,
      expected: "no seven equal bits in a row, at most 24 changes, two of them in the upper six bits, four octets that "
        + "are not equal, and more than one bit beside advertising's",
      actual: "\(request.initiator) chooses \(hexNumber(request.accessAddress, digits: 8))")
  }
}

/// Spec: Core v5.4, Vol 6, Part B, 2.3.3.1 and 4.5.8.2.
final class HopsAreInRange: TrafficRule {
  static let id = "HopsAreInRange"
  static let claim = "The hop of a connection is 5 to 16."
  static let clause = "Core v5.4, Vol 6, Part B, 2.3.3.1"
  static let leavesOpen = "nothing; without a valid CRC it is left alone"

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .air

  func observe(_ event: TrafficEvent) {
    guard let request = event.connectInd else { return }
    if (5...16).contains(request.hop) { return ledger.judged += 1 }
    fail(event, nil, expected: "a hop from 5 to 16", actual: "\(request.initiator) says \(request.hop)")
  }
}

/// Spec: Core v5.4, Vol 6, Part B, 4.5.8.1, 2.3.3.1 and 2.4.2.2.
final class ChannelMapsHaveTwoChannels: TrafficRule {
  static let id = "ChannelMapsHaveTwoChannels"
  static let claim = "Every channel map has at least two used channels, and none beyond the 37 data channels."
  static let clause = "Core v5.4, Vol 6, Part B, 4.5.8.1"
  static let leavesOpen = "the capture begins in the middle of the link or has gaps: it may be encrypted"
  static let layer = RuleLayer.air

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.air, .fragments]

  func observe(_ event: TrafficEvent) {
    guard let request = event.connectInd else { return }
    if let wrong = defect(request.channelMap) { fail(event, nil, expected: Self.expected, actual: wrong) }
  }

  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    guard pdu.fromCentral, pdu.count == 10, ControlOctets(pdu, header)?.opcode == LL.ControlOpcode.channelMapInd else {
      return
    }
    let map = (0..<5).reduce(0) { $0 | UInt64(pdu.octet(at: 3 + $1)) << (8 * UInt64($1)) }
    if pdu.link.mayBeEncrypted { return leaveOpen(pdu.link) }
    if let wrong = defect(map) { fail(pdu, expected: Self.expected, actual: wrong) }
  }

  private static let expected = "two used channels or more among 37"

  /// Nil, and judged, when nothing is wrong.
  private func defect(_ map: UInt64) -> String? {
    let used = (map & 0x1F_FFFF_FFFF).nonzeroBitCount
    if used < 2 || map >> 37 != 0 { return "the central's map \(hexNumber(map, digits: 10)) has \(used)" }
    ledger.judged += 1
    return nil
  }
}

/// Spec: Core v5.4, Vol 6, Part B, 2.3.3.1, 2.4.2.1, 2.4.2.16, 4.5.1 to 4.5.3.
final class AirParametersAreInRange: TrafficRule {
  static let id = "AirParametersAreInRange"
  static let claim = "Connection parameters on the air are in their ranges, and so is the transmit window."
  static let clause = "Core v5.4, Vol 6, Part B, 4.5.1"
  static let leavesOpen = "the capture begins in the middle of the link or has gaps: it may be encrypted"
  static let layer = RuleLayer.air

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.air, .fragments]

  /// What is wrong with parameters; the clause is the rule's own when nil.
  private struct Defect {
    var clause: String?
    var expected: String
    var actual: String
  }

  func observe(_ event: TrafficEvent) {
    guard let request = event.connectInd else { return }
    let parameters = Self.parameters(request.interval, request.latency, request.timeout)
    let defect = Self.defect(parameters, windowSize: request.windowSize, windowOffset: request.windowOffset)
    guard let defect else { return ledger.judged += 1 }
    fail(event, nil, clause: defect.clause, expected: defect.expected, actual: defect.actual)
  }

  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    guard let control = ControlOctets(pdu, header) else { return }
    let defect: Defect?
    switch control.opcode {
    case LL.ControlOpcode.connectionUpdateInd where pdu.count == 14 && pdu.fromCentral:
      defect = Self.defect(
        Self.parameters(pdu.word(at: 6), pdu.word(at: 8), pdu.word(at: 10)), windowSize: pdu.octet(at: 3),
        windowOffset: pdu.word(at: 4))
    case LL.ControlOpcode.connectionParamReq where pdu.count == 26,
      LL.ControlOpcode.connectionParamRsp where pdu.count == 26:
      let parameters = ConnectionParameters(
        intervalMin: pdu.word(at: 3), intervalMax: pdu.word(at: 5), latency: pdu.word(at: 7), timeout: pdu.word(at: 9))
      defect = parameters.defect().map {
        Defect(
          clause: "Core v5.4, Vol 6, Part B, 2.4.2.16", expected: $0, actual: "\(pdu.sender) asks for \(parameters)")
      }
    case LL.ControlOpcode.subrateReq where pdu.count == 13:
      defect = Self.subrateDefect(pdu, least: pdu.word(at: 3), most: pdu.word(at: 5), latency: pdu.word(at: 7))
    case LL.ControlOpcode.subrateInd where pdu.count == 13 && pdu.fromCentral:
      defect = Self.subrateDefect(pdu, least: pdu.word(at: 3), most: pdu.word(at: 3), latency: pdu.word(at: 7))
    default: return
    }
    guard let defect else { return ledger.judged += 1 }
    if pdu.link.mayBeEncrypted { return leaveOpen(pdu.link) }
    fail(pdu, clause: defect.clause, expected: defect.expected, actual: defect.actual)
  }

  /// Both PDUs have continuation number and timeout in one place.
  private static func subrateDefect(_ pdu: TrafficPDU, least: UInt16, most: UInt16, latency: UInt16) -> Defect? {
    let (continuation, timeout) = (pdu.word(at: 9), pdu.word(at: 11))
    if least >= 1, least <= most, Int(most) * (Int(latency) + 1) <= 500, continuation < most,
      (10...3_200).contains(timeout)
    {
      return nil
    }
    let factors = least == most ? "\(most)" : "\(least) to \(most)"
    return Defect(
      clause: "Core v5.4, Vol 6, Part B, 4.5.1",
      expected: "a factor of at least 1, factor · (latency + 1) ≤ 500, a continuation number below the factor, and a "
        + "timeout from 10 to 3200",
      actual: "\(pdu.sender) says factor \(factors), latency \(latency), continuation number \(continuation), timeout "
        + "\(timeout)")
  }

  private static func parameters(_ interval: UInt16, _ latency: UInt16, _ timeout: UInt16) -> ConnectionParameters {
    ConnectionParameters(intervalMin: interval, intervalMax: interval, latency: latency, timeout: timeout)
  }

  private static func defect(
    _ parameters: ConnectionParameters, windowSize: UInt8, windowOffset: UInt16
  ) -> Defect? {
    if let defect = parameters.defect() { return Defect(expected: defect, actual: "the central says \(parameters)") }
    // 1.25 ms up to the lesser of 10 ms and 1.25 ms below the interval (4.5.3).
    let interval = parameters.intervalMin
    let most = min(8, Int(interval) - 1)
    if windowSize >= 1, Int(windowSize) <= most, windowOffset <= interval { return nil }
    return Defect(
      clause: "Core v5.4, Vol 6, Part B, 4.5.3",
      expected: "a transmit window of 1 to \(most) units, at most \(interval) units late",
      actual: "the central says \(windowSize) units, \(windowOffset) late")
  }
}
