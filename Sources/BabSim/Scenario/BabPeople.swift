import AppSeam
import Bench
import SimKernel

/// The bench's virtual players: they see their turn on the screen, think, then complete or skip.
final class BabPeople: AppPeople {
  private let habits: [Autoplay.Habits]
  private var streams: [RandomStream]

  init(_ autoplay: Autoplay, _ devices: [Device], seed: UInt64) {
    habits = autoplay.players
    streams = devices.map { RandomStream(seed: seed, component: $0.name, purpose: "person") }
  }

  /// Everybody's app shows whose turn it is.
  func isOfEverybody(_ report: AppReport) -> Bool {
    if case .turn? = report.bab { return true }
    return false
  }

  func intention(after report: AppReport, device: Int, peerID: String?) -> PeopleIntention {
    guard case .turn(let player)? = report.bab else { return .unchanged }
    guard device < habits.count, habits[device].isActive, let player, player == peerID else { return .nothing }
    let think = habits[device].thinkTime
    return .actAfter(
      nanoseconds: streams[device].within(think.lowerBound.nanoseconds...think.upperBound.nanoseconds))
  }

  func act(device: Int) -> AppAction? {
    let habits = habits[device]
    if streams[device].happens(Ratio(UInt64(max(0, habits.skipPermille)), 1_000)) {
      return AppAction(BabAction.skipLine)
    }
    let accuracy = Int(
      streams[device].within(
        Int64(habits.accuracyPermille.lowerBound)...Int64(habits.accuracyPermille.upperBound)))
    let duration = Int(streams[device].within(800...4_000))
    return AppAction(
      BabAction.completeLine(
        accuracyPermille: accuracy, errorCount: accuracy == 1_000 ? 0 : 1 + (1_000 - accuracy) / 100,
        durationMilliseconds: duration))
  }
}
