import AppSeam
import Bench
import Foundation
import Judging

/// The keys of a description; the words around them (unknown keys, units, suggestions) are those of scenario files.
extension ScenarioDecoder {
  private static let octets = Dimension(
    name: "size",
    units: [("MiB", 1 << 20), ("GiB", 1 << 30), ("MB", 1_000_000), ("GB", 1_000_000_000)],
    examples: "512 MiB or 2 GiB")

  /// The protocol that the file names, or else the first one; nil after noting that there is no such protocol.
  func app(_ tree: YAMLTree, among apps: [AppProtocol]) -> AppProtocol? {
    guard case .mapping(let entries) = tree.value, let entry = entries.first(where: { $0.key == "protocol" }) else {
      return apps.first
    }
    return choice(entry.value, "protocol", from: apps.map(\.name)).flatMap { name in apps.first { $0.name == name } }
  }

  /// Nil when there were problems.
  func description(
    _ tree: YAMLTree, inherited: [String], of app: AppProtocol
  ) -> IUTDescription.Contents? {
    guard let fields = fields(tree, .iutDescription(of: app)) else { return nil }
    let advice = "write " + app.roles.map { "role: \($0.rawValue)" }.joined(separator: " or ")
    let word = needed("role", fields, advice).flatMap { choice($0, "role", from: app.roles.map(\.rawValue)) }
    let role = app.roles.first { $0.rawValue == word }
    let name = fields["name"].flatMap { text($0, "“name”") } ?? fileName
    let dialects = fields["dialects"].flatMap { self.dialects($0, of: app) }
    let ics = fields["ics"].flatMap { self.ics($0, of: app) }
    let profile = fields["profile"].flatMap { choice($0, "profile", from: app.profiles.map(\.name)) }
    let seam = fields["seam"].flatMap { self.seam($0, of: app) } ?? .ble
    let limits = fields["ixit"].map(self.limits) ?? IUTLimits()
    let own = fields["environment"].map(self.environment) ?? []
    let waivers = fields["waivers"].map(self.waivers) ?? []
    let source = source(fields, of: app, role: role, environment: Self.merged(inherited, own))
    guard let role, let source else { return nil }
    return IUTDescription.Contents(
      app: app, name: name, role: role, dialects: dialects, ics: ics, profile: profile.flatMap(app.profile),
      source: source, seam: seam, limits: limits, waivers: waivers)
  }

  private func needed(_ key: String, _ fields: Fields, _ advice: String) -> YAMLTree? {
    if let tree = fields[key] { return tree }
    note(fields.location, "“\(key)” is missing; \(advice)")
    return nil
  }

  private var fileName: String {
    let last = file.split(separator: "/").last.map(String.init) ?? file
    return [".yaml", ".yml"].first { last.hasSuffix($0) }.map { String(last.dropLast($0.count)) } ?? last
  }

  // MARK: The program

