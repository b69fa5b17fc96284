import AppSeam
import Bench

/// Who is in the room of a world that is drawn without being in its story: devices that advertise, scan and keep links
/// busy, and pairs with raw traffic.
struct BystanderWorlds: AppWorlds {
  func outsiders(_ draws: Draws) -> [WorldOutsider] {
    var outsiders: [WorldOutsider] = []
    let isPlain = draws.happens("plain phones", permille: 400)
    let phone = isPlain ? YAMLTree.scalar("ideal") : nil
    if draws.happens("traffic", permille: 500) {
      outsiders = [
        outsider("phone", .central, phone: phone),
        outsider("sensor", .peripheral, count: draws.happens("group", permille: 300) ? 2 : nil, phone: phone),
      ]
    }
    let others: [(key: String, role: AppRole)] = [
      ("beacon", .advertiser), ("radar", .scanner), ("headset", .headset), ("player", .player), ("relay", .relay),
    ]
    for other in others where draws.happens(other.key, permille: 200) {
      let count = draws.happens("several \(other.key)", permille: 200) ? draws.number("count \(other.key)", 1...2) : nil
      outsiders.append(outsider(other.key, other.role, count: count))
    }
    return outsiders
  }

  private func outsider(
    _ key: String, _ role: AppRole, count: Int? = nil, phone: YAMLTree? = nil
  ) -> WorldOutsider {
    WorldOutsider(key, count: count, app: BystanderApp.word, role: role.rawValue, phone: phone)
  }

  func settings(_ casts: [WorldCast], _ outsiders: [WorldOutsider], _ draws: Draws) -> YAMLTree? {
    guard let central = outsiders.first(where: { $0.role == AppRole.central.rawValue }),
      let peripheral = outsiders.first(where: { $0.role == AppRole.peripheral.rawValue })
    else { return nil }
    return .list(
      (0..<draws.number("flows", 1...2)).map { number in
        let draws = draws.of("flow", number)
        let isFromCentral = draws.happens("from the central", permille: 500)
        let isSaturating = draws.happens("saturating", permille: 60)
        let isActive = isSaturating || draws.happens("active", permille: 900)
        // What any two phones take, and what two ideal ones do.
        let octets = central.phone == nil ? draws.number("octets", 1...20) : draws.number("more octets", 1...244)
        let ways = isFromCentral ? ["write command", "write"] : ["notification"]
        return .map([
          ("from", .scalar(isFromCentral ? central.key : peripheral.key)),
          ("to", .scalar(isFromCentral ? peripheral.key : central.key)),
          ("octets", isActive && draws.happens("says octets", permille: 700) ? .scalar(octets) : nil),
          ("every", isActive && !isSaturating ? .scalar(draws.milliseconds("every", 20...2_000)) : nil),
          ("saturating", isSaturating ? .flag(true) : nil),
          ("by", isActive && draws.happens("says by", permille: 600) ? .scalar(draws.one("by", of: ways)) : nil),
          (
            "count",
            isActive && (isSaturating || draws.happens("ends", permille: 300))
              ? .scalar(draws.number("count", 1...400)) : nil
          ),
        ])
      })
  }

  func story(_ cast: WorldCast, _ draws: Draws) -> WorldStory { WorldStory() }
  func beginning(of device: String, _ cast: WorldCast, _ draws: Draws) -> [YAMLTree] { [] }

  func condition(_ cast: WorldCast, _ draws: Draws) -> String {
    "\(draws.one("who", of: cast.everyone)) has at least 0 links"
  }
}
