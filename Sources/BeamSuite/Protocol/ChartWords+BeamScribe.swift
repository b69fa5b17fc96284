import AppSeam
import BeamScribe
import Bench
import Conformance
import SimKernel

/// BeamScribe's reports and packets on charts and pages. Its packets are in streams; nothing of it travels in values.
extension ChartWords {
  static let beamScribe = ChartWords(
    central: .beamGuest, makeAssembler: { NoValues() }, fragment: { _ in nil },
    label: { "\($0.count) octets" }, problem: { _, _ in nil }, shown: shown, words: { "showed: \($0)" },
    isTrouble: isTrouble, isState: isState, makeCutter: { BeamCutter(isMPC: $0 == .beamMPC) },
    hindrance: hindrance,
    // Nobody connects over BLE, and advertising and the scan end when streams are ready (BEAM 5.2.5, 5.2.6).
    ordinary: [.notConnected, .notAdvertising, .idle])

  private static func shown(_ report: AppReport) -> String? {
    switch report.beam {
    case .state(let state): "shows \(state)"
    case .alertShown(let alert, let isOwn): "shows \(alert)\(isOwn ? ", which it noticed itself" : "")"
    case .alertRaised(let alert): "raises \(alert)"
    case .historyShown(let upTo): "has the history up to \(upTo)"
    case .gateOpened(let connection, let peer): "opens the gate of connection \(connection.rawValue), \(peer)"
    case .refused(let connection, let reason): "refused connection \(connection.rawValue): \(reason)"
    case .unstable(let peer, let count): "counts \(count) unstable of \(peer)"
    default: nil
    }
  }

  /// A guest that a host has refused because it has as many as it may have (BEAM 1.3, 1.4): since when, and how often.
  private static func hindrance(_ situation: Situation) -> Hindrance? {
    var first: Hindrance?
    var count = 0
    for record in situation.records {
      switch record.event {
      case .report(let report):
        switch report.beam {
        case .refused(_, RefusalReason.full.rawValue) where situation.peer(record) == situation.device:
          count += 1
          if first == nil { first = Hindrance("", instant: record.instant, record: record.sequence) }
          first?.text =
            "\(situation.header.name(of: record.device)) has no free seat: all \(BeamConfiguration.seats) are taken"
        // It got in after all.
        case .state(BeamState.showing.rawValue) where record.device == situation.device: (first, count) = (nil, 0)
        default: break
        }
      default: break
      }
    }
    if count > 1 { first?.text += ", and it refuses \(count) streams" }
    return first
  }

  /// Alerts are of one text, too, and pass.
  private static func isState(_ report: AppReport) -> Bool {
    switch report.beam {
    case .state, .eventNamed: true
    default: false
    }
  }

  private static func isTrouble(_ report: AppReport) -> Bool {
    switch report.beam {
    case .refused, .unstable, .alertShown: true
    default: false
    }
  }
}

/// Nothing of BeamScribe travels in values.
private struct NoValues: ChartWords.Assembler {
  mutating func receive(_ octets: [UInt8], at instant: SimInstant) -> ChartWords.Reception {
    ChartWords.Reception(packet: octets, packetID: 0, isRepeat: false, drops: [])
  }
}
