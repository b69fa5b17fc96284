/// How a packet's text becomes the values of a characteristic.
///
/// Spec: BAB 3.1, 3.20, 3.21.
public enum Framing: String, Hashable, Sendable, CaseIterable {
  /// A four-octet header and a body that fits the ATT_MTU.
  case framed
  /// No header: the text is cut every 182 octets, whatever the ATT_MTU. Only a packet of one chunk can be received.
  case raw
  /// As `framed`, with the published SDK's fault: bodies of 181 octets whatever the ATT_MTU, so that a full value has
  /// 185 octets and does not fit an ATT_MTU of 185.
  case framedOverlong = "framed-overlong"
}

/// One value of the `framed` framing, taken apart.
///
/// Spec: BAB 3.2. Layout: `packetID: 2, big-endian | fragmentIndex: 1 | fragmentCount: 1 | body`.
public struct FragmentHeader: Hashable, Sendable {
  public static let octets = 4

  public var packetID: UInt16
  public var index: UInt8
  public var count: UInt8

  public init(packetID: UInt16, index: UInt8, count: UInt8) {
    self.packetID = packetID
    self.index = index
    self.count = count
  }

  /// Nil when the value is too short to have a header; nothing else is checked.
  public init?(_ value: [UInt8]) {
    guard value.count >= Self.octets else { return nil }
    self.init(packetID: UInt16(value[0]) << 8 | UInt16(value[1]), index: value[2], count: value[3])
  }

  /// Gives a value that has a header another packetID.
  static func setPacketID(_ packetID: UInt16, _ value: inout [UInt8]) {
    value[0] = UInt8(packetID >> 8)
    value[1] = UInt8(packetID & 0xFF)
  }
}

/// Why a packet cannot be sent at all.
public enum FragmentationError: Error, Hashable, Sendable {
  /// An ATT_MTU that leaves no room for a body; at least 8 is needed.
  case attMTUTooSmall(Int)
  /// More fragments than the count octet can say.
  case tooManyFragments(Int)
}

extension FragmentationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .attMTUTooSmall(let attMTU): "ATT_MTU \(attMTU) leaves no room for a fragment"
    case .tooManyFragments(let count):
      "packet needs \(count) fragments, at most \(Fragmenter.fragmentLimit) can be sent"
    }
  }
}
