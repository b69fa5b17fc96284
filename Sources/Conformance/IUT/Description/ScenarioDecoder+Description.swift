import AppSeam
import Bench
import Judging

/// The keys of a description; the words around them (unknown keys, units, suggestions) are those of scenario files.
extension ScenarioDecoder {
  /// The protocol that the file names, or else the first one; nil after noting that there is no such protocol.
  func app(_ tree: YAMLTree, among apps: [AppProtocol]) -> AppProtocol? {
    guard case .mapping(let entries) = tree.value, let entry = entries.first(where: { $0.key == "protocol" }) else {
      return apps.first
    }
    return choice(entry.value, "protocol", from: apps.flatMap { [$0.name] + $0.app.spellings })
      .flatMap { name in apps.first { $0.isCalled(name) } }
  }

  /// Nil when there were problems.
  func description(
    _ tree: YAMLTree, of app: AppProtocol
  ) -> IUTDescription.Contents? {
    guard let fields = fields(tree, .iutDescription(of: app)) else { return nil }
    let advice = "write " + app.roles.map { "role: \($0.rawValue)" }.joined(separator: " or ")
    let word = needed("role", fields, advice).flatMap { choice($0, "role", from: app.roles.map(\.rawValue)) }
    let role = app.roles.first { $0.rawValue == word }
    let name = fields["name"].flatMap { text($0, "“name”") } ?? fileName
    let dialects = fields["dialects"].flatMap { self.dialects($0, of: app) }
    let ics = fields["ics"].flatMap { self.ics($0, of: app) }
    let profile = fields["profile"].flatMap { choice($0, "profile", from: app.profiles.map(\.name)) }
    let seam = fields["seam"].map { self.seam($0, of: app.name, hasGlue: app.glue != nil) } ?? .ble
    let limits = fields["ixit"].map { Keys.ixit.read($0, self) } ?? ProgramLimits()
    let waivers = fields["waivers"].map(self.waivers) ?? []
    let phone = fields["phone"].flatMap(self.phone)
    let source = source(fields, of: app, role: role)
    guard let role, let source else { return nil }
    return IUTDescription.Contents(
      app: app, name: name, role: role, dialects: dialects, ics: ics, profile: profile.flatMap(app.profile),
      source: source, seam: seam, limits: limits, waivers: waivers, phone: phone)
  }

  private func needed(_ key: String, _ fields: Fields, _ advice: String) -> YAMLTree? {
    if let tree = fields[key] { return tree }
    return refuse(fields.location, "“\(key)” is missing; \(advice)")
  }

  private var fileName: String {
    let last = file.split(separator: "/").last.map(String.init) ?? file
    return [".yaml", ".yml"].first { last.hasSuffix($0) }.map { String(last.dropLast($0.count)) } ?? last
  }

  // MARK: The program

  private func source(
    _ fields: Fields, of app: AppProtocol, role: AppRole?
  ) -> IUTDescription.Contents.Source? {
    switch (fields["command"], fields["builtin"]) {
    case (let command?, nil):
      return self.command(command, "command", fields).map { .program($0.launch) }
    case (nil, let builtin?):
      for key in ["ixit", "environment", "folder"] where fields[key] != nil {
        note(fields.keyLocation(key), "“\(key)” is for a program; leave it out beside “builtin”")
      }
      if let seam = fields["seam"], case .scalar("messages", _) = seam.value {
        note(fields.keyLocation("seam"), "engines of the bench have a BLE half of their own; leave “seam” out")
      }
      return role.flatMap { engine(builtin, of: app, $0) }
    case (_?, _?):
      note(fields.keyLocation("builtin"), "“command” and “builtin” are both there; keep one")
    case (nil, nil):
      note(
        fields.location,
        "nothing says what is to be tested; write command: [program, arguments] or builtin: reference")
    }
    return nil
  }

  private func engine(
    _ tree: YAMLTree, of app: AppProtocol, _ role: AppRole
  ) -> IUTDescription.Contents.Source? {
    let names = app.engineNames(role: role)
    guard let name = choice(tree, "engine", from: names) else { return nil }
    return (try? app.engineMaker(name: name, role: role)).map { .builtIn($0, name: name) }
  }

  // MARK: The rest

  private func dialects(_ tree: YAMLTree, of app: AppProtocol) -> [DialectName]? {
    guard let items = items(tree, "“dialects”") else { return nil }
    var dialects: [DialectName] = []
    for item in items {
      let word = choice(item, "dialect", from: app.dialects.map(\.rawValue))
      guard let dialect = word.flatMap({ word in app.dialects.first { $0.rawValue == word } }) else { continue }
      if dialects.contains(dialect) { note(item.location, "dialect “\(dialect.rawValue)” is there twice; keep one") }
      dialects.append(dialect)
    }
    if items.isEmpty { note(tree.location, "“dialects” is empty; name at least one, or leave it out for all") }
    return dialects
  }

  /// Nil for an empty list too: it says as much as none.
  private func ics(_ tree: YAMLTree, of app: AppProtocol) -> ICS? {
    if case .scalar("all", _) = tree.value { return app.everything }
    if case .scalar = tree.value, !tree.isEmpty {
      return refuse(tree.location, "“ics” is neither a list nor the word all; write all, or for example [roles, turns]")
    }
    guard let items = items(tree, "“ics”"), !items.isEmpty else { return nil }
    return app.statement(of: items.compactMap { choice($0, "ICS item", from: app.statementWords) })
  }

  private func waivers(_ tree: YAMLTree) -> [Waiver] {
    (items(tree, "“waivers”") ?? []).compactMap { item in
      guard let fields = fields(item, .waiver) else { return nil }
      let cases = needed("cases", fields, "write cases: and a test purpose").flatMap { text($0, "“cases”") }
      let reason = needed("reason", fields, "say why the failure is accepted").flatMap { text($0, "“reason”") }
      guard let cases, let reason else { return nil }
      return Waiver(pattern: cases, reason: reason)
    }
  }
}
