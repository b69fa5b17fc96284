import AppSeam
import SimKernel
import VirtualRadio

extension ScenarioDecoder {
  /// More would not be a stadium but a town.
  static let deviceLimit = 1_024
  /// Words that mean something else where a device name can stand.
  static let reservedNames = [
    "at", "after", "when", "within", "label", "all", "any", "every", "no", "everyone", "someone", "nobody",
  ]

  /// One key under `devices`, before it is expanded.
  private struct Declaration {
    var entry: YAMLTree.Entry
    var count: Int?
    /// Entries that single out one member of this group, by member number from 1.
    var members: [(number: Int, entry: YAMLTree.Entry)] = []
  }

  /// Decodes `devices`: those that lead a lobby first, each kind in the order of the file.
  func devices(_ tree: YAMLTree, _ lobbies: Lobbies, app: (any SimulatedApp)?, dialect: DialectName) {
    guard case .mapping(let entries) = tree.value, !entries.isEmpty else {
      note(tree.location, "“devices” must be a mapping of names, not \(tree.kindName); write “host: { phone: ideal }”")
      return
    }
    var expanded: [Device] = []
    var addresses: [WrittenAddress] = []
    var places: [(device: Int, around: YAMLTree, index: Int, count: Int, radius: Int)] = []
    var directions: [Direction] = []
    for declaration in declarations(entries) {
      let count = declaration.count ?? 1
      let first = expanded.count
      if first + count > Self.deviceLimit {
        return note(declaration.entry.keyLocation, "more than \(Self.deviceLimit) devices; write a smaller count")
      }
      for index in 0..<count {
        let name = declaration.count == nil ? declaration.entry.key : "\(declaration.entry.key)-\(index + 1)"
        var body = declaration.entry.value
        if let member = declaration.members.first(where: { $0.number == index + 1 }) {
          body = merged(body, member.entry.value)
        }
        guard let fields = fields(body, tables.device) else { continue }
        var device = device(fields, name: name, group: declaration.entry.key, app, dialect: dialect)
        if declaration.count != nil, let shown = fields["display name"], case .scalar = shown.value, count > 1,
          declaration.members.first(where: { $0.number == index + 1 }) == nil
        {
          device.displayName += " \(index + 1)"
        }
        if let tree = fields["address"], let address = self.address(tree) {
          device.address = address
          let written = WrittenAddress(address: address, device: name, location: tree.location)
          refuseDuplicate(written, among: addresses)
          addresses.append(written)
        } else if let address = device.address {
          // What a recording says holds for the first device that plays it.
          if addresses.contains(where: { $0.address == address }) {
            device.address = nil
          } else {
            addresses.append(WrittenAddress(address: address, device: name, location: declaration.entry.keyLocation))
          }
        }
        if let around = fields["around"] {
          let radius = fields["radius"].flatMap {
            quantity($0, "“radius”", .length, 0...1_000_000, "0 m to 10 km")
          }
          places.append((expanded.count, around, index, count, Int(radius ?? 200)))
        } else {
          place(&device, fields, index: index, count: count)
        }
        if let direction = direction(of: device, at: expanded.count, fields) { directions.append(direction) }
        expanded.append(device)
      }
    }
    settle(places, in: &expanded)
    for direction in directions { direct(direction, in: &expanded) }
    finish(copied(expanded, lobbies, at: tree.location), at: tree.location)
  }

  /// Groups in the order of the file, with the entries that single out a member attached.
  private func declarations(_ entries: [YAMLTree.Entry]) -> [Declaration] {
    var result: [Declaration] = []
    var singled: [YAMLTree.Entry] = []
    let groups = entries.compactMap { entry -> (String, Int)? in
      guard case .mapping(let fields) = entry.value.value,
        let tree = fields.first(where: { $0.key == "count" })?.value
      else { return nil }
      return (entry.key, integer(tree, "“count”", 1...255) ?? 1)
    }
    for entry in entries {
      let group = groups.first { entry.key == $0.0 }
      if group == nil, groups.contains(where: { member(entry.key, of: $0) != nil }) {
        singled.append(entry)
      } else if isName(entry) {
        result.append(Declaration(entry: entry, count: group?.1))
      }
    }
    for entry in singled {
      for index in result.indices {
        guard let count = result[index].count,
          let number = member(entry.key, of: (result[index].entry.key, count))
        else { continue }
        result[index].members.append((number, entry))
      }
    }
    return result
  }

  private func member(_ name: String, of group: (String, Int)) -> Int? {
    guard name.hasPrefix(group.0 + "-"), let number = Int(name.dropFirst(group.0.count + 1)),
      (1...group.1).contains(number), name == "\(group.0)-\(number)"
    else { return nil }
    return number
  }

