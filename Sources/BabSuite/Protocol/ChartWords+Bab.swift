import AppSeam
import BabSim
import Conformance
import SimKernel

/// Bab's packets and reports on charts and pages.
extension ChartWords {
  static let bab = {
    var words = plain
    words.settings = ["setLobbyScenario", "setLobbyDifficulty", "assignRole", "requestRole", "proposeVote"]
    return words
  }()

  private static let plain = ChartWords(
    central: .client, makeAssembler: { BabAssembler() }, fragment: fragment, label: label, problem: problem,
    shown: shown, words: words, gist: gist,
    isTrouble: isTrouble,
    hindrance: { situation in
      let absence = HostWithoutRoom(situation)?.hindrance
      if let absence, absence.isMistake { return absence }
      let mistake =
        MixedLinks(situation)?.hindrance ?? MistakenLink(situation).hindrance ?? LongSnapshot(situation)?.hindrance
        ?? CutOff(situation)?.hindrance ?? StoppedPacket(situation).hindrance ?? GivenUpEarly(situation).hindrance
        ?? SessionOfBefore(situation).hindrance
      if let mistake { return mistake }
      let known = HostMistakes(situation)?.hindrance ?? absence
      if let known { return known }
      let unanswered = UnansweredPacket(situation)
      let refused = RefusedPacket(situation)
      if let type = unanswered?.type { return refused.hindrance(of: type) ?? unanswered?.hindrance }
      return refused.hindrance(of: nil)
    },
    clauses: [
      .valueCut: "BAB 3.4", .refusedValueLost: "BAB 5.9.2", .valueUnwanted: "BAB 5.9.4", .notSubscribed: "BAB 5.1.4",
    ])

  private static func fragment(_ octets: [UInt8]) -> Fragment? {
    FragmentHeader(octets).map {
      Fragment(
        packetID: Int($0.packetID), index: Int($0.index), count: Int($0.count),
        body: Array(octets.dropFirst(FragmentHeader.octets)))
    }
  }

  private static func label(_ octets: [UInt8]) -> String {
    do {
      let packet = try BabPacket(decoding: octets)
      let type = packet.payload.type.rawValue
      return packet.isConsistent ? type : "\(type) (envelope \(packet.type.rawValue))"
    } catch {
      return "no packet: \(error.reason) at \(error.offset)"
    }
  }

  private static func problem(_ octets: [UInt8], isPacket: Bool) -> String? {
    do {
      if try BabPacket(decoding: octets).encoded() == octets { return nil }
      return "These are not the octets that wire.md gives for this packet (BAB 4.1 to 4.13)."
    } catch {
      return isPacket ? "No packet: \(error.reason), at octet \(error.offset)." : nil
    }
  }

  private static func shown(_ report: AppReport) -> String? {
    switch report.bab {
    case .phase(let phase): "shows \(phase)"
    case .linkState(let state): "shows \(state)"
    case .refused(_, let reason): "refused: \(reason)"
    case .violation(_, let rule, let detail): "violation \(rule): \(detail)"
    case .resumed: "shows that it has resumed"
    case .sessionEnded(let reason): "session over: \(reason)"
    case .voteResult(let action, let hasPassed): "vote \(action) \(hasPassed ? "passed" : "failed")"
    default: nil
    }
  }

  /// The payload without the name of its class; the whole text where it has none.
  private static func gist(_ octets: [UInt8]) -> String {
    let text = String(decoding: octets, as: UTF8.self)
    guard let payload = text.firstRange(of: "\"payload\":{") else { return text }
    let fields = text[payload.upperBound...]
    guard fields.hasPrefix("\"type\":"), let end = fields.firstIndex(of: ",") else { return "{" + fields }
    return "{" + fields[fields.index(after: end)...]
  }

  private static func isTrouble(_ report: AppReport) -> Bool {
    switch report.bab {
    case .refused, .violation, .sessionEnded: true
    default: false
    }
  }

  private static func words(_ report: AppReport) -> String {
    if case .packetReceived(let link, let type, let sender, _)? = report.bab {
      return "took a \(type) of \(sender) from link \(link.rawValue)"
    }
    return "showed: \(report)"
  }
}

private struct BabAssembler: ChartWords.Assembler {
  private var reassembler = Reassembler()

  mutating func receive(_ octets: [UInt8], at instant: SimInstant) -> ChartWords.Reception {
    let reception = reassembler.receive(octets, at: instant)
    return ChartWords.Reception(
      packet: reception.packet, packetID: Int(reception.packetID), isRepeat: reception.isRepeat,
      drops: reception.drops.map {
        ChartWords.Reception.Drop(
          packetID: $0.packetID.map(Int.init), reason: $0.reason.rawValue, isOfItself: $0.reason == .expired)
      })
  }
}
