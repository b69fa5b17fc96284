public import BluetoothWire
import SimKernel

/// Sees what controllers are about to put on the air, and may take it over or change it.
///
/// It must not call the radio world back. One that takes nothing and changes nothing leaves everything as it is.
public protocol PDUTap: AnyObject {
  /// A new PDU with a payload, or with an LLID that is not that of an empty one, on a connection; before its
  /// encryption, and not when it is sent again.
  /// - Returns: whether the tap takes it over; the controller then goes on as if it had been acknowledged.
  func takes(_ pdu: HostilePDU, on handle: HCI.ConnectionHandle, device: Int) -> Bool

  /// A whole PDU of the advertising channels, header included.
  /// - Returns: what is sent in its place; nil: the PDU itself. Nobody answers a PDU that cannot be read.
  func replacement(forAdvertising pdu: [UInt8], device: Int) -> [UInt8]?
}

/// A PDU of a data channel as a radio sends it that keeps no rule (Core v5.4, Vol 6, Part B, 2.4).
public struct HostilePDU: Hashable, Sendable {
  /// LLID, NESN, SN and MD as the first octet of the header has them. The four flags count where `hasFlags` is set.
  public var flags: UInt8
  /// Without it the link layer sets NESN, SN and MD itself.
  public var hasFlags: Bool
  /// 0 … 255 octets, without the MIC.
  public var payload: [UInt8]

  public init(flags: UInt8, hasFlags: Bool, payload: [UInt8]) {
    self.flags = flags
    self.hasFlags = hasFlags
    self.payload = Array(payload.prefix(255))
  }

  /// What goes on the air for the octets of a PDU with its header: a radio sends as many octets as the header says, and
  /// zeros where there are none.
  public static func wholePDU(_ octets: [UInt8]) -> [UInt8] {
    let length = octets.count > 1 ? Int(octets[1]) : 0
    let payload = octets.dropFirst(2).prefix(length)
    return [octets.first ?? 0, UInt8(length)] + payload + Array(repeating: 0, count: length - payload.count)
  }
}

extension RadioWorld {
  /// Queues a PDU that the controller knows nothing of and that no tap sees; without the link nothing is sent. Flags of
  /// its own count once: when it is sent again they are those of the link.
  public func sendPastTap(_ pdu: HostilePDU, on handle: HCI.ConnectionHandle, device: Int) {
    guard let (c, end) = controllers[device].link(handle) else { return }
    if c.isParked { unpark(c) }
    var outgoing = OutgoingPDU(kind: OutgoingPDU.Kind(llid: pdu.flags), octets: pdu.payload)
    outgoing.isPastTap = true
    if pdu.hasFlags { outgoing.flags = LL.DataHeader(pdu.flags, 0).flags }
    end.enqueue(outgoing)
  }

  /// Whether a tap has taken a PDU; what waited for its acknowledgement has it then.
  func tapTakes(_ pdu: borrowing OutgoingPDU, _ end: LinkEnd, _ c: Connection) -> Bool {
    guard let pduTap, !pdu.isPastTap else { return false }
    let header = LinkHeader(
      kind: pdu.kind, sequenceNumber: end.sequenceNumber, nextExpected: end.nextExpected, moreData: end.hasTraffic)
    let seen = HostilePDU(flags: header.onAir.flags, hasFlags: false, payload: pdu.octets ?? [])
    guard pduTap.takes(seen, on: end.handle, device: end.radio.index) else { return false }
    if pdu.completesPacket { end.controller.with { $0.packetCompleted(end) } }
    return true
  }
}

extension RadioWorld {
  /// What a tap has in place of a PDU of the advertising channels.
  func replacement(forAdvertising pdu: [UInt8], _ radio: Radio) -> [UInt8]? {
    guard let pduTap, let octets = pduTap.replacement(forAdvertising: pdu, device: radio.index) else { return nil }
    return HostilePDU.wholePDU(octets)
  }
}

extension Advertiser.Response {
  /// A hostile device sends something else than this answer.
  mutating func say(_ octets: [UInt8]) {
    pdu = octets
    end = start + SimDuration(nanoseconds: LL.airTime(payloadLength: octets.count - 2, phy: phy))
    switch try? LL.AdvertisingPDU(decoding: octets) {
    case .connectInd(let connect):
      address = connect.initiator
      disguise = Advertiser.Disguise(advertiser: connect.advertiser, connect: connect)
    case .scanReq(let scanner, let advertiser):
      address = scanner
      disguise = Advertiser.Disguise(advertiser: advertiser, connect: nil)
    default: disguise = Advertiser.Disguise()
    }
  }
}

extension LL.ConnectInd {
  /// Whether an advertiser takes it: ranges of Vol 6, Part B, 2.3.3.1 and 4.5; access addresses are not looked at.
  var isAcceptable: Bool {
    let parameters = HCI.ConnectionParameters(
      intervalMinimum: interval, intervalMaximum: interval, peripheralLatency: latency, supervisionTimeout: timeout)
    return parameters.areValid && windowSize > 0 && windowSize <= min(8, interval - 1) && windowOffset <= interval
      && (5...16).contains(hop) && LL.ChannelMap(bits: channelMap).count >= 2
  }
}

extension OutgoingPDU.Kind {
  init(llid: UInt8) { self = Self(rawValue: llid & 0b11) ?? .reserved }
}

extension LinkHeader {
  /// The header as it goes on the air.
  var onAir: LL.DataHeader {
    LL.DataHeader(
      llid: LL.LLID(rawValue: kind.rawValue) ?? .reserved, nesn: nextExpected, sn: sequenceNumber,
      moreData: moreData, length: UInt8(length))
  }

  /// Sets NESN, SN and MD.
  mutating func take(flags: UInt8) {
    let header = LL.DataHeader(flags, 0)
    (nextExpected, sequenceNumber, moreData) = (header.nesn, header.sn, header.moreData)
  }
}
