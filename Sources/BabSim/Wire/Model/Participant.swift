/// A part of a scenario that one player plays.
public struct Role: Hashable, Sendable {
  public var id: String
  public var name: String
  public var description: String
  public init(id: String, name: String, description: String) {
    self.id = id
    self.name = name
    self.description = description
  }
}

/// Who speaks on a link, as its HANDSHAKE says.
public struct Participant: Hashable, Sendable {
  public var id: String
  public var name: String
  public var role: Role?
  public var isHost: Bool
  public init(id: String, name: String, role: Role? = nil, isHost: Bool = false) {
    self.id = id
    self.name = name
    self.role = role
    self.isHost = isHost
  }
}

/// A scene with the roles it offers (`Scenario` of the published data model).
public struct GameScenario: Hashable, Sendable {
  public var id: String
  public var name: String
  public var description: String
  public var availableRoles: [Role]
  public init(id: String, name: String, description: String, availableRoles: [Role]) {
    self.id = id
    self.name = name
    self.description = description
    self.availableRoles = availableRoles
  }
}
