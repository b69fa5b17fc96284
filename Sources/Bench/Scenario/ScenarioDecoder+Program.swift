/// Programs: which one it is, where it runs, what it may take.
extension ScenarioDecoder {
  /// The program of a device, whose protocol is known; nil after noting what is wrong.
  func program(_ tree: YAMLTree, of device: Device) -> ScenarioProgram? {
    if let app = device.app, !language.programmable.contains(app) {
      return refuse(tree.location, "no program can be the app of \(device.name), which speaks \(app); leave “app” out")
    }
    if case .sequence = tree.value {
      return command(tree, "app", Fields(location: tree.location, entries: []))
    }
    guard case .mapping = tree.value else {
      if case .scalar(let text, _) = tree.value, text.hasSuffix(".yaml") || text.hasSuffix(".yml") {
        return refuse(
          tree.location,
          "“app” is the program itself, not a description; write the command that “\(shown(text))” has, such as "
            + "[python3, app.py]")
      }
      return refuse(
        tree.location,
        "“app” must be a list of words, not \(tree.kindName); write [./my-app], or [python3, app.py] for a script")
    }
    guard let fields = fields(tree, .program), let command = required("command", fields, .program),
      var program = self.command(command, "command", fields)
    else { return nil }
    if let tree = fields["seam"] {
      program.seam = seam(tree, of: device.app ?? "", hasGlue: language.glued.contains(device.app ?? ""))
    }
    if let tree = fields["ixit"] { program.limits = Keys.ixit.read(tree, self) }
    if let tree = fields["reports"], let reports = boolean(tree, "“reports”") { program.isMute = !reports }
    return program
  }

  /// A command with where it runs and in which environment.
  /// - Parameters:
  ///   - key: that holds it.
  ///   - fields: that hold `folder` and `environment`.
  package func command(_ tree: YAMLTree, _ key: String, _ fields: Fields) -> ScenarioProgram? {
    guard case .sequence(let items) = tree.value, !items.isEmpty else {
      return refuse(
        tree.location,
        "“\(key)” must be a list of words, not \(tree.isEmptyList ? "an empty one" : tree.kindName); write "
          + "[python3, iut.py], or [/bin/sh, -c, \"…\"] for a line of shell")
    }
    let own = fields["environment"].map(self.environment) ?? []
    let words = items.compactMap { word(of: $0, key) }
    guard words.count == items.count, let program = words.first, let folder = folder(fields["folder"]) else {
      return nil
    }
    let environment = Self.merged(programs.environment, own)
    switch programs.find(program, folder, environment) {
    case .found(let path):
      return ScenarioProgram(
        words: words,
        launch: ProgramLaunch(command: [path] + words.dropFirst(), directory: folder, environment: environment))
    case .refused(let text):
      return refuse(items[0].location, text)
    }
  }

  /// Where a program runs, absolute.
  private func folder(_ tree: YAMLTree?) -> String? {
    guard let tree else { return programs.folder }
    guard let written = text(tree, "“folder”") else { return nil }
    let folder = written.hasPrefix("/") ? written : programs.folder + "/" + written
    guard !written.unicodeScalars.contains("\0"), programs.refusal(folder) == nil else {
      return refuse(tree.location, "there is no folder “\(shown(written))”; a path starts in the folder of this file")
    }
    return folder
  }

  /// A word of a command; it may be empty when it is quoted.
  private func word(of tree: YAMLTree, _ key: String) -> String? {
    if case .scalar("", isPlain: false) = tree.value { return "" }
    guard let word = text(tree, "a word of “\(key)”") else { return nil }
    if !word.unicodeScalars.contains("\0") { return word }
    return refuse(tree.location, "a word of “\(key)” has a NUL character; leave it out")
  }

  /// - Parameters:
  ///   - app: the protocol's name.
  ///   - hasGlue: whether the bench has a BLE half for it.
  package func seam(_ tree: YAMLTree, of app: String, hasGlue: Bool) -> EngineSeam {
    let seam = choice(tree, "seam", from: EngineSeam.allCases.map(\.rawValue)).flatMap { EngineSeam(rawValue: $0) }
    if seam == .messages, !hasGlue {
      note(tree.location, "the bench has no BLE half for \(app); leave “seam” out")
    }
    return seam ?? .ble
  }

  private func environment(_ tree: YAMLTree) -> [String] {
    guard case .mapping(let entries) = tree.value else {
      if !tree.isEmpty { note(tree.location, "“environment” must be a mapping; write NAME: value") }
      return []
    }
    return entries.compactMap { entry in
      if entry.key.isEmpty || entry.key.contains("=") {
        return refuse(entry.keyLocation, "“\(shown(entry.key))” is no name of a variable; write NAME: value")
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
}

extension YAMLTree {
  fileprivate var isEmptyList: Bool { if case .sequence(let items) = value { items.isEmpty } else { false } }
}
