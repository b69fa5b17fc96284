import AppSeam
import BabSim
import Bench
import Conformance
import SimKernel

/// An app that says of one link what it was just told on another: that it takes a packet, or refuses one.
///
/// What it says before it is told anything else is of the value that has come, unless a packet that came whole on the
/// other link waits for its answer, or may be given up because nothing has come on that link for a while.
struct MistakenLink {
  /// As long as a packet may stand still before an app gives it up (BAB 3.14), less a second.
  private static let patience = SimDuration.seconds(4)

  /// What has come to a device on one link.
  private struct Heard {
    var device: Int
    var link: LinkID
    var newest: SimInstant
    /// A packet has come whole, and nothing was said of it.
    var isOwed: Bool
  }

  private(set) var hindrance: ChartWords.Hindrance?

  init(_ situation: ChartWords.Situation) {
    /// By device: the link that the newest input is of; nil: it was no value.
    var newest: [Int: LinkID] = [:]
    var heard: [Heard] = []
    for record in situation.records {
      switch record.event {
      case .input(.valueReceived(let link, _, let octets)):
        newest[record.device] = link
        let before = heard.firstIndex { $0.device == record.device && $0.link == link }.map { heard.remove(at: $0) }
        let isWhole = FragmentHeader(octets).map { Int($0.index) + 1 == Int($0.count) } ?? true
        heard.append(
          Heard(
            device: record.device, link: link, newest: record.instant, isOwed: isWhole || before?.isOwed ?? false))
      case .input: newest[record.device] = nil
      case .report(let report):
        guard let (said, words) = Self.judged(report.bab) else { continue }
        let place = heard.firstIndex { $0.device == record.device && $0.link == said }
        let mayBe = place.map { heard[$0].isOwed || record.instant - heard[$0].newest >= Self.patience } ?? false
        if let place { heard[place].isOwed = false }
        guard let told = newest[record.device], said != told, !mayBe,
          record.device == situation.device || situation.header.devices[record.device].role == .host
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
