/// What people do with one app in worlds that nobody wrote: they are drawn from a seed.
public protocol AppWorlds: Sendable {
  /// The settings of all its apps in a world; nil: the file has none.
  func settings(_ casts: [WorldCast], _ outsiders: [WorldOutsider], _ draws: Draws) -> YAMLTree?
  /// Devices with it that are only in the room; none where its people meet in lobbies.
  func outsiders(_ draws: Draws) -> [WorldOutsider]
  /// The story of one lobby.
  func story(_ cast: WorldCast, _ draws: Draws) -> WorldStory
  /// What a person does with an app that has just been launched, to take part.
  func beginning(of device: String, _ cast: WorldCast, _ draws: Draws) -> [YAMLTree]
  /// Something that can be said of a device of the lobby, whether it holds or not.
  func condition(_ cast: WorldCast, _ draws: Draws) -> String
  /// So many members that a leader has no place for all of them; nil: such a lobby is not drawn.
  var crowd: Int? { get }
  /// Whether its people say so much that octets one by one would be all that a world is about.
  func saysMuch(_ draws: Draws) -> Bool
  /// Engines that send others what nobody may send: hostile devices have them more often than the rest.
  var rudeEngines: [String] { get }
}

extension AppWorlds {
  /// None: rooms of it have no crowd.
  public var crowd: Int? { nil }
  /// False.
  public func saysMuch(_ draws: Draws) -> Bool { false }
  /// None.
  public var rudeEngines: [String] { [] }
  /// Nobody.
  public func outsiders(_ draws: Draws) -> [WorldOutsider] { [] }
}

/// A device, or a group of them, that is only in the room.
public struct WorldOutsider: Sendable {
  public var key: String
  /// Nil: one device, not a group.
  public var count: Int?
  /// The protocol, by name; nil: none, it is a controller and nothing more.
  public var app: String?
  /// Empty without a protocol.
  public var role: String
  /// Its phone, where the traffic needs a certain one; nil: any.
  public var phone: YAMLTree?

  public init(_ key: String, count: Int? = nil, app: String?, role: String, phone: YAMLTree? = nil) {
    self.key = key
    self.count = count
    self.app = app
    self.role = role
    self.phone = phone
  }

  public var names: [String] { count.map { (1...$0).map { "\(key)-\($0)" } } ?? [key] }
}

/// Who is in one lobby of a world that is drawn.
public struct WorldCast: Sendable {
  /// The protocol, by name.
  public var app: String
  /// The device that others join; nil: there is none.
  public var leader: String?
  /// The devices that join, by name. Never empty.
  public var members: [String]
  /// What stands for all of them in steps: their group, or their names.
  public var crowd: String
  /// The leader and the members.
  public var everyone: [String] { (leader.map { [$0] } ?? []) + members }
  /// Links that the leader's phone keeps at once, where the file says so.
  public var seats: Int?
  /// Nobody else in the room leads a lobby of this app.
  public var isAlone: Bool

  public init(
    app: String, leader: String?, members: [String], crowd: String, seats: Int?, isAlone: Bool
  ) {
    self.app = app
    self.leader = leader
    self.members = members
    self.crowd = crowd
    self.seats = seats
    self.isAlone = isAlone
  }
}

/// What happens in one lobby.
public struct WorldStory: Sendable {
  public var beats: [WorldBeat] = []
  /// Conditions that hold at every instant of every world in which nobody is broken on purpose.
  public var always: [String] = []
  /// Conditions that begin to hold while something is under way, and probably do.
  public var moments: [String] = []

  public init() {}
}

/// Something that one device or all of them do.
public struct WorldBeat: Sendable {
  /// When it is done, counted from the beat before.
  public enum Start: Sendable {
    case after(String)
    case when(String, within: String)
  }

  public var start: Start
  /// A device, a group, or several names.
  public var who: String
  public var actions: [YAMLTree]
  /// How the devices share it out over time; nil: all at once.
  public var spread: YAMLTree?

  public init(_ start: Start, _ who: String, _ actions: [YAMLTree], spread: YAMLTree? = nil) {
    self.start = start
    self.who = who
    self.actions = actions
    self.spread = spread
  }
}

extension Draws {
  /// When each of several does something, as a scenario writes it.
  public func spread(_ purpose: String) -> YAMLTree {
    let draws = of(purpose)
    return draws.weighted(
      "way",
      [
        (2, .map([("over", .scalar(draws.milliseconds("over", 1...9_000)))])),
        (1, .map([("mean gap", .scalar(draws.milliseconds("mean gap", 1...3_000)))])),
        (
          1,
          .map([
            ("waves of", .scalar(draws.number("waves of", 1...4))),
            ("every", .scalar(draws.milliseconds("every", 1...4_000))),
          ])
        ),
      ])
  }
}
