import BluetoothWire
import SimKernel
import VirtualNetwork

/// Reads scenario files: `Docs/Formats/scenario.md` has the format.
///
/// Total: every sequence of octets gives a scenario or at least one problem with its place, in bounded time.
public enum ScenarioReader {
  /// Larger files are refused unread.
  public static let sizeLimit = 1 << 20

  /// - Parameters:
  ///   - octets: the file, UTF-8.
  ///   - file: how messages call it; its last part names a scenario that has no name.
  ///   - overrides: changes that are made before the scenario is decoded.
  ///   - language: the protocols and engines it may name.
  ///   - profiles: where profiles come from that the scenario names.
  ///   - programs: where programs are that the scenario names.
  public static func read(
    octets: [UInt8], file: String, language: ScenarioLanguage, overrides: [ScenarioOverride] = [],
    profiles: ProfileSource = .none, programs: ProgramFinder = .none
  ) -> Result<Scenario, ScenarioProblems> {
    switch Self.text(octets, .scenario) {
    case .failure(let refusal): return .failure(problem(refusal, file))
    case .success(let text):
      return decode(
        text, language, overrides,
        ScenarioDecoder(
          file: file, language: language, profiles: profiles, programs: programs))
    }
  }

  /// As above, from a text.
  public static func read(
    text: String, file: String, language: ScenarioLanguage, overrides: [ScenarioOverride] = [],
    profiles: ProfileSource = .none, programs: ProgramFinder = .none
  ) -> Result<Scenario, ScenarioProblems> {
    read(
      octets: Array(text.utf8), file: file, language: language, overrides: overrides, profiles: profiles,
      programs: programs)
  }

  /// Reads a scenario as far as YAML goes and applies overrides to it; nothing is decoded.
  package static func tree(
    octets: [UInt8], file: String, language: ScenarioLanguage, overrides: [ScenarioOverride]
  ) -> Result<YAMLTree, ScenarioProblems> {
    tree(octets: octets, file: file, kind: .scenario).flatMap { tree in
      var tree = tree
      do throws(YAMLTree.Refusal) {
        for (index, override) in overrides.enumerated() {
          try override.apply(to: &tree, number: index + 1, tables: language.tables)
        }
      } catch {
        return .failure(problem(error, file))
      }
      return .success(tree)
    }
  }

  /// Reads a file of another kind as far as YAML goes.
  package static func tree(octets: [UInt8], file: String, kind: DocumentKind) -> Result<YAMLTree, ScenarioProblems> {
    switch text(octets, kind) {
    case .failure(let refusal): return .failure(problem(refusal, file))
    case .success(let text):
      do {
        return .success(try YAMLTree.parse(text, kind))
      } catch {
        return .failure(problem(error, file))
      }
    }
  }

  private static func problem(_ refusal: YAMLTree.Refusal, _ file: String) -> ScenarioProblems {
    ScenarioProblems(list: [ScenarioProblem(file: file, location: refusal.location, message: refusal.message)])
  }

  /// Checks that the octets are text at all, before a parser sees them.
  private static func text(_ octets: [UInt8], _ kind: DocumentKind) -> Result<String, YAMLTree.Refusal> {
    func refused(_ line: Int, _ column: Int, _ message: String) -> Result<String, YAMLTree.Refusal> {
      .failure(YAMLTree.Refusal(location: SourceLocation(line: line, column: column), message: message))
    }
    if octets.count > sizeLimit {
      return refused(1, 1, "the file has \(octets.count) octets; \(kind.noun) has at most \(sizeLimit)")
    }
    if octets.starts(with: [0xFF, 0xFE]) || octets.starts(with: [0xFE, 0xFF]) {
      return refused(1, 1, "the file is UTF-16; save it as UTF-8")
    }
    let body = octets.starts(with: [0xEF, 0xBB, 0xBF]) ? octets.dropFirst(3) : octets[...]
    var line = 1
    var column = 1
    for octet in body {
      if octet < 0x20, octet != 0x09, octet != 0x0A, octet != 0x0D {
        let digits = String(hexadecimal: octet, digits: 2, uppercase: true)
        return refused(line, column, "this is a binary file (octet \(digits)); write YAML text in UTF-8")
      }
      if octet == 0x0A {
        line += 1
        column = 1
      } else if octet & 0xC0 != 0x80 {
        column += 1
      }
    }
    guard let text = String(validating: body, as: UTF8.self) else {
      let place = firstInvalid(body)
      return refused(place.line, place.column, "this is not UTF-8 text; write YAML text in UTF-8")
    }
    if text.allSatisfy(\.isWhitespace) {
      return refused(1, 1, kind.empty)
    }
    return .success(text)
  }