  func isName(_ entry: YAMLTree.Entry) -> Bool {
    let octets = Array(entry.key.utf8)
    let letters = octets.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    guard letters, octets.count <= 32, let first = octets.first, (0x61...0x7A).contains(first) else {
      note(
        entry.keyLocation,
        "“\(shown(entry.key))” is no device name; write up to 32 of a-z, 0-9 and “-”, beginning with a letter")
      return false
    }
    let plurals = language.apps.flatMap { $0.roles.map(\.plural) }
    if Self.reservedNames.contains(entry.key) || plurals.contains(entry.key) {
      note(entry.keyLocation, "“\(entry.key)” means something else in steps; give the device another name")
      return false
    }
    return true
  }

  /// The group's mapping with single keys of it replaced.
  private func merged(_ base: YAMLTree, _ changes: YAMLTree) -> YAMLTree {
    guard case .mapping(var entries) = base.value, case .mapping(let new) = changes.value else { return changes }
    for entry in new {
      entries.removeAll { $0.key == entry.key }
      entries.append(entry)
    }
    return YAMLTree(location: changes.location, value: .mapping(entries))
  }

  func device(
    _ fields: Fields, name: String, group: String, _ scenarioApp: (any SimulatedApp)?, dialect: DialectName
  ) -> Device {
    let app = self.app(fields["protocol"], scenarioApp)
    let role = app.map { self.role(fields["role"], of: $0, group: group) }
    let phone = fields["phone"].flatMap { self.phone($0) } ?? .ideal
    var device = Device(name: name, group: group, role: role?.role ?? AppRole(rawValue: ""), phone: phone)
    device.app = app?.name
    device.isBare = app == nil
    if app == nil { refuseAppKeys(fields, name) }
    device.leads = role?.leads ?? false
    device.takesPart = app?.takesPart ?? false
    if let app { device.dialect = app.name == scenarioApp?.name ? dialect : app.defaultDialect }
    if let tree = fields["lobby"], let word = text(tree, "“lobby”") { device.lobby = word }
    if let tree = fields["clock"] {
      if case .scalar("random", _) = tree.value {
        device.clockPartsPerMillion = nil
      } else {
        device.clockPartsPerMillion =
          quantity(tree, "“clock”", .clock, -500...500, "-500 ppm to 500 ppm, or random").map { Int($0) }
      }
    }
    if let tree = fields["interfaces"], let value = interfaces(tree) { device.interfaces = value }
    if let tree = fields["clock offset"], let value = clockOffset(tree) { device.clockOffsetMilliseconds = value }
    if let tree = fields["starts"], let value = duration(tree, "“starts”") { device.starts = .zero + value }
    if let tree = fields["engine"], let word = engine(tree, of: device) { device.engine = word }
    if let tree = fields["app"] { takeProgram(tree, fields, &device) }
    if let tree = fields["hostile"] { device.hostility = hostility(tree, of: device) }
    if let tree = fields["display name"], let word = text(tree, "“display name”") { device.displayName = word }
    if let tree = fields["dialect"], let app, let value = self.dialect(tree, of: app) { device.dialect = value }
    refuseForeignKeys(fields, app)
    device.settings = app?.settings(of: &device, fields, self)
    return device
  }

  /// Keys that only devices of another protocol have.
  private func refuseForeignKeys(_ fields: Fields, _ app: (any SimulatedApp)?) {
    for owner in language.apps where owner.name != app?.name {
      for key in owner.words.deviceKeys where fields[key.name] != nil {
        note(
          fields.keyLocation(key.name),
          "only a device with “protocol: \(owner.name)” has “\(key.name)”; write that protocol, or leave the key out")
      }
    }
  }

  private func takeProgram(_ tree: YAMLTree, _ fields: Fields, _ device: inout Device) {
    if fields["engine"] != nil {
      note(fields.keyLocation("app"), "“app” and “engine” are both there; keep one")
    }
    guard !device.isBare, let program = program(tree, of: device) else { return }
    device.program = program
    device.engine = program.name
  }

  private func clockOffset(_ tree: YAMLTree) -> Int? {
    let year: Int64 = 365 * 24 * 3_600_000_000_000
    guard let value = quantity(tree, "“clock offset”", .time, -year...year, "-8760h to 8760h") else { return nil }
    if value % 1_000_000 != 0 {
      return refuse(tree.location, "“clock offset” is finer than a millisecond; write whole milliseconds")
    }
    return Int(value / 1_000_000)
  }

  /// A bare controller has nothing to which these could be said.
  private func refuseAppKeys(_ fields: Fields, _ name: String) {
    for key in ["role", "lobby", "directed to", "engine", "app", "hostile", "display name", "dialect", "clock offset"]
    where fields[key] != nil {
      note(fields.keyLocation(key), "“\(name)” has no app; leave “\(key)” out, or name the protocol that it speaks")
    }
  }

