import BluetoothWire
import SimKernel

extension AirMessage {
  /// Reads a whole message of a program. Nil: it is none, or says what it must not; `tag(of:)` tells whom to answer.
  ///
  /// Refuses: another indicator or code, a length that is not that of the rest, fewer octets than the fields take, a
  /// PDU whose length field is not that of its payload, a channel index beyond 39, a PHY that there is not.
  package init?(ofProgram octets: [UInt8]) {
    guard octets.count >= Self.headerLength, octets[0] == Self.indicator,
      Int(octets[2]) | Int(octets[3]) << 8 == octets.count - Self.headerLength
    else { return nil }
    var rest = AirOctets(octets.dropFirst(Self.headerLength))
    switch octets[1] {
    case 0x01: self = .listen(rest.filter())
    case 0x02:
      let tag = UInt16(rest.number(2))
      let nanoseconds = rest.number(8)
      guard let packet = rest.packet(), !packet.isRepeated, packet.isComplete else { return nil }
      self = .send(tag: tag, at: SimInstant(nanoseconds: Int64(nanoseconds & (1 << 62 - 1))), packet)
    case 0x03:
      let tag = UInt16(rest.number(2))
      let length = Int(rest.number(1))
      guard length <= AirPattern.maximumLength else { return nil }
      let pattern = AirPattern(mask: rest.octets(length), octets: rest.octets(length))
      guard let packet = rest.packet() else { return nil }
      self = .answer(tag: tag, to: pattern, packet)
    case 0x04: self = .forget(tag: UInt16(rest.number(2)))
    default: return nil
    }
    if rest.isShort || !rest.isEmpty { return nil }
  }

  /// The tag in a message that cannot be read; FFFF where there is none.
  package static func tag(of octets: [UInt8]) -> UInt16 {
    octets.count < headerLength + 2 || octets[1] == 0x01 ? 0xFFFF : UInt16(octets[4]) | UInt16(octets[5]) << 8
  }

  /// The message in the octets of the stream.
  package var encoded: [UInt8] {
    switch self {
    case .listen(let filter):
      Self.framed(
        0x01,
        Self.octets(filter.channels, 5) + [filter.phys]
          + filter.accessAddresses.flatMap { Self.octets(UInt64($0), 4) })
    case .send(let tag, let instant, let packet):
      Self.framed(
        0x02, Self.octets(UInt64(tag), 2) + Self.octets(UInt64(bitPattern: instant.nanoseconds), 8) + packet.encoded)
    case .answer(let tag, let pattern, let packet):
      Self.framed(
        0x03,
        Self.octets(UInt64(tag), 2) + [UInt8(pattern.mask.count)] + pattern.mask + pattern.octets + packet.encoded)
    case .forget(let tag): Self.framed(0x04, Self.octets(UInt64(tag), 2))
    case .heard(let start, let duration, let rssi, let isValid, let packet):
      Self.framed(
        0x81,
        Self.times(start, duration) + [packet.channelIndex, packet.phy]
          + Self.octets(UInt64(packet.accessAddress), 4) + [UInt8(bitPattern: rssi), isValid ? 1 : 0] + packet.pdu)
    case .done(let tag, let status, let start, let duration):
      Self.framed(0x82, Self.octets(UInt64(tag), 2) + [status.rawValue] + Self.times(start, duration))
    }
  }

  private static func framed(_ code: UInt8, _ parameters: [UInt8]) -> [UInt8] {
    [indicator, code] + octets(UInt64(parameters.count), 2) + parameters
  }

  private static func times(_ start: SimInstant, _ duration: SimDuration) -> [UInt8] {
    octets(UInt64(bitPattern: start.nanoseconds), 8) + octets(UInt64(bitPattern: duration.nanoseconds), 4)
  }

  fileprivate static func octets(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}

extension AirPacket {
  fileprivate var encoded: [UInt8] {
    [channelIndex, phy] + AirMessage.octets(UInt64(accessAddress), 4) + AirMessage.octets(UInt64(crcInit), 3) + [flags]
      + pdu
  }

  /// It says its channel and its PHY itself.
  fileprivate var isComplete: Bool { channelIndex < 40 && LL.AirPHY(rawValue: phy) != nil }
}

/// The parameters of a message, from their beginning; zeros where there are no more.
private struct AirOctets {
  private var rest: ArraySlice<UInt8>
  /// Something was asked for that is not there.
  private(set) var isShort = false

  init(_ octets: ArraySlice<UInt8>) { rest = octets }

  var isEmpty: Bool { rest.isEmpty }

  mutating func octets(_ count: Int) -> [UInt8] {
    if rest.count < count { isShort = true }
    let taken = Array(rest.prefix(count))
    rest = rest.dropFirst(count)
    return taken + Array(repeating: 0, count: count - taken.count)
  }

  mutating func number(_ count: Int) -> UInt64 { octets(count).reversed().reduce(0) { $0 << 8 | UInt64($1) } }

  mutating func filter() -> AirFilter {
    var filter = AirFilter()
    filter.channels = number(5)
    filter.phys = UInt8(number(1))
    while !rest.isEmpty, !isShort {
      filter.accessAddresses.append(UInt32(number(4)))
      if filter.accessAddresses.count > AirFilter.maximumAddresses { isShort = true }
    }
    return filter
  }

  /// The rest of the message. Nil: it is no PDU that a radio can send.
  mutating func packet() -> AirPacket? {
    let (channelIndex, phy) = (UInt8(number(1)), UInt8(number(1)))
    let accessAddress = UInt32(number(4))
    let crcInit = UInt32(number(3))
    let flags = UInt8(number(1))
    let pdu = octets(rest.count)
    guard pdu.count >= 2, Int(pdu[1]) == pdu.count - 2, channelIndex < 40 || channelIndex == 0xFF,
      phy == 0 || LL.AirPHY(rawValue: phy) != nil
    else { return nil }
    var packet = AirPacket(channelIndex: channelIndex, phy: .le1M, accessAddress: accessAddress, pdu: pdu)
    (packet.phy, packet.crcInit, packet.flags) = (phy, crcInit, flags & 3)
    return packet
  }
}