  private func source(
    _ fields: Fields, of app: AppProtocol, role: AppRole?, environment: [String]
  ) -> IUTDescription.Contents.Source? {
    switch (fields["command"], fields["builtin"]) {
    case (let command?, nil):
      return launch(command, environment).map { .program($0) }
    case (nil, let builtin?):
      for key in ["ixit", "environment"] where fields[key] != nil {
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

  private func launch(_ tree: YAMLTree, _ environment: [String]) -> IUTLaunch? {
    guard case .sequence(let items) = tree.value, !items.isEmpty else {
      note(
        tree.location,
        "“command” must be a list of words, not \(tree.kindName); write [python3, iut.py], "
          + "or [/bin/sh, -c, \"…\"] for a line of shell")
      return nil
    }
    let words = items.compactMap { word(of: $0) }
    guard words.count == items.count, let program = words.first else { return nil }
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().standardizedFileURL.path
    guard let found = executable(program, folder, environment, items[0].location) else { return nil }
    return IUTLaunch(command: [found] + words.dropFirst(), directory: folder, environment: environment)
  }

  /// A word of a command; it may be empty when it is quoted.
  private func word(of tree: YAMLTree) -> String? {
    if case .scalar("", isPlain: false) = tree.value { return "" }
    guard let word = text(tree, "a word of “command”") else { return nil }
    if !word.unicodeScalars.contains("\0") { return word }
    note(tree.location, "a word of “command” has a NUL character; leave it out")
    return nil
  }

  /// The program as it can be started: words with a slash start in the file's folder, others are looked for in PATH.
  private func executable(
    _ program: String, _ folder: String, _ environment: [String], _ location: SourceLocation
  ) -> String? {
    let shown = shown(program)
    if program.contains("/") {
      let path = program.hasPrefix("/") ? program : folder + "/" + program
      return isExecutable(path, shown, location) ? path : nil
    }
    let path = environment.last { $0.hasPrefix("PATH=") }.map { $0.dropFirst(5) } ?? "/usr/bin:/bin"
    for directory in path.split(separator: ":") where directory.hasPrefix("/") {
      let candidate = directory + "/" + program
      if Self.isFile(candidate), FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
    }
    let near = Self.isFile(folder + "/" + program)
    note(
      location,
      near
        ? "“\(shown)” is not in PATH; write ./\(shown) for the file beside this one"
        : "there is no program “\(shown)” in PATH; install it, or write its path")
    return nil
  }

  private func isExecutable(_ path: String, _ shown: String, _ location: SourceLocation) -> Bool {
    guard Self.isFile(path) else {
      note(location, "there is no file “\(shown)”; a path starts in the folder of this file")
      return false
    }
    guard FileManager.default.isExecutableFile(atPath: path) else {
      note(location, "“\(shown)” may not be executed; chmod +x it, or write its interpreter before it")
      return false
    }
    return true
  }

  private static func isFile(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && !isDirectory.boolValue
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

  private func ics(_ tree: YAMLTree, of app: AppProtocol) -> ICS? {
    if case .scalar("all", _) = tree.value { return app.everything }
    if case .scalar = tree.value, !tree.isEmpty {
      note(tree.location, "“ics” is neither a list nor the word all; write all, or for example [roles, turns]")
      return nil
    }
    guard let items = items(tree, "“ics”") else { return nil }
    return app.statement(of: items.compactMap { choice($0, "ICS item", from: app.statementWords) })
  }

  private func seam(_ tree: YAMLTree, of app: AppProtocol) -> EngineSeam? {
    let seam = choice(tree, "seam", from: EngineSeam.allCases.map(\.rawValue)).flatMap { EngineSeam(rawValue: $0) }
    if seam == .messages, app.glue == nil {
      note(tree.location, "the bench has no BLE half for \(app.name); leave “seam” out")
    }
    return seam
  }

  private func limits(_ tree: YAMLTree) -> IUTLimits {
    var limits = IUTLimits()
    guard let fields = fields(tree, .ixit) else { return limits }
    func milliseconds(_ key: String) -> Int? {
      fields[key].flatMap {
        quantity($0, "“\(key)”", .wallTime, 1...36_000_000, "1ms to 10h").map { Int($0) }
      }
    }
    limits.answerMilliseconds = milliseconds("answer-timeout") ?? limits.answerMilliseconds
    limits.startMilliseconds = milliseconds("start-timeout") ?? limits.startMilliseconds
    limits.launchMilliseconds = milliseconds("launch-timeout") ?? limits.launchMilliseconds
    limits.endMilliseconds = milliseconds("end-timeout") ?? limits.endMilliseconds
    if let tree = fields["memory-limit"],
      let octets = quantity(tree, "“memory-limit”", Self.octets, 1 << 20...1 << 40, "1 MiB to 1024 GiB")
    {
      limits.memoryOctets = Int(octets)
    }
    return limits
  }

  private func environment(_ tree: YAMLTree) -> [String] {
    guard case .mapping(let entries) = tree.value else {
      if !tree.isEmpty { note(tree.location, "“environment” must be a mapping; write NAME: value") }
      return []
    }
    return entries.compactMap { entry in
      if entry.key.isEmpty || entry.key.contains("=") {
        note(entry.keyLocation, "“\(shown(entry.key))” is no name of a variable; write NAME: value")
        return nil
      }
      if case .scalar("", _) = entry.value.value { return entry.key + "=" }
      return text(entry.value, "“\(shown(entry.key))”").map { entry.key + "=" + $0 }
    }
  }

  /// The inherited variables without those that are set again.
  private static func merged(_ inherited: [String], _ own: [String]) -> [String] {
    func name(_ entry: String) -> Substring { entry.prefix { $0 != "=" } }
    let names = own.map(name)
    return inherited.filter { !names.contains(name($0)) } + own
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

extension ScenarioDecoder.Dimension {
  /// Milliseconds of the wall clock.
  fileprivate static var wallTime: Self {
    Self(
      name: "duration", units: [("ms", 1), ("s", 1_000), ("min", 60_000), ("h", 3_600_000)],
      examples: "500ms, 5s or 1min")
  }
}
