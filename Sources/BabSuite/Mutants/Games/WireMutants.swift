import AppSeam
import BabSim
import Conformance
import SimKernel

/// Defects of fragments, queues and clocks.

final class PublishesTwice: MutantEngine {
  override func rewrite(_ effect: AppEffect) -> [AppEffect] {
    if case .publish = effect { [effect, effect] } else { [effect] }
  }
}

/// The published SDK's own: it leaves room for the fragment header and forgets the three octets of ATT.
final class OversizeFragment: MutantEngine {
  override func rewrite(_ input: AppInput) -> [AppInput] {
    guard case .attMTU(let link, let attMTU) = input else { return [input] }
    return [.attMTU(link, attMTU + 3)]
  }
}

final class IgnoresQueueFull: MutantEngine {
  override func rewrite(_ input: AppInput) -> [AppInput] {
    switch input {
    case .submitted(let link, let characteristic, false):
      return [.submitted(link, characteristic: characteristic, accepted: true)]
    case .readyToSend: return []
    default: return [input]
    }
  }
}

/// Reports a packet as sent when it hands its first value to the platform.
final class ClaimsSent: MutantEngine {
  private var sequence = 0

  override func rewrite(_ effect: AppEffect) -> [AppEffect] {
    if case .packetSent? = effect.bab { return [] }
    guard let (link, octets) = effect.sentValue, let header = FragmentHeader(octets), header.index == 0 else {
      return [effect]
    }
    sequence += 1
    let claim = BabReport.packetSent(link, type: "claimed", sequence: sequence - 1, fragments: Int(header.count))
    return [effect, .report(claim)]
  }
}

final class IgnoresPackets: MutantEngine {
  private var packets = 0

  override func rewrite(_ input: AppInput) -> [AppInput] {
    guard case .valueReceived(_, _, let octets) = input, let header = FragmentHeader(octets) else { return [input] }
    guard Int(header.index) + 1 == Int(header.count) else { return [input] }
    packets += 1
    return packets % 3 == 0 ? [] : [input]
  }
}

final class ClockGoesBack: MutantEngine {
  private var reports = 0

  override func rewrite(_ effect: AppEffect) -> [AppEffect] {
    guard case .vectorClock(var entries)? = effect.bab, !entries.isEmpty else { return [effect] }
    reports += 1
    if reports % 4 == 0 { entries[0].count = 0 }
    return [.report(.vectorClock(entries))]
  }
}
