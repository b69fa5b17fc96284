import AppSeam

extension GameScenario {
  /// The scenarios every Bab app knows (BAB 5.2.1); scenario files may declare more.
  public static let presets: [GameScenario] = [.coffeeShop, .theHeist, .firstDate]

  public static let coffeeShop = GameScenario(
    id: "coffee-shop", name: "Coffee Shop", description: "Order something at the counter",
    availableRoles: [
      Role(id: "barista", name: "Barista", description: "Works behind the counter"),
      Role(id: "customer", name: "Customer", description: "Orders at the counter"),
    ])

  public static let theHeist = GameScenario(
    id: "the-heist", name: "The Heist", description: "A questioning after a burglary",
    availableRoles: [
      Role(id: "detective", name: "Detective", description: "Asks the questions"),
      Role(id: "thief", name: "Thief", description: "Would rather not answer them"),
    ])

  public static let firstDate = GameScenario(
    id: "first-date", name: "First Date", description: "Two people meet for the first time",
    availableRoles: [
      Role(id: "date1", name: "Alex", description: "Came too early"),
      Role(id: "date2", name: "Sam", description: "Came too late"),
    ])

  /// A scenario with as many numbered roles as asked for, for lobbies that no preset has roles for.
  public static func ensemble(id: String, roles count: Int) -> GameScenario {
    GameScenario(
      id: id, name: id, description: "A scene for \(count)",
      availableRoles: (1...max(1, count)).map {
        Role(id: "role-\($0)", name: "Role \($0)", description: "Part \($0) of \(count)")
      })
  }
}
