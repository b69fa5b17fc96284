import AppSeam
import BabSim
import Bench
import Conformance
import SimKernel

/// A receiver that gives a packet up, when a timer of it fires, less than 5 s after its newest fragment (BAB 3.14).
struct GivenUpEarly {
  /// As long as a packet may stand still, less half a second.
  private static let patience = SimDuration.milliseconds(4_500)

  private struct Partial {
    var device: Int
    var link: LinkID
    var number: UInt16
    var newest: SimInstant
  }

  private(set) var hindrance: ChartWords.Hindrance?

  init(_ situation: ChartWords.Situation) {
    var partials: [Partial] = []
    /// The device whose timer has just fired.
    var fired: Int?
    for record in situation.records {
      switch record.event {
      case .input(.valueReceived(let link, _, let octets)):
        fired = nil
        partials.removeAll { $0.device == record.device && $0.link == link }
        guard let header = FragmentHeader(octets), Int(header.index) + 1 < Int(header.count) else { continue }
        partials.append(
          Partial(device: record.device, link: link, number: header.packetID, newest: record.instant))
      case .input(.timer): fired = record.device
      case .input(.disconnected(let link, _)):
        fired = nil
        partials.removeAll { $0.device == record.device && $0.link == link }
      case .input: fired = nil
      case .report(let report):
        guard fired == record.device, case .refused(let link, _)? = report.bab,
          let partial = partials.last(where: { $0.device == record.device && $0.link == link }),
          record.instant - partial.newest < Self.patience, Self.concerns(record.device, situation)
        else { continue }
        let waited = (record.instant - partial.newest).shortSeconds
        hindrance = ChartWords.Hindrance(
          "\(situation.header.name(of: record.device)) gives packet \(partial.number) of link \(link.rawValue) up"
            + " \(waited) s after the newest fragment of it; a receiver waits for 5 s (BAB 3.14)",
          instant: record.instant, record: record.sequence, isMistake: true)
        return
      default: break
      }
    }
  }

  /// The device that is asked about, or one at the other side of its lobby.
  private static func concerns(_ device: Int, _ situation: ChartWords.Situation) -> Bool {
    let devices = situation.header.devices
    return device == situation.device
      || devices.indices.contains(situation.device) && devices[device].role != devices[situation.device].role
        && devices[device].lobby == devices[situation.device].lobby
  }
}
