import BabSim
import Conformance
import SimKernel

/// The member `game` of the hello: what all apps of a run of Bab know.
extension HelloSettings {
  static let bab = HelloSettings(key: "game", write: { write($0, to: &$1) }, read: readGame)

  private static func write(_ configuration: AppConfiguration, to text: inout JSONText) {
    text.beginObject()
    text.member("totalLines", configuration.totalLines)
    text.member("heartbeatMilliseconds", configuration.heartbeatInterval.nanoseconds / 1_000_000)
    text.key("script")
    text.beginArray()
    for line in configuration.lineScript.templates {
      text.beginObject()
      text.member("role", line.roleID)
      text.member("native", line.native)
      text.member("translated", line.translated)
      text.endObject()
    }
    text.endArray()
    text.key("scenarios")
    text.beginArray()
    for scenario in configuration.scenarios { write(scenario, to: &text) }
    text.endArray()
    text.key("earlierSessions")
    text.beginArray()
    for session in configuration.earlierSessions {
      text.beginObject()
      text.member("peerID", session.peerID)
      text.member("count", session.count)
      text.endObject()
    }
    text.endArray()
    text.endObject()
  }

  private static func write(_ scenario: GameScenario, to text: inout JSONText) {
    text.beginObject()
    text.member("id", scenario.id)
    text.member("name", scenario.name)
    text.member("description", scenario.description)
    text.key("roles")
    text.beginArray()
    for role in scenario.availableRoles {
      text.beginObject()
      text.member("id", role.id)
      text.member("name", role.name)
      text.member("description", role.description)
      text.endObject()
    }
    text.endArray()
    text.endObject()
  }

  private static func readGame(
    _ game: MessageMembers, _ configuration: inout AppConfiguration
  ) throws(MessageProblem) {
    configuration.totalLines = try game.int("totalLines")
    configuration.heartbeatInterval = .milliseconds(try game.integer("heartbeatMilliseconds"))
    configuration.lineScript = LineScript(
      try game.objects("script") { (line) throws(MessageProblem) in
        LineTemplate(
          roleID: try line.optionalText("role"), native: try line.text("native"),
          translated: try line.text("translated"))
      })
    configuration.scenarios = try game.objects("scenarios") { (scenario) throws(MessageProblem) in
      GameScenario(
        id: try scenario.text("id"), name: try scenario.text("name"), description: try scenario.text("description"),
        availableRoles: try scenario.objects("roles") { (role) throws(MessageProblem) in
          Role(id: try role.text("id"), name: try role.text("name"), description: try role.text("description"))
        })
    }
    configuration.earlierSessions = try game.objects("earlierSessions") { (session) throws(MessageProblem) in
      BabConfiguration.EarlierSessions(peerID: try session.text("peerID"), count: try session.int("count"))
    }
  }
}
