import AppSeam
import Bench

/// Who is in a world, before anything else of it is drawn.
struct WorldPlan {
  /// The protocols that are spoken, the scenario's first.
  var apps: [any SimulatedApp]
  var lobbies: [WorldCast] = []
  /// Devices that are in no lobby.
  var outsiders: [WorldOutsider] = []
  /// Devices as the file declares them.
  var declarations: [Declaration] = []
  var network: YAMLTree?
  var writesProtocol = false
  /// The value of `lobbies`; nil: one lobby.
  var copies: YAMLTree?

  var main: any SimulatedApp { apps[0] }
  /// Whether there is something beside the radio.
  var hasNetwork: Bool { network != nil || apps.contains(where: \.usesNetwork) }

  /// A key of `devices`.
  struct Declaration {
    var key: String
    /// Nil: a device and no group.
    var count: Int?
    var app: String
    var role: RoleDescription
    /// The lobby, by number.
    var lobby: Int
    /// The name of the lobby in the file; nil: it has none.
    var lobbyName: String?
    /// Links that its phone keeps as peripheral, where the file says so.
    var links: Int?

    var names: [String] { count.map { (1...$0).map { "\(key)-\($0)" } } ?? [key] }
  }

  private static let letters = ["", "-b", "-c", "-d"]

  init(_ draws: Draws, _ world: WorldDraw) {
    let order = draws.inDrawnOrder("order of protocols", world.apps.filter(\.takesPart))
    let isJoint = order.count > 1 && draws.happens("several protocols", permille: 300)
    apps = isJoint ? order : [order[0]]
    writesProtocol = main.name != world.language.apps.first?.name || draws.happens("writes protocol", permille: 100)
    for app in apps {
      let draws = draws.of(app.name)
      let count = draws.weighted("lobbies", [(8, 1), (isJoint ? 0 : 2, 2), (isJoint ? 0 : 1, 3)])
      for number in 0..<count { addLobby(of: app, number, of: count, draws.of("lobby", number)) }
    }
    for app in world.apps where !app.takesPart {
      if draws.happens("has \(app.name)", permille: 250), let worlds = app.worlds {
        apps.append(app)
        outsiders += worlds.outsiders(draws.of(app.name))
      }
    }
    if draws.happens("has a bare controller", permille: 60) {
      outsiders.append(
        WorldOutsider("bare", count: draws.happens("bare group", permille: 300) ? 2 : nil, app: nil, role: ""))
    }
    network = NetworkDraw.draw(
      draws.of("network"), isUsed: apps.contains(where: \.usesNetwork),
      isBusy: apps.contains { $0.worlds?.saysMuch(draws) ?? false })
    if lobbies.count == 1, lobbies[0].members.count < 4, draws.happens("copies", permille: 120) {
      let count = YAMLTree.scalar(draws.number("copies", 2...3))
      copies =
        draws.happens("copies are told more of", permille: 700)
        ? .map([
          ("count", count),
          (
            "spacing",
            draws.happens("spacing", permille: 600)
              ? .scalar("\(draws.number("metres", 1...12)) m") : nil
          ),
          ("spread", draws.happens("spread copies", permille: 600) ? draws.spread("copies begin") : nil),
        ]) : count
    }
  }

  func dialect(_ draws: Draws) -> String { draws.one("dialect is", of: main.dialects).rawValue }

  private mutating func addLobby(of app: any SimulatedApp, _ number: Int, of count: Int, _ draws: Draws) {
    guard let leads = app.roles.first(where: \.leads), let joins = app.roles.last(where: { !$0.leads }) else { return }
    let place = lobbies.count
    let suffix = Self.letters[min(place, Self.letters.count - 1)]
    let name = count > 1 && number > 0 || draws.happens("is named", permille: 60) ? "lobby\(number + 1)" : nil
    let isLed = !draws.happens("has no leader", permille: 30)
    let size = draws.weighted("size", [(5, 1), (6, 2), (5, 3), (3, 4), (2, 5), (1, 6), (2, 7)])
    let crowd = app.worlds?.crowd.flatMap { draws.happens("is a crowd", permille: 50) ? $0 : nil }
    let most = crowd ?? (place > 0 ? min(size, 3) : size)
    func declaration(_ key: String, _ role: RoleDescription, count: Int? = nil) -> Declaration {
      Declaration(key: key, count: count, app: app.name, role: role, lobby: place, lobbyName: name, links: nil)
    }
    var seats: Int?
    if isLed {
      var leader = declaration(leads.role.rawValue + suffix, leads)
      if draws.happens("seats", permille: 120) {
        leader.links = draws.number("seats are", 1...8)
        seats = leader.links
      }
      declarations.append(leader)
    }
    let leader = isLed ? leads.role.rawValue + suffix : nil
    var group: [Declaration]
    if crowd != nil || draws.happens("is a group", permille: 700) {
      group = [declaration(joins.role.rawValue + suffix, joins, count: most)]
    } else {
      group = ["ann", "bob", "cem", "dia"].prefix(most).map { declaration($0 + suffix, joins) }
    }
    if draws.happens("leader is last", permille: 100) {
      declarations.insert(contentsOf: group, at: max(0, declarations.count - 1))
    } else {
      declarations += group
    }
    let members = group.flatMap(\.names)
    lobbies.append(
      WorldCast(
        app: app.name, leader: leader, members: members, crowd: group.map(\.key).joined(separator: ", "),
        seats: seats, isAlone: count == 1))
  }
}
