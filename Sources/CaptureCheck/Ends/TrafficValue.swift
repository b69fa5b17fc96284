public import BluetoothWire

/// The value of a characteristic as one PDU carries it.
public struct TrafficValue: Hashable {
  public enum Carrier: Hashable {
    case notification, indication, writeCommand, writeRequest
  }

  public var carrier: Carrier
  public var handle: ATT.Handle
  public var octets: ArraySlice<UInt8>

  /// Whether the server sends it; a client does otherwise.
  public var isFromServer: Bool { carrier == .notification || carrier == .indication }

  /// The values in an ATT PDU; nil when it carries none. Spec: Core v5.4, Vol 3, Part F, 3.4.5 and 3.4.7.
  ///
  /// Not read: prepared and signed writes, which no protocol here uses.
  public static func values(in pdu: ArraySlice<UInt8>) -> [TrafficValue]? {
    guard let opcode = pdu.first, pdu.count >= 3 else { return nil }
    let carrier: Carrier
    switch opcode {
    case 0x1B: carrier = .notification
    case 0x1D: carrier = .indication
    case 0x12: carrier = .writeRequest
    case 0x52: carrier = .writeCommand
    case 0x23: return several(in: pdu.dropFirst())
    default: return nil
    }
    return [TrafficValue(carrier: carrier, handle: handle(pdu.dropFirst()), octets: pdu.dropFirst(3))]
  }

  /// Handle, length, value, and again; a tuple that is cut off is left out.
  private static func several(in tuples: ArraySlice<UInt8>) -> [TrafficValue] {
    var rest = tuples
    var values: [TrafficValue] = []
    while rest.count >= 4 {
      let length = Int(rest[rest.startIndex + 2]) | Int(rest[rest.startIndex + 3]) << 8
      guard rest.count >= 4 + length else { break }
      let octets = rest.dropFirst(4).prefix(length)
      values.append(TrafficValue(carrier: .notification, handle: handle(rest), octets: octets))
      rest = rest.dropFirst(4 + length)
    }
    return values
  }

  private static func handle(_ octets: ArraySlice<UInt8>) -> ATT.Handle {
    ATT.Handle(UInt16(octets[octets.startIndex]) | UInt16(octets[octets.startIndex + 1]) << 8)
  }
}
