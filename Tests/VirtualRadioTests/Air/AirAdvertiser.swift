import BluetoothWire
import RadioLaws
import SimKernel

@testable import VirtualRadio

/// A program that advertises as a lower tester does: chains of extended PDUs on one channel of each kind.
extension AirProgram {
  static let advertiser = BluetoothAddress(kind: .publicDevice, bits: 0x4567_89AB_CDEF)
  /// Where everything that an AuxPtr leads to is.
  static let secondary: UInt8 = 5

  /// A PDU that points at one that starts so much later, and the instant of that.
  func pointing(_ pdu: LL.ExtendedPDU, after span: SimDuration, on phy: HCI.PHY = .le1M) -> LL.ExtendedPDU {
    var pdu = pdu
    pdu.pointer = LL.ExtendedPDU.Pointer(to: Self.secondary, after: span.nanoseconds, isAccurate: true, phy: phy)
    return pdu
  }

  /// ADV_EXT_IND on channel 37, and AUX_ADV_IND with its chain.
  /// - Returns: the start of AUX_ADV_IND.
  @discardableResult
  func advertise(_ pdu: LL.ExtendedPDU, data: [UInt8] = [], did: UInt16 = 1, on phy: LL.AirPHY = .le1M) -> SimInstant {
    var announcement = LL.ExtendedPDU(mode: pdu.mode)
    announcement.dataInfo = .init(did: did, sid: 5)
    var pdu = pdu
    pdu.dataInfo = announcement.dataInfo
    let start = bench.timeline.now + .milliseconds(1)
    send(pointing(announcement, after: .microseconds(900), on: phy.phy).octets, on: 37, at: start)
    chain(pdu, data: data, at: start + .microseconds(900), on: phy)
    return start + .microseconds(900)
  }

  /// A PDU on the secondary channel, and as many AUX_CHAIN_IND as its data need.
  func chain(_ pdu: LL.ExtendedPDU, data: [UInt8], at start: SimInstant, on phy: LL.AirPHY = .le1M) {
    var (pdu, rest, start) = (pdu, data[...], start)
    let span = SimDuration.microseconds(2_460)
    while true {
      let isLast = rest.count <= pdu.room
      if !isLast { pdu = pointing(pdu, after: span, on: phy.phy) }
      pdu.data = Array(rest.prefix(pdu.room))
      rest = rest.dropFirst(pdu.room)
      send(pdu.octets, on: Self.secondary, at: start, phy: phy)
      if isLast { return }
      var next = LL.ExtendedPDU()
      next.dataInfo = pdu.dataInfo
      pdu = next
      start = start + span
    }
  }

  /// Octets 1 … 254, as test suites take them.
  static func octets(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(1 + $0 % 254) } }
}
