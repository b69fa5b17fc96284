package import BluetoothWire
package import CaptureCheck
package import CaptureFormats
import Foundation
package import SimKernel
package import VirtualRadio

/// Everything that a capture shows, in a form that tests can ask.
package final class AirLog: TrafficObserver {
  package struct Side: Hashable {
    package var link: Int
    package var fromCentral: Bool

    package init(link: Int, fromCentral: Bool) {
      self.link = link
      self.fromCentral = fromCentral
    }
  }

  package var att: [(side: Side, octets: [UInt8])] = []
  package var frames: [(side: Side, channel: UInt16, octets: [UInt8])] = []
  package var fragments: [(side: Side, llid: UInt8, isRepeat: Bool, octets: [UInt8], number: Int)] = []
  package var gaps: [(link: Int, fromCentral: Bool?, gap: TrafficGap)] = []
  package var opened: [TrafficLink] = []
  package var closed: [(link: TrafficLink, reason: HCI.ErrorCode?, at: SimInstant)] = []
  package var changes: [(link: Int, change: TrafficLink.Change, number: Int)] = []
  package var advertisements: [TrafficAdvertisement] = []
  /// What the follower made of each PDU, in the order of the capture.
  package var air: [Seen] = []

  package init() {}

  package struct Seen {
    package var number: Int
    package var link: TrafficLink?
    package var header: AirHeader
    package var octets: [UInt8]
    package var eventCounter: UInt16?
    package var expectedRFChannel: UInt8?
  }

  package var interests: TrafficEvent.Interests {
    [.links, .att, .frames, .fragments, .gaps, .advertisements, .air, .commands, .events, .asides]
  }

  package func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .linkOpened(let link): opened.append(link)
    case .linkClosed(let link, let reason): closed.append((link, reason, event.instant))
    case .linkChanged(let link, let change): changes.append((link.index, change, event.place.number))
    case .frame(let link, let fromCentral, let channel, let octets):
      frames.append((Side(link: link.index, fromCentral: fromCentral), channel.rawValue, Array(octets)))
    case .gap(let link, let fromCentral, let gap): gaps.append((link.index, fromCentral, gap))
    case .advertisement(let advertisement): advertisements.append(advertisement)
    case .air(let link, let header, let octets):
      air.append(
        Seen(
          number: event.place.number, link: link, header: header, octets: Array(octets),
          eventCounter: link?.air?.eventCounter, expectedRFChannel: link?.air?.expectedRFChannel))
    default: break
    }
  }

  package func observe(att pdu: TrafficPDU) {
    att.append((Side(link: pdu.link.index, fromCentral: pdu.fromCentral), Array(pdu.octets)))
  }

  package func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    guard case .linkLayer(let llid, let isRepeat) = header else { return }
    let side = Side(link: pdu.link.index, fromCentral: pdu.fromCentral)
    fragments.append((side, llid, isRepeat, Array(pdu.octets), pdu.place.number))
  }

  package func att(link: Int, fromCentral: Bool) -> [[UInt8]] {
    att.filter { $0.side == Side(link: link, fromCentral: fromCentral) }.map(\.octets)
  }

  package func count(_ gap: TrafficGap) -> Int { gaps.filter { $0.gap == gap }.count }

  /// What the follower says of these records.
  package static func reading(_ records: [CaptureRecord]) -> AirLog {
    let log = AirLog()
    let reader = TrafficReader(observers: [log])
    let start = records.first?.nanoseconds ?? 0
    for record in records {
      reader.read(record, file: 0, at: SimInstant(nanoseconds: record.nanoseconds - start))
    }
    reader.finish()
    return log
  }
}

/// Records as link type 256 would give them, straight from PDUs of a run.
package enum AirRecords {
  package static func records(_ pdus: [AirPDU], tellsDirection: Bool = true, checksCRC: Bool = true) -> [CaptureRecord]
  {
    var centrals: [UInt32: Int] = [:]
    return pdus.enumerated().map { index, pdu in
      if pdu.accessAddress == LL.advertisingAccessAddress, let request = try? LL.ConnectInd(decoding: pdu.pdu) {
        centrals[request.accessAddress] = pdu.transmitter
      }
      var header = AirHeader(accessAddress: pdu.accessAddress)
      header.crc = LL.crc24(pdu: pdu.pdu, initial: pdu.crcInit) ^ (pdu.fate == .corrupted ? 0xFF0000 : 0)
      header.isCRCValid = checksCRC ? pdu.fate != .corrupted : nil
      header.rfChannel = pdu.rfChannel
      header.isLE2M = pdu.phy == .le2M
      header.coding = pdu.phy.coding.flatMap { LECoding(rawValue: $0.rawValue) }
      if tellsDirection, let central = centrals[pdu.accessAddress] { header.isFromCentral = central == pdu.transmitter }
      header.signalPower = pdu.rssi == -128 ? nil : pdu.rssi
      return CaptureRecord(
        number: index + 1, link: .leLinkLayerWithHeader, nanoseconds: pdu.start.nanoseconds,
        originalLength: pdu.pdu.count + 17, body: .air(header), octets: pdu.pdu[...])
    }
  }
}
