public import AppSeam
import SimKernel

/// What every app of a run is told of its game, by name. The people are not among it: they are the bench's.
extension GameSettings: WordRecord {
  public static let empty = GameSettings()

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("totalLines", &totalLines)
    var pause = (heartbeat ?? .zero).nanoseconds / 1_000_000
    try visitor.field("heartbeatMilliseconds", &pause)
    heartbeat = pause == 0 ? nil : .milliseconds(pause)
    var lines = lineScript.templates
    try visitor.records("script", &lines)
    script = lines.map { ScriptLine(role: $0.roleID, native: $0.native, translated: $0.translated) }
    var stories = scenarios
    try visitor.records("scenarios", &stories)
    knownScenarios = stories
    roles = []
    try visitor.records("earlierSessions", &earlierSessions)
  }
}

extension LineTemplate: WordRecord {
  public static let empty = LineTemplate(native: "", translated: "")

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("role", &roleID)
    try visitor.field("native", &native)
    try visitor.field("translated", &translated)
  }
}

extension GameScenario: WordRecord {
  public static let empty = GameScenario(id: "", name: "", description: "", availableRoles: [])

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("id", &id)
    try visitor.field("name", &name)
    try visitor.field("description", &description)
    try visitor.records("roles", &availableRoles)
  }
}

extension Role: WordRecord {
  public static let empty = Role(id: "", name: "", description: "")

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("id", &id)
    try visitor.field("name", &name)
    try visitor.field("description", &description)
  }
}

extension BabConfiguration.EarlierSessions: WordRecord {
  public static let empty = BabConfiguration.EarlierSessions(peerID: "", count: 0)

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("peerID", &peerID)
    try visitor.field("count", &count)
  }
}
