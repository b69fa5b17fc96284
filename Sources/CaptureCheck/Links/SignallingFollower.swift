public import BluetoothWire

/// A credit-based channel of a link: frames on it are its users' own, whatever they look like.
///
/// Spec: Core v5.4, Vol 3, Part A, 4.22 to 4.26. The channels of Enhanced ATT (SPSM 0x0027) are known, their PDUs are
/// not decoded.
public struct CreditBasedChannel: Hashable, Sendable {
  /// The service that it was opened for.
  public internal(set) var spsm: UInt16
  /// The endpoint of each side: frames to the central carry the central's.
  public internal(set) var centralEnd: L2CAP.ChannelID
  public internal(set) var peripheralEnd: L2CAP.ChannelID

  /// A request that waits for its answer.
  struct Opening {
    var identifier: UInt8
    var isFromCentral: Bool
    var spsm: UInt16
    var sources: [UInt16]
  }

  mutating func turnRound() { swap(&centralEnd, &peripheralEnd) }
}

/// Credit-based channels as the signalling channel opens and closes them.
enum SignallingFollower {
  private static let refused: UInt16 = 0

  static func follow(_ octets: ArraySlice<UInt8>, _ link: TrafficLink, fromCentral: Bool) {
    let fields = OctetFields(octets)
    guard fields.count >= 4, fields.count == 4 + Int(fields.u16(2)) else { return }
    let identifier = fields.u8(1)
    switch fields.u8(0) {
    case 0x14 where fields.count == 14:
      request(link, identifier, fromCentral, spsm: fields.u16(4), sources: [fields.u16(6)])
    case 0x17 where fields.count >= 14:
      let sources = stride(from: 12, through: min(fields.count - 2, 20), by: 2).map { fields.u16($0) }
      request(link, identifier, fromCentral, spsm: fields.u16(4), sources: sources)
    case 0x15 where fields.count == 14: open(link, identifier, fromCentral, [fields.u16(4)])
    case 0x18 where fields.count >= 12:
      open(
        link, identifier, fromCentral,
        stride(from: 12, through: min(fields.count - 2, 20), by: 2).map { fields.u16($0) })
    case 0x06 where fields.count == 8:
      close(link, fromCentral, destination: fields.u16(4), source: fields.u16(6))
    default: break
    }
  }

  private static func request(
    _ link: TrafficLink, _ identifier: UInt8, _ fromCentral: Bool, spsm: UInt16, sources: [UInt16]
  ) {
    link.openingChannels.removeAll { $0.identifier == identifier && $0.isFromCentral == fromCentral }
    if link.openingChannels.count == TrafficLimits.channels { link.openingChannels.removeFirst() }
    link.openingChannels.append(
      CreditBasedChannel.Opening(identifier: identifier, isFromCentral: fromCentral, spsm: spsm, sources: sources))
  }

  private static func open(_ link: TrafficLink, _ identifier: UInt8, _ fromCentral: Bool, _ destinations: [UInt16]) {
    let place = link.openingChannels.firstIndex { $0.identifier == identifier && $0.isFromCentral != fromCentral }
    guard let place else { return }
    let opening = link.openingChannels.remove(at: place)
    // An endpoint of 0 was refused.
    for (source, destination) in zip(opening.sources, destinations) where destination != refused {
      let theirs = L2CAP.ChannelID(rawValue: source)
      let ours = L2CAP.ChannelID(rawValue: destination)
      link.creditBasedChannels.removeAll {
        (fromCentral ? $0.peripheralEnd : $0.centralEnd) == theirs
          || (fromCentral ? $0.centralEnd : $0.peripheralEnd) == ours
      }
      guard link.creditBasedChannels.count < TrafficLimits.channels else { return }
      link.creditBasedChannels.append(
        CreditBasedChannel(
          spsm: opening.spsm, centralEnd: fromCentral ? ours : theirs, peripheralEnd: fromCentral ? theirs : ours))
    }
  }

  /// The sender names the receiver's endpoint first, then its own.
  private static func close(_ link: TrafficLink, _ fromCentral: Bool, destination: UInt16, source: UInt16) {
    let central = L2CAP.ChannelID(rawValue: fromCentral ? source : destination)
    let peripheral = L2CAP.ChannelID(rawValue: fromCentral ? destination : source)
    link.creditBasedChannels.removeAll { $0.centralEnd == central && $0.peripheralEnd == peripheral }
  }
}
