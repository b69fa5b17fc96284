import AppSeam
import BabSim
import Bench
import Conformance
import SimKernel

/// An app that says of one link what it was just told on another: that it takes a packet, or refuses one.
///
/// What it says before it is told anything else is of the value that has come. A packet of which nothing has come for a
/// while may be given up at any time.
struct MistakenLink {
  /// As long as a packet may stand still before an app gives it up (BAB 3.14), less a second.
  private static let patience = SimDuration.seconds(4)

  private(set) var hindrance: ChartWords.Hindrance?

  init(_ situation: ChartWords.Situation) {
    /// By device: the link that the newest input is of; nil: it was no value.
    var newest: [Int: LinkID] = [:]
    var heard: [Int: [(link: LinkID, instant: SimInstant)]] = [:]
    for record in situation.records {
      switch record.event {
      case .input(.valueReceived(let link, _, _)):
        newest[record.device] = link
        heard[record.device, default: []].removeAll { $0.link == link }
        heard[record.device, default: []].append((link, record.instant))
      case .input: newest[record.device] = nil
      case .report(let report):
        guard let told = newest[record.device], let (said, words) = Self.judged(report.bab), said != told,
          record.device == situation.device || situation.header.devices[record.device].role == .host,
          !(heard[record.device] ?? []).contains(where: {
            $0.link == said && record.instant - $0.instant >= Self.patience
          })
        else { continue }
        let name = situation.header.name(of: record.device)
        hindrance = ChartWords.Hindrance(
          "the app of \(name) was given a value on link \(told.rawValue), and takes it for one of link"
            + " \(said.rawValue), of which it says: \(words)",
          instant: record.instant, record: record.sequence, isMistake: true)
        return
      default: break
      }
    }
  }

  /// The link of which a report says that its packet is taken or refused.
  private static func judged(_ report: BabReport?) -> (LinkID, String)? {
    switch report {
    case .packetReceived(let link, let type, let sender, _): (link, "took \(type) of \(sender)")
    case .refused(let link, let reason): (link, "refused, “\(reason)”")
    case .violation(let link, let rule, _): (link, "violation of \(rule)")
    default: nil
    }
  }
}
