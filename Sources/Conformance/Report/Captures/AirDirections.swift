import BluetoothWire
package import VirtualRadio

/// Which end of its connection sent a PDU, told from the CONNECT_INDs before it.
package struct AirDirections {
  /// Who made a connection.
  private struct Central {
    var accessAddress: UInt32
    var device: Int
  }

  /// Far more links than the devices of a lobby can have at a time; older ones are gone.
  private static let limit = 256
  private var centrals: [Central] = []

  package init() {}

  /// Nil on the advertising channels, and on connections whose beginning was not noted.
  package func isFromCentral(_ pdu: AirPDU) -> Bool? {
    if pdu.accessAddress == LL.advertisingAccessAddress { return nil }
    return centrals.last { $0.accessAddress == pdu.accessAddress }.map { $0.device == pdu.transmitter }
  }

  /// To be called for every PDU, after the question about it.
  package mutating func note(_ pdu: AirPDU) {
    guard pdu.accessAddress == LL.advertisingAccessAddress, let first = pdu.pdu.first,
      first & 0x0F == LL.AdvertisingType.connectInd, let request = try? LL.ConnectInd(decoding: pdu.pdu)
    else { return }
    if centrals.count == Self.limit { centrals.removeFirst(Self.limit / 2) }
    centrals.append(Central(accessAddress: request.accessAddress, device: pdu.transmitter))
  }
}
