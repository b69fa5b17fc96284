import Bench

/// Where a device or a group stands.
enum PlaceDraw {
  /// Empty: nothing is written.
  /// - Parameter leader: around whom a group may stand.
  static func draw(isGroup: Bool, around leader: String?, _ draws: Draws) -> [(String, YAMLTree?)] {
    switch draws.weighted("way", [(3, "nowhere"), (4, "at"), (isGroup ? 4 : 0, "around"), (isGroup ? 2 : 0, "line")]) {
    case "at": return [("at", point("at", draws))]
    case "around":
      let middle = draws.happens("around the leader", permille: 800) ? leader.map { YAMLTree.scalar($0) } : nil
      return [
        ("around", middle ?? point("middle", draws)),
        (
          "radius",
          draws.happens("radius", permille: 800) ? .scalar("\(draws.number("centimetres", 1...1_200)) cm") : nil
        ),
      ]
    case "line": return [("from", point("from", draws)), ("to", point("to", draws))]
    default: return []
    }
  }

  private static func point(_ purpose: String, _ draws: Draws) -> YAMLTree {
    let draws = draws.of(purpose)
    let far = draws.weighted("reach", [(6, 300), (3, 1_500), (1, 5_000)])
    let isHigh = draws.happens("is high", permille: 100)
    return .list(
      (["x", "y"] + (isHigh ? ["z"] : [])).map {
        .scalar(Draws.text(thousandths: draws.number($0, -far...far) * 10, ""))
      })
  }
}
