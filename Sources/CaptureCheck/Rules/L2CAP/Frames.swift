import BluetoothWire
import Judging

/// Spec: Core v5.4, Vol 3, Part A, 3.1 and 7.2.1; Vol 4, Part E, 5.4.2.
///
/// One finding for each link: after a frame that is not whole nothing is sure.
final class FramesAreWhole: TrafficRule {
  static let id = "FramesAreWhole"
  static let claim = "The fragments of an L2CAP frame are as long together as its header says."
  static let clause = "Core v5.4, Vol 3, Part A, 7.2.1"
  static let leavesOpen = "the link has no beginning, or something is missing already"

  private enum State { case whole, doubtful }

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.gaps, .links]
  @exclusivity(unchecked) private var links = PerLink(State.whole)

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .linkOpened(let link): if !link.isFromStart { links[link] = .doubtful }
    case .linkClosed(let link, _):
      // Whatever else is missing, frames that came are whole.
      if links[link] == .whole || link.hasFrames { ledger.judged += 1 } else { leaveOpen(link) }
      links[link] = .whole
    case .gap(let link, let fromCentral, let gap):
      let isSure = links[link] == .whole
      links[link] = .doubtful
      guard isSure else { return }
      switch gap {
      case .continuationWithoutStart, .frameUnfinished, .frameTooLong:
        fail(
          event, link, expected: "a first fragment, and others until the frame's length is reached",
          actual: "\(fromCentral.map { RuleText.side(fromCentral: $0) } ?? "one side") sends \(gap.rawValue)")
      default: break
      }
    default: break
    }
  }
}

/// Spec: Core v5.4, Vol 3, Part A, 2.1, Table 2.3.
final class ChannelsAreDefinedForLE: TrafficRule {
  static let id = "ChannelsAreDefinedForLE"
  static let claim =
    "Frames on LE have one of its fixed channels (0x0004 to 0x0006) or a dynamic one (0x0040 to 0x007F)."
  static let clause = "Core v5.4, Vol 3, Part A, 2.1"
  static let leavesOpen = "the capture begins in the middle of the link, or has gaps on the air: it may be encrypted"

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = .frames

  func observe(_ event: TrafficEvent) {
    guard case .frame(let link, let fromCentral, let channel, _) = event.kind else { return }
    switch channel.rawValue {
    // 0x0020 … 0x003E are for the Assigned Numbers.
    case 0x0004...0x0006, 0x0020...0x003E, 0x0040...0x007F: ledger.judged += 1
    default:
      // What was taken for a channel may be ciphertext.
      if link.mayBeEncrypted { return leaveOpen(link) }
      fail(
        event, link, expected: "a channel that LE has",
        actual: "\(RuleText.side(fromCentral: fromCentral)) sends on \(RuleText.handle(channel.rawValue))")
    }
  }
}
