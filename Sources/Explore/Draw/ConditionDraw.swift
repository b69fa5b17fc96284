import Bench
import BluetoothWire

/// Something that can be said of a device, by its app or of any.
enum ConditionDraw {
  static func text(_ worlds: any AppWorlds, _ cast: WorldCast, _ draws: Draws) -> String {
    if draws.happens("of the app", permille: 600) { return worlds.condition(cast, draws.of("app")) }
    let who = draws.one("who", of: cast.everyone)
    let other = draws.one("other", of: cast.everyone)
    let limit = draws.one("limit", of: ["at most", "at least"])
    let statistic = draws.one("statistic", of: ["p99 ", "p50 ", "median ", "mean ", "least ", "greatest ", ""])
    let from = draws.happens("from one", permille: 500) ? " from \(other)" : ""
    let time = draws.milliseconds("time", 1...4_000)
    let window = draws.happens("over", permille: 500) ? " over \(draws.number("seconds", 1...9))s" : ""
    let rate = draws.number("kbit/s", 1...900)
    return draws.weighted(
      "word",
      [
        (2, "\(who) has \(limit) \(draws.number("links", 0...7)) links"),
        (2, "\(who) has ATT_MTU \(limit) \(draws.number("ATT_MTU", 23...517))"),
        (1, "\(who) has \(limit) \(draws.number("timeouts", 0...2)) advertising timeouts"),
        (1, "\(who) is advertised as \"\(draws.one("part of a name", of: ["-", "lobby", "BAB"]))\""),
        (1, "\(who) has \(statistic)latency \(limit) \(time)\(from)"),
        (1, "\(who) has throughput \(limit) \(rate) kbit/s\(from)\(window)"),
        (1, "\(who) has packet error rate \(limit) \(draws.number("%", 0...60))%\(from)"),
        (1, "\(who) has \(statistic)discovery time of \(other) \(limit) \(time)"),
        (
          1,
          "\(who) was disconnected with reason "
            + draws.one("reason", of: HCI.ErrorCode.reasonNames.map(\.name) + ["0x08", "0x3E"])
        ),
      ])
  }
}