  /// The protocol of a device; nil: it has no app.
  private func app(_ tree: YAMLTree?, _ scenarioApp: (any SimulatedApp)?) -> (any SimulatedApp)? {
    guard let tree else { return scenarioApp }
    guard let name = choice(tree, "protocol", from: language.appNames + [KeyTable.noApp]) else {
      return scenarioApp
    }
    return language.app(named: name)
  }

  /// By what is written, else by the name of the group, else the last that the protocol has.
  private func role(_ tree: YAMLTree?, of app: any SimulatedApp, group: String) -> RoleDescription {
    let usual = app.role(named: group) ?? app.roles[app.roles.count - 1]
    guard let tree, let word = choice(tree, "role", from: app.roles.map(\.role.rawValue)) else { return usual }
    return app.role(named: word) ?? usual
  }

  func dialect(_ tree: YAMLTree, of app: any SimulatedApp) -> DialectName? {
    guard let word = choice(tree, "dialect", from: app.dialects.map(\.rawValue)) else { return nil }
    return app.dialects.first { $0.rawValue == word }
  }

  func engine(_ tree: YAMLTree, of device: Device) -> String? {
    guard let name = text(tree, "“engine”") else { return nil }
    let engines = language.engines
    if engines.isEmpty || name == ScenarioLanguage.reference || engines.contains(name) {
      return fits(name, device, at: tree.location) ? name : nil
    }
    let known = [ScenarioLanguage.reference] + engines.filter { $0 != ScenarioLanguage.reference }
    return refuse(
      tree.location, "engine “\(shown(name))” does not exist; \(Suggestion.advice(for: name, in: known))")
  }

  func place(_ device: inout Device, _ fields: Fields, index: Int, count: Int) {
    if fields["from"] != nil || fields["to"] != nil {
      let first = required("from", fields, tables.device).flatMap { position($0, "“from”") }
      let last = required("to", fields, tables.device).flatMap { position($0, "“to”") }
      if let first, let last { device.position = Layout.line(from: first, to: last, count: count)[index] }
    } else if let tree = fields["at"] {
      if let position = position(tree, "“at”") { device.position = position }
    } else if let tree = fields["radius"] {
      note(tree.location, "“radius” needs a middle; write “around: host” beside it")
    }
  }

  /// Puts devices that stand around others in their places, those in the middle first.
  private func settle(
    _ places: [(device: Int, around: YAMLTree, index: Int, count: Int, radius: Int)], in devices: inout [Device]
  ) {
    let names = devices.map(\.name)
    var waiting = places
    while let first = waiting.first {
      let isReady = waiting.firstIndex { place in
        guard case .scalar(let name, _) = place.around.value, let middle = names.firstIndex(of: name) else {
          return true
        }
        return middle == place.device || !waiting.contains { $0.device == middle }
      }
      guard let next = isReady else {
        return note(
          first.around.location,
          "“\(names[first.device])” stands around a device that stands around it; give one of them a place with “at”")
      }
      let place = waiting.remove(at: next)
      put(place.device, place, in: &devices)
    }
  }

  /// Puts one device of a circle in its place, once the device in the middle has its own.
  private func put(
    _ device: Int, _ place: (device: Int, around: YAMLTree, index: Int, count: Int, radius: Int),
    in devices: inout [Device]
  ) {
    var centre: Position? = nil
    if case .scalar = place.around.value {
      let names = devices.map(\.name)
      guard let name = choice(place.around, "device", from: names), let other = names.firstIndex(of: name) else {
        return
      }
      if other == device {
        return note(place.around.location, "“\(name)” cannot stand around itself; write another device or a point")
      }
      centre = devices[other].position
    } else {
      centre = position(place.around, "“around”")
    }
    guard let centre else { return }
    let target = Layout.circle(around: centre, radius: place.radius, count: place.count)[place.index]
    if Layout.isWithinLimits(target) {
      devices[device].position = target
    } else {
      note(place.around.location, "the circle leaves the world; write places within -10 km to 10 km")
    }
  }

  /// Two that lead cannot be in one lobby: nobody could say which of them is meant by it.
  private func finish(_ expanded: [Device], at location: SourceLocation) {
    let leaders = expanded.filter(\.leads)
    for (index, leader) in leaders.enumerated() {
      let same = leaders.filter { $0.app == leader.app && $0.lobby == leader.lobby }
      guard same.count > 1, leaders[..<index].allSatisfy({ $0.app != leader.app || $0.lobby != leader.lobby }) else {
        continue
      }
      let app = leader.app.flatMap { language.app(named: $0) }
      let plural = app?.description(of: leader.role)?.plural ?? leader.role.rawValue
      note(
        location,
        "there are \(same.count) \(plural) in one lobby (\(same.map(\.name).joined(separator: ", "))); "
          + "write another “lobby: …” for each of them")
    }
    devices = leaders + expanded.filter { !$0.leads }
  }
}
