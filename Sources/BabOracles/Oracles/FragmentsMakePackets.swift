import AppSeam
import BabSim
package import Bench
package import Conformance
package import Judging
import SimKernel

/// What an app hands over can be put together and read: headers that a receiver takes, and texts that are packets.
///
/// It is judged where the app hands it over, so no link and no platform has a part in it. Not judged: senders of `raw`
/// values, the order of fragments where the platform has refused one, what only the bench's own limits refuse (BAB
/// 4.41 … 4.43), and packets of which a value was too long for ATT_MTU, which `FragmentsFitATTMTU` judges.
package final class FragmentsMakePackets: BabOracle {
  package static let id = "FragmentsMakePackets"
  package static let claim = "The values that an app hands over are fragments, and together packets that can be read."
  package static let clause = "BAB 3.3"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.transmit, .answer, .launched]

  private struct Lane {
    var link: LinkID
    var isRaw: Bool
    /// The packet that a finding was about: one is enough.
    var blamed: UInt16?
    /// The packet of which a value was too long.
    var overlong: UInt16?
    /// The packet of which a part was handed over, the next index, and whether the platform refused the newest part.
    var begun: (number: UInt16, next: Int, isRefused: Bool)?

    /// The newest part is due again, or the whole packet; who goes on without it is judged by what it reports.
    mutating func isRefused() {
      guard let begun, !begun.isRefused else { return }
      self.begun = (begun.number, max(0, begun.next - 1), true)
    }
  }

  /// Links that are remembered of a device.
  private static let linkLimit = 16

  package let ledger = makeLedger()
  private let state: BabRunState
  private var lanes: [[Lane]]

  package init(state: BabRunState) {
    self.state = state
    lanes = Array(repeating: [], count: state.devices.count)
  }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record), !device.isForeign, !device.isHostile else { return }
    switch record.bab {
    case .input(.launched): lanes[device.index] = []
    case .input(.submitted(let link, _, false)), .input(.writeCompleted(let link, _, .some)):
      if let place = lanes[device.index].lastIndex(where: { $0.link == link }) {
        lanes[device.index][place].isRefused()
      }
    case .effect(.notify(let link, _, let octets)), .effect(.write(let link, _, let octets)),
      .effect(.writeWithoutResponse(let link, _, let octets)):
      judge(octets, on: link, device, record)
    default: break
    }
  }

  private func judge(_ octets: [UInt8], on link: LinkID, _ device: BabDevice, _ record: TraceRecord) {
    let place = lane(link, octets, device)
    guard !lanes[device.index][place].isRaw else { return }
    guard let header = FragmentHeader(octets) else {
      return ledger.fail(
        record, expected: "a value that begins with a header of 4 octets (BAB 3.2)",
        actual: CountedNoun.text(octets.count, "octet"))
    }
    if BabDialects.isRaw(octets[...]) {
      return ledger.fail(
        record, expected: "a value that begins with a fragment header (BAB 3.1)", actual: "the text of a packet alone")
    }
    if octets.count > Fragmenter.valueOctets(attMTU: device.link(link)?.attMTU ?? 23) {
      lanes[device.index][place].overlong = header.packetID
    }
    if header.index >= header.count {
      guard lanes[device.index][place].blamed != header.packetID else { return }
      lanes[device.index][place].blamed = header.packetID
      return ledger.fail(
        record, expected: "a fragment index below the count of fragments (BAB 3.2)",
        actual: "index \(header.index) of \(header.count), in packet \(header.packetID)")
    }
    guard isNext(header, &lanes[device.index][place], record), let packet = state.handed else { return }
    guard case .failure(let error) = packet.content else { return ledger.judged += 1 }
    guard lanes[device.index][place].overlong != packet.number, error.reason.isOfTheSender else { return }
    ledger.fail(
      record, expected: "fragments that make a packet",
      actual: "packet \(packet.number) of \(packet.fragments) with \(packet.text.count) octets of text, which is none:"
        + " \(error)\(Self.characters(packet.text, error))")
  }

  /// The fragments of a packet go out by their index, each once, except what the platform refused.
  private func isNext(_ header: FragmentHeader, _ lane: inout Lane, _ record: TraceRecord) -> Bool {
    let (index, count) = (Int(header.index), Int(header.count))
    let begun = lane.begun
    lane.begun = index + 1 == count ? nil : (header.packetID, index + 1, false)
    guard let begun, begun.number == header.packetID, index != begun.next,
      !(begun.isRefused && [0, begun.next + 1].contains(index)), lane.blamed != header.packetID
    else { return true }
    lane.blamed = header.packetID
    ledger.fail(
      record, expected: "index \(begun.next) next, of \(count) fragments of packet \(header.packetID) (BAB 3.2)",
      actual: "index \(index)\(index < begun.next ? ", which was there before" : "")")
    return false
  }

  private func lane(_ link: LinkID, _ octets: [UInt8], _ device: BabDevice) -> Int {
    if let place = lanes[device.index].lastIndex(where: { $0.link == link }) { return place }
    if lanes[device.index].count == Self.linkLimit { lanes[device.index].removeFirst() }
    lanes[device.index].append(Lane(link: link, isRaw: BabDialects.isRaw(octets[...])))
    return lanes[device.index].count - 1
  }

  /// Where a text ends too early that has characters of several octets: a frequent reason.
  private static func characters(_ text: [UInt8], _ error: BabPacketError) -> String {
    guard error.reason == .unexpectedEnd else { return "" }
    let more = text.count { $0 & 0xC0 == 0x80 }
    return more == 0 ? "" : "; characters of more than one octet account for \(more) of its octets"
  }
}

extension BabPacketError.Reason {
  /// Whether the text is wrong, and not only more than the bench takes.
  fileprivate var isOfTheSender: Bool {
    switch self {
    case .tooLarge, .tooDeep, .tooManyEntries: false
    default: true
    }
  }
}
