import Bench
import VirtualRadio

/// The room: a preset, or one that loses in ways of its own.
struct RoomDraw {
  let kind: WorldKind

  /// Nil: nothing is written.
  func draw(_ draws: Draws) -> YAMLTree? {
    if kind == .calm { return draws.happens("says ideal", permille: 300) ? .scalar("ideal") : nil }
    let preset = draws.one("preset", of: RadioEnvironment.presets.map(\.name))
    switch draws.weighted("way", [(2, "none"), (4, "preset"), (5, "own")]) {
    case "none": return nil
    case "preset": return .scalar(preset)
    default:
      let isPreset = draws.happens("has preset", permille: 600)
      return .map([("preset", isPreset ? .scalar(preset) : nil)] + own(draws))
    }
  }

  private func own(_ draws: Draws) -> [(String, YAMLTree?)] {
    func some(_ key: String, _ permille: Int, _ value: (Draws) -> YAMLTree) -> (String, YAMLTree?) {
      (key, draws.happens(key, permille: permille) ? value(draws.of(key)) : nil)
    }
    return [
      some("level dependent", 150) { .flag($0.happens("yes", permille: 600)) },
      some("reference loss", 80) { .scalar("\($0.number("value", 30...50)) dB") },
      some("path loss exponent", 120) { .scalar(Draws.text(thousandths: $0.number("value", 180...360) * 10, "")) },
      some("shadowing", 150) { .scalar("\($0.number("value", 0...20)) dB") },
      some("noise floor", 100) { .scalar("\($0.number("value", -110 ... -90)) dBm") },
      some("packet loss", 300) { .scalar(loss($0)) },
      some("bit error rate", 150) { .scalar("\($0.number("value", 1...900)) ppm") },
      some("capture threshold", 80) { .scalar("\($0.number("value", 1...20)) dB") },
      some("channel loss", 150, channelLoss), some("fading", 200, fading), some("bursts", 250, bursts),
      some("interferers", 250) { draws in
        .list((0..<draws.number("count", 1...3)).map { interferer($0, draws.of("interferer", $0)) })
      },
    ]
  }

  /// What changes in the room, and what ends that.
  func change(_ draws: Draws) -> (change: YAMLTree, cure: YAMLTree) {
    let keys: [(weight: Int, value: String)] = [
      (4, "packet loss"), (2, "interferers"), (1, "bit error rate"), (1, "channel loss"),
    ]
    let key = draws.weighted("what", keys)
    let (value, none): (YAMLTree, YAMLTree) =
      switch key {
      case "packet loss": (.scalar(loss(draws)), .scalar("0%"))
      case "interferers": (.list([interferer(3, draws)]), .list([]))
      case "channel loss": (channelLoss(draws), .map([]))
      default: (.scalar("\(draws.number("value", 1...900)) ppm"), .scalar("0%"))
      }
    return (.map([(key, value)]), .map([(key, none)]))
  }

  private func loss(_ draws: Draws) -> String {
    draws.weighted(
      "loss",
      [
        (3, "\(draws.number("small", 1...8))%"), (2, "\(draws.number("large", 8...45))%"),
        (1, "\(draws.number("tiny", 1...900)) ppm"),
      ])
  }

  private func channelLoss(_ draws: Draws) -> YAMLTree {
    let first = draws.number("first", 0...30)
    let advertising = draws.number("advertising", 37...39)
    return .map([
      (
        draws.happens("several", permille: 700) ? "\(first)..\(draws.number("last", first...36))" : String(first),
        .scalar("\(draws.number("loss", 1...100))%")
      ),
      (
        String(advertising),
        draws.happens("of advertising", permille: 400) ? .scalar("\(draws.number("loss there", 1...90))%") : nil
      ),
    ])
  }

  private func fading(_ draws: Draws) -> YAMLTree {
    if draws.happens("none", permille: 100) { return .scalar("none") }
    let kind = draws.one("kind", of: Keys.fadingKinds)
    return .map([
      ("kind", .scalar(kind)), ("coherence time", .scalar(draws.milliseconds("coherence", 1...900))),
      ("k factor", kind == "rician" ? .scalar(draws.number("k factor", 0...20)) : nil),
      ("deviation", kind == "log-normal" ? .scalar("\(draws.number("deviation", 1...12)) dB") : nil),
    ])
  }

  private func bursts(_ draws: Draws) -> YAMLTree {
    if draws.happens("none", permille: 100) { return .scalar("none") }
    return .map([
      ("good", .scalar(draws.milliseconds("good", 20...9_000))),
      ("bad", .scalar(draws.milliseconds("bad", 1...1_200))),
      (
        "loss in good",
        draws.happens("loses in good", permille: 300) ? .scalar("\(draws.number("in good", 0...10))%") : nil
      ),
      (
        "loss in bad",
        draws.happens("keeps in bad", permille: 500) ? .scalar("\(draws.number("in bad", 30...100))%") : nil
      ),
    ])
  }

  private func interferer(_ number: Int, _ draws: Draws) -> YAMLTree {
    let isWiFi = draws.happens("is Wi-Fi", permille: 600)
    let first = draws.number("first channel", 0...35)
    let senses = draws.happens("senses", permille: 500)
    return .map([
      ("name", .scalar("interferer \(number + 1)")),
      ("at", .list(["x", "y"].map { .scalar(draws.number($0, -12...12)) })),
      ("wifi channel", isWiFi ? .scalar(draws.number("wifi channel", 1...13)) : nil),
      ("rf channels", isWiFi ? nil : .scalar("\(first)..\(draws.number("last channel", first...39))")),
      ("power", draws.happens("says power", permille: 500) ? .scalar("\(draws.number("power", -20...15)) dBm") : nil),
      ("airtime", senses ? .scalar("\(draws.number("airtime", 1...80))%") : nil),
      (
        "frame",
        senses && draws.happens("says frame", permille: 500)
          ? .scalar(Draws.text(nanoseconds: draws.number("frame", 100...4_000) * 1_000)) : nil
      ),
      ("on", !senses && draws.happens("says on", permille: 600) ? .scalar(draws.milliseconds("on", 1...200)) : nil),
      ("off", !senses && draws.happens("says off", permille: 600) ? .scalar(draws.milliseconds("off", 1...900)) : nil),
    ])
  }
}