  /// Where the first octet stands that is not part of a well-formed scalar.
  private static func firstInvalid(_ octets: ArraySlice<UInt8>) -> SourceLocation {
    var place = SourceLocation(line: 1, column: 1)
    var decoder = UTF8()
    var iterator = octets.makeIterator()
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      if scalar == "\n" {
        place.line += 1
        place.column = 1
      } else {
        place.column += 1
      }
    }
    return place
  }

  private static func decode(
    _ text: String, _ language: ScenarioLanguage, _ overrides: [ScenarioOverride], _ decoder: ScenarioDecoder
  ) -> Result<Scenario, ScenarioProblems> {
    var tree: YAMLTree
    do {
      tree = try YAMLTree.parse(text)
    } catch {
      return .failure(problem(error, decoder.file))
    }
    for (index, override) in overrides.enumerated() {
      do {
        try override.apply(to: &tree, number: index + 1, tables: language.tables)
      } catch {
        decoder.note(error.location, error.message)
      }
    }
    let scenario = decoder.scenario(tree)
    guard let scenario, decoder.problems.isEmpty else { return .failure(decoder.sortedProblems) }
    return .success(scenario)
  }
}

extension ScenarioDecoder {
  /// Decodes the whole tree; nil when there were problems.
  func scenario(_ tree: YAMLTree) -> Scenario? {
    if let mistake = DocumentKind.scenario.mistake(tree) { return refuse(tree.location, mistake) }
    guard let fields = fields(tree, tables.scenario) else { return nil }
    var scenario = Scenario(name: baseName, devices: [])
    if let tree = fields["name"], let value = text(tree, "“name”") { scenario.name = value }
    if let tree = fields["summary"], let value = text(tree, "“summary”") { scenario.summary = value }
    if let tree = fields["seed"], let value = seed(tree) { scenario.seed = value }
    if let tree = fields["duration"], let value = duration(tree, "“duration”") { scenario.duration = value }
    if let tree = fields["limits"] { scenario.limits = Keys.limits.read(tree, self) }
    if let tree = fields["radio"] { room(tree, into: &scenario) }
    let app = app(fields["protocol"]) ?? language.apps.first
    if let app { scenario.dialect = fields["dialect"].flatMap { dialect($0, of: app) } ?? app.defaultDialect }
    if let tree = fields["lobbies"] { scenario.lobbies = lobbies(tree) }
    if let tree = required("devices", fields, tables.scenario) {
      devices(tree, scenario.lobbies, app: app, dialect: scenario.dialect)
    }
    scenario.apps = apps(fields)
    scenario.network = network(fields["network"], isUsed: scenario.apps.contains { $0.app.usesNetwork })
    stories(fields, into: &scenario)
    if let tree = fields["claims"] { scenario.claims = claims(tree) }
    scenario.devices = devices
    if scenario.network != nil, devices.count > NetworkWorld.mostStations, let tree = fields["devices"] {
      note(
        tree.location,
        "a room with a network takes at most \(NetworkWorld.mostStations) devices, not \(devices.count); write fewer,"
          + " or “network: none”")
    }
    if scenario.duration > scenario.limits.simulatedTime, let tree = fields["duration"] ?? fields["limits"] {
      note(tree.location, "the duration is longer than the simulated-time limit; raise “simulated time” in “limits”")
    }
    return problems.isEmpty ? scenario : nil
  }

  /// The protocol that a key names; nil when it is absent, or wrong and noted.
  private func app(_ tree: YAMLTree?) -> (any SimulatedApp)? {
    guard let tree, let name = choice(tree, "protocol", from: language.appNames) else { return nil }
    return language.app(named: name)
  }

  /// The protocols that devices speak, with their settings. Settings are read, and their mistakes found, in any case.
  private func apps(_ fields: Fields) -> [ScenarioApp] {
    let read = language.apps.map { app in
      ScenarioApp(app: app, settings: app.settings(app.words.settingsKey.flatMap { fields[$0.name] }, self))
    }
    var apps: [ScenarioApp] = []
    for device in devices {
      guard let app = read.first(where: { $0.app.name == device.app }) else { continue }
      if !apps.contains(where: { $0.app.name == device.app }) { apps.append(app) }
    }
    return apps
  }

  private var baseName: String {
    let last = file.split(separator: "/").last.map(String.init) ?? file
    return last.hasSuffix(".yaml") ? String(last.dropLast(5)) : last
  }
}
