import BluetoothWire
import CaptureCheck
import CaptureFormats
import Conformance
import SimKernel
import VirtualRadio

/// PDUs on the air in words, as `babbench inspect` has them.
struct AirWords {
  private let inspector: PacketInspector
  private var directions = AirDirections()

  /// - Parameter isVerbose: all layers with their fields, too.
  init(_ app: AppProtocol, isVerbose: Bool = true) {
    let protocols = app.traffic.map { [$0] } ?? []
    var style = PacketInspector.Style()
    style.isVerbose = isVerbose
    inspector = PacketInspector(filter: InspectFilter(), style: style, protocols: protocols)
  }

  /// - Parameter number: 1 for the first PDU of the run.
  mutating func words(_ pdu: AirPDU, number: Int) -> RunTimeline.PDU {
    var header = AirHeader(accessAddress: pdu.accessAddress)
    header.crc = LL.crc24(pdu: pdu.pdu, initial: pdu.crcInit) ^ (pdu.fate == .corrupted ? 0xFF : 0)
    header.isCRCValid = pdu.fate != .corrupted
    header.rfChannel = pdu.rfChannel
    header.isFromCentral = directions.isFromCentral(pdu)
    header.isLE2M = pdu.phy == .le2M
    header.coding = pdu.phy.coding.flatMap { LECoding(rawValue: $0.rawValue) }
    header.signalPower = pdu.rssi == -128 ? nil : pdu.rssi
    directions.note(pdu)
    let record = CaptureRecord(
      number: number, link: .leLinkLayerWithHeader, nanoseconds: pdu.start.nanoseconds,
      originalLength: pdu.pdu.count, body: .air(header), octets: pdu.pdu[...])
    let fate: RunTimeline.PDU.Fate =
      switch pdu.fate {
      case .received: .received
      case .corrupted: .corrupted
      case .unheard: .unheard
      }
    let words = inspector.words(record, file: 0, at: pdu.start)
    return RunTimeline.PDU(
      start: pdu.start, duration: pdu.duration, transmitter: pdu.transmitter, receiver: pdu.receiver ?? -1,
      rfChannel: Int(pdu.rfChannel), fate: fate, words: words.headline, tree: words.tree, octets: pdu.pdu,
      octetCount: pdu.pdu.count, number: number)
  }
}
