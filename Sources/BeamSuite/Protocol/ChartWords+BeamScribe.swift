import AppSeam
import BeamScribe
import Conformance
import SimKernel

/// BeamScribe's reports on charts and pages. Its packets are in streams, which charts of values do not draw.
extension ChartWords {
  static let beamScribe = ChartWords(
    central: .beamGuest, makeAssembler: { NoValues() }, fragment: { _ in nil },
    label: { "\($0.count) octets" }, problem: { _, _ in nil }, shown: shown, words: { "showed: \($0)" },
    isTrouble: isTrouble)

  private static func shown(_ report: AppReport) -> String? {
    switch report.beam {
    case .state(let state): "shows \(state)"
    case .alertShown(let alert, let isOwn): "shows \(alert)\(isOwn ? ", which it noticed itself" : "")"
    case .alertRaised(let alert): "raises \(alert)"
    case .historyShown(let upTo): "has the history up to \(upTo)"
    case .refused(let connection, let reason): "refused connection \(connection.rawValue): \(reason)"
    case .unstable(let peer, let count): "counts \(count) unstable of \(peer)"
    default: nil
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
