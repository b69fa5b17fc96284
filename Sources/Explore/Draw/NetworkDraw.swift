import Bench

/// What is beside the radio.
enum NetworkDraw {
  /// Nil: nothing is written.
  /// - Parameters:
  ///   - isUsed: an app speaks over it.
  ///   - isBusy: so much that it does not come in the smallest pieces.
  static func draw(_ draws: Draws, isUsed: Bool, isBusy: Bool) -> YAMLTree? {
    guard draws.happens("written", permille: isUsed ? 850 : 50) else { return nil }
    let preset = draws.one("preset", of: ScenarioNetwork.presets.map(\.preset))
    if !isUsed, draws.happens("none", permille: 100) { return .scalar("none") }
    guard draws.happens("own", permille: 450) else { return .scalar(preset) }
    func some(_ key: String, _ permille: Int, _ value: (Draws) -> YAMLTree) -> (String, YAMLTree?) {
      (key, draws.happens(key, permille: permille) ? value(draws.of(key)) : nil)
    }
    return .map([
      ("preset", draws.happens("has preset", permille: 800) ? .scalar(preset) : nil),
      some("access point", 300, accessPoint), some("awdl", 300, peerToPeer),
      some("delay", 250) { .scalar($0.milliseconds("value", 1...300)) },
      some("loss", 250) { .scalar("\($0.number("value", 1...15))%") },
      some("bandwidth", 200) { .scalar("\($0.number("value", 50...20_000)) kbit/s") },
      some("pieces", 250) {
        .scalar($0.weighted("value", [(isBusy ? 0 : 1, 1), (3, $0.number("some", (isBusy ? 200 : 2)...1_500))]))
      },
    ])
  }

  private static func accessPoint(_ draws: Draws) -> YAMLTree {
    if draws.happens("none", permille: 150) { return .scalar("none") }
    return .map([
      ("at", draws.happens("at", permille: 400) ? .list(["x", "y"].map { .scalar(draws.number($0, -9...9)) }) : nil),
      (
        "channel",
        draws.happens("channel", permille: 500) ? .scalar(draws.one("number", of: [1, 6, 11, 13, 36, 44, 149])) : nil
      ),
      (
        "rate",
        draws.happens("rate", permille: 500) ? .scalar(draws.one("Mbit/s", of: [6, 9, 12, 18, 24, 36, 48, 54])) : nil
      ),
      ("isolation", draws.happens("isolation", permille: 150) ? .flag(draws.happens("isolates", permille: 500)) : nil),
      ("multicast", draws.happens("multicast", permille: 150) ? .flag(draws.happens("forwards", permille: 500)) : nil),
      ("encrypted", draws.happens("encrypted", permille: 200) ? .flag(draws.happens("encrypts", permille: 500)) : nil),
    ])
  }

  private static func peerToPeer(_ draws: Draws) -> YAMLTree {
    if draws.happens("none", permille: 200) { return .scalar("none") }
    let least = draws.number("least", 100...4_000)
    return .map([
      ("asleep", draws.happens("says asleep", permille: 600) ? .flag(draws.happens("asleep", permille: 600)) : nil),
      ("channel", draws.happens("channel", permille: 400) ? .scalar(draws.one("number", of: [44, 149])) : nil),
      (
        "search",
        draws.happens("search", permille: 500)
          ? .scalar("\(least)ms..\(least + draws.number("longer", 0...4_000))ms") : nil
      ),
    ])
  }
}
