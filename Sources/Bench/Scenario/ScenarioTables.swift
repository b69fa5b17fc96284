import AppSeam

/// The keys of scenario files as far as they depend on the protocols that a scenario may name.
package struct ScenarioTables: Sendable {
  let scenario: KeyTable
  let device: KeyTable
  let actions: KeyTable
  /// Actions that take no value.
  let plainActions: [String]
  /// Every table, in the order in which the schema lists them.
  let all: [KeyTable]

  init(_ apps: [any SimulatedApp]) {
    let dialects = Self.union(apps.map { $0.dialects.map(\.rawValue) })
    scenario = Self.scenario(apps, dialects)
    device = Self.device(apps, dialects)
    plainActions = Self.union(apps.map(\.words.plainActions)) + KeyTable.plainFaults.map(\.name)
    var keys: [KeyTable.Key] = []
    for key in apps.flatMap(\.words.actions) where !keys.contains(where: { $0.name == key.name }) { keys.append(key) }
    actions = KeyTable(id: "actions", title: "an action", keys: keys + KeyTable.faults)
    all =
      [
        scenario, Keys.limits.table, Keys.room.table, Keys.fading.table, Keys.bursts.table, Keys.interferer.table,
        Keys.network.table, Keys.accessPoint.table, Keys.peerToPeer.table, Keys.lobbies.table, Keys.spread.table,
        device, .program, Keys.ixit.table, Keys.phone.table, .hostility,
      ]
      + apps.flatMap(\.words.tables)
      + [
        .step, .meanwhile, Keys.roomChange.table, .expectation, .condition, actions, Keys.messageFault.table,
        Keys.failure.table, .coveredLink, Keys.connectionChange.table, .churn,
      ]
  }

  private static func union(_ lists: [[String]]) -> [String] {
    var words: [String] = []
    for word in lists.joined() where !words.contains(word) { words.append(word) }
    return words
  }

  private static func scenario(_ apps: [any SimulatedApp], _ dialects: [String]) -> KeyTable {
    KeyTable(
      id: "scenario", title: "a scenario",
      keys: [
        .init("name", .text, "name of the scenario; default the file's name"),
        .init("summary", .text, "one or two sentences for people"),
        .init("seed", .seed, "random seed; default 1"),
        .init(
          "duration", .duration,
          "how long the run goes on after the last step or the last “within” that came true; default 2s"),
        .init("limits", .table("limits"), "where a run that does not end is stopped"),
        .init("radio", .either([.word(Keys.roomNames), .profile, .table("room")]), "the room; default ideal"),
        .init(
          "network", .either([.word(Keys.networkPresets + [Keys.noNetwork]), .table("network")]),
          "the network beside the radio; default ideal where an app needs one, else none"),
        .init(
          "protocol", .word(apps.map(\.name)),
          "protocol of devices that name none themselves; default \(apps.first?.name ?? KeyTable.noApp)"),
        .init(
          "dialect", .word(dialects),
          "dialect of the protocol; default "
            + apps.map { "\($0.defaultDialect) for \($0.name)" }.joined(separator: ", ")),
        .init(
          "lobbies", .either([.integer(1, 64), .table("lobbies")]),
          "number of lobbies that play this scenario, side by side in one room; default 1"),
        .init("devices", .mapping(of: .table("device")), "the devices in the room, by name", isRequired: true),
      ] + apps.compactMap(\.words.settingsKey) + [
        .init("steps", .list(.table("step")), "what is done, one after the other"),
        .init("meanwhile", .list(.table("meanwhile")), "what is done beside the steps, each at its time"),
        .init("expect", .list(.definition("expectationEntry")), "what must hold"),
        .init("claims", .list(.text), "what is claimed of measures, in this world or in a share of all worlds"),
      ])
  }

  private static func device(_ apps: [any SimulatedApp], _ dialects: [String]) -> KeyTable {
    let roles = union(apps.map { $0.roles.map(\.role.rawValue) })
    return KeyTable(
      id: "device", title: "a device",
      keys: [
        .init("count", .integer(1, 255), "makes a group: name-1, name-2, …"),
        .init(
          "protocol", .word(apps.map(\.name) + [KeyTable.noApp]),
          "protocol of its app; \(KeyTable.noApp): a controller without an app; default the scenario's"),
        .init("role", .word(roles), "default: the role of that name, else the last of its protocol's"),
        .init("lobby", .text, "devices of one lobby belong together; default all of a protocol"),
        .init("phone", .either([.word(KeyTable.phoneNames), .profile, .table("phone")]), "default ideal"),
        .init("address", .text, "random static (C0:…) or public (public 00:1B:…); default from the seed"),
        .init("directed to", .text, "the device at which it directs its advertising, of a directed kind"),
        .init("at", .point, "where it stands; default [0, 0]"),
        .init("around", .either([.text, .point]), "a device or point in the middle of a circle"),
        .init("radius", .length, "of that circle; default 2 m"),
        .init("from", .point, "where a line of devices begins"),
        .init("to", .point, "where it ends"),
        .init("clock", .either([.word(["random"]), .clock]), "error of its clock; default random, as the phone's is"),
        .init("interfaces", .list(.word(Keys.interfaces)), "network interfaces that it has; default all"),
        .init(
          "clock offset", .text, "how far its time of the day is ahead; negative if it is late; whole milliseconds"),
        .init("starts", .duration, "when its app is launched; default 0s"),
        .init("engine", .text, "reference, or the name of a mutant"),
        .init(
          "app", .either([.list(.text), .table("program")]),
          "a program and its arguments in place of an engine; in the file's folder, or in PATH"),
        .init("hostile", .table("hostility"), "a share of such devices misbehaves"),
        .init("display name", .text, "the player's name; default the device's"),
        .init("dialect", .word(dialects), "when it differs from the scenario's"),
      ] + apps.flatMap(\.words.deviceKeys))
  }
}
