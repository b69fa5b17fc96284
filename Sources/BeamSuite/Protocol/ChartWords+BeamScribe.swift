import AppSeam
import BeamScribe
import Conformance
import SimKernel

/// BeamScribe's reports and packets on charts and pages. Its packets are in streams; nothing of it travels in values.
extension ChartWords {
  static let beamScribe = ChartWords(
    central: .beamGuest, makeAssembler: { NoValues() }, fragment: { _ in nil },
    label: { "\($0.count) octets" }, problem: { _, _ in nil }, shown: shown, words: { "showed: \($0)" },
    isTrouble: isTrouble, isState: isState, makeCutter: { BeamCutter(isMPC: $0 == .beamMPC) })

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
