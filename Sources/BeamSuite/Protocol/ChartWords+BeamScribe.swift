import AppSeam
import BeamScribe
import Conformance
import SimKernel

/// BeamScribe's packets and reports on charts and pages. Values of BLE carry nothing of it.
extension ChartWords {
  static let beamscribe = ChartWords(
    central: .beamGuest, makeAssembler: { NoAssembler() }, fragment: { _ in nil }, label: label, problem: problem,
    shown: shown, words: { "showed: \($0)" }, gist: { String(decoding: $0, as: UTF8.self) }, isTrouble: isTrouble)

  private static func label(_ octets: [UInt8]) -> String {
    (try? BeamPacket(decoding: octets)).map(\.words) ?? "no packet"
  }

  private static func problem(_ octets: [UInt8], isPacket: Bool) -> String? {
    do throws(PacketRefusal) {
      if try BeamPacket(decoding: octets).encoded() == octets { return nil }
      return "These are not the octets of BEAM 4.1 to 4.4 for this packet."
    } catch {
      return isPacket ? "No packet: \(error)." : nil
    }
  }

  private static func shown(_ report: AppReport) -> String? {
    switch report.beam {
    case .state(let state): "shows \(state)"
    case .refused(_, let reason): "refuses its stream: \(reason)"
    case .alertShown(let alert, let isOwn): "shows \(alert)" + (isOwn ? ", by itself" : "")
    case .transcriptCleared: "drops what it showed"
    case .unstable(let peer, let count): "counts \(peer) as unstable, \(count)"
    default: nil
    }
  }

  private static func isTrouble(_ report: AppReport) -> Bool {
    if case .refused? = report.beam { return true }
    return false
  }
}

private struct NoAssembler: ChartWords.Assembler {
  mutating func receive(_ octets: [UInt8], at instant: SimInstant) -> ChartWords.Reception {
    ChartWords.Reception(packet: nil, packetID: 0, isRepeat: false, drops: [])
  }
}
