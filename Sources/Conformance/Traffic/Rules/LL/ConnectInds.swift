import BluetoothWire
import CaptureFormats

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
      actual: "\(request.initiator) chooses \(RuleText.hex(request.accessAddress, digits: 8))")
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
  static let leavesOpen = "nothing; encrypted ones are left alone"
  static let layer = RuleLayer.air

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.air, .fragments]

  func observe(_ event: TrafficEvent) {
    if case .fragment(let link, let fromCentral, _, let octets) = event.kind {
      guard let pdu = ControlOctets(event), fromCentral, pdu.opcode == LL.ControlOpcode.channelMapInd,
        octets.count == 10
      else { return }
      judge(event, link, (0..<5).reduce(0) { $0 | UInt64(octets.octet(at: 3 + $1)) << (8 * UInt64($1)) })
    } else if let request = event.connectInd {
      judge(event, nil, request.channelMap)
    }
  }

  private func judge(_ event: TrafficEvent, _ link: TrafficLink?, _ map: UInt64) {
    let used = (map & 0x1F_FFFF_FFFF).nonzeroBitCount
    if used >= 2, map >> 37 == 0 { return ledger.judged += 1 }
    fail(
      event, link, expected: "two used channels or more among 37",
      actual: "the central's map \(RuleText.hex(map, digits: 10)) has \(used)")
  }
}

/// Spec: Core v5.4, Vol 6, Part B, 2.3.3.1, 2.4.2.1, 2.4.2.16, 4.5.1 to 4.5.3.
final class AirParametersAreInRange: TrafficRule {
  static let id = "AirParametersAreInRange"
  static let claim = "Connection parameters on the air are in their ranges, and so is the transmit window."
  static let clause = "Core v5.4, Vol 6, Part B, 4.5.1"
  static let leavesOpen = "nothing; encrypted ones are left alone"
  static let layer = RuleLayer.air

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.air, .fragments]

  func observe(_ event: TrafficEvent) {
    if case .fragment(let link, let fromCentral, _, let octets) = event.kind {
      guard let pdu = ControlOctets(event) else { return }
      control(event, link, fromCentral: fromCentral, pdu.opcode, octets)
    } else if let request = event.connectInd {
      judge(
        event, nil, Parameters(interval: request.interval, latency: request.latency, timeout: request.timeout),
        windowSize: request.windowSize, windowOffset: request.windowOffset)
    }
  }

  private struct Parameters {
    var interval: UInt16
    var latency: UInt16
    var timeout: UInt16
  }

  private func control(
    _ event: TrafficEvent, _ link: TrafficLink, fromCentral: Bool, _ opcode: UInt8, _ octets: ArraySlice<UInt8>
  ) {
    switch opcode {
    case LL.ControlOpcode.connectionUpdateInd where octets.count == 14 && fromCentral:
      judge(
        event, link,
        Parameters(interval: octets.word(at: 6), latency: octets.word(at: 8), timeout: octets.word(at: 10)),
        windowSize: octets.octet(at: 3), windowOffset: octets.word(at: 4))
    case LL.ControlOpcode.connectionParamReq where octets.count == 26,
      LL.ControlOpcode.connectionParamRsp where octets.count == 26:
      let parameters = ConnectionParameters(
        intervalMin: octets.word(at: 3), intervalMax: octets.word(at: 5), latency: octets.word(at: 7),
        timeout: octets.word(at: 9))
      guard let defect = parameters.defect() else { return ledger.judged += 1 }
      fail(
        event, link, clause: "Core v5.4, Vol 6, Part B, 2.4.2.16", expected: defect,
        actual: "\(RuleText.side(fromCentral: fromCentral)) asks for \(parameters)")
    default: break
    }
  }

  private func judge(
    _ event: TrafficEvent, _ link: TrafficLink?, _ values: Parameters, windowSize: UInt8, windowOffset: UInt16
  ) {
    let parameters = ConnectionParameters(
      intervalMin: values.interval, intervalMax: values.interval, latency: values.latency, timeout: values.timeout)
    if let defect = parameters.defect() {
      return fail(event, link, expected: defect, actual: "the central says \(parameters)")
    }
    // 1.25 ms up to the lesser of 10 ms and 1.25 ms below the interval (4.5.3).
    let most = min(8, Int(values.interval) - 1)
    if windowSize >= 1, Int(windowSize) <= most, windowOffset <= values.interval { return ledger.judged += 1 }
    fail(
      event, link, clause: "Core v5.4, Vol 6, Part B, 4.5.3",
      expected: "a transmit window of 1 to \(most) units, at most \(values.interval) units late",
      actual: "the central says \(windowSize) units, \(windowOffset) late")
  }
}
