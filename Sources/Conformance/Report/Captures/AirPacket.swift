import Bench
import BluetoothWire
import CaptureFormats
package import VirtualRadio

/// PDUs of the air as packets of a capture: link type 256, with their real CRC; one that noise or a collision destroyed
/// has a wrong CRC and is marked so.
package struct AirPackets {
  private var directions = AirDirections()

  package init() {}

  /// The next PDU, in the order in which they were on the air.
  package mutating func octets(_ pdu: AirPDU) -> [UInt8] {
    defer { directions.note(pdu) }
    var octets: [UInt8] = []
    octets.reserveCapacity(17 + pdu.pdu.count)
    var header = LEPseudoHeader(
      rfChannel: pdu.rfChannel, signalPower: pdu.rssi == -128 ? nil : pdu.rssi,
      referenceAccessAddress: pdu.accessAddress, pduType: direction(pdu), isLE2M: pdu.phy == .le2M,
      isCRCValid: pdu.fate != .corrupted)
    header.coding = pdu.phy.coding.flatMap { LECoding(rawValue: $0.rawValue) }
    header.auxiliary = auxiliary(pdu)
    if header.auxiliary != nil { header.pduType = .auxiliaryAdvertising }
    header.append(to: &octets)
    for shift: UInt32 in [0, 8, 16, 24] { octets.append(UInt8(truncatingIfNeeded: pdu.accessAddress >> shift)) }
    if let coding = header.coding { octets.append(coding.rawValue) }
    octets.append(contentsOf: pdu.pdu)
    octets.append(contentsOf: LL.crcOctets(pdu: pdu.pdu, initial: pdu.crcInit))
    // The trace does not say which bits were hit; an impossible CRC shows that some were.
    if pdu.fate == .corrupted { octets[octets.count - 1] ^= 0xFF }
    return octets
  }

  /// AUX_CONNECT_RSP has a PDU type of its own.
  private func auxiliary(_ pdu: AirPDU) -> AuxiliaryKind? {
    switch pdu.auxiliary {
    case .auxAdvInd: .advInd
    case .auxChainInd: .chainInd
    case .auxScanRsp: .scanRsp
    case .auxSyncInd, .auxSyncSubeventInd, .auxSyncSubeventRsp: .syncInd
    case .advExtInd, .auxConnectRsp, nil: nil
    }
  }

  private func direction(_ pdu: AirPDU) -> LEPseudoHeader.PDUType {
    switch directions.isFromCentral(pdu) {
    case true?: .centralToPeripheral
    case false?: .peripheralToCentral
    case nil: .advertisingOrUnknown
    }
  }
}
