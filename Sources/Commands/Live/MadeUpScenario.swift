/// Scenarios for sessions that were started without one. They go on until somebody ends them.
enum MadeUpScenario {
  /// The most that a scenario can have.
  static let maximumControllers = 1_000
  private static let endless = """
    duration: 1000h
    limits: { simulated time: 1000h, events: 1000000000000 }

    """

  /// How the names of radios for programs begin.
  static let program = "air-"

  /// Controllers in an ideal room, one metre apart from the next: `controller-1`, `controller-2`, …
  /// - Parameter programs: radios for programs beside them, `air-1` and so on.
  static func controllers(
    _ count: Int, programs: Int = 0, model: String? = nil, withZephyrCommands: Bool = false
  ) -> LivePlan.Source {
    var text = "name: bare controllers\nsummary: Controllers in an ideal room, and nothing else.\n" + endless
    text += "devices:\n"
    let keys = (model.map { ["controller: \($0)"] } ?? []) + (withZephyrCommands ? ["zephyr commands: yes"] : [])
    let phone = keys.isEmpty ? "" : ", phone: { \(keys.joined(separator: ", ")) }"
    for number in 1...max(1, count) {
      text += "  controller-\(number): { role: \(number == 1 ? "host" : "client"), at: [\(number - 1), 0]\(phone) }\n"
    }
    for number in 0..<programs {
      text += "  \(program)\(number + 1): { role: client, at: [\(max(1, count) + number), 0] }\n"
    }
    return LivePlan.Source(madeUp: text, name: "bare-controllers.yaml")
  }

  /// Our host opens a lobby on a controller from outside.
  static let host = LivePlan.Source(
    madeUp: """
      name: our host on a controller from outside
      summary: One host opens a lobby; whoever is near may join.
      \(endless)devices:
        host: {}
      game: { autoplay: yes }
      steps:
        - host: start hosting

      """, name: "our-host.yaml")

  /// Our client looks for a lobby on a controller from outside. The host that a scenario wants never starts.
  static let client = LivePlan.Source(
    madeUp: """
      name: our client on a controller from outside
      summary: One client joins whatever lobby is near; “absent” stands for its host and does nothing.
      \(endless)devices:
        absent: { role: host, starts: 1000h }
        client: {}
      game: { autoplay: yes }
      steps:
        - client: join

      """, name: "our-client.yaml")
}
