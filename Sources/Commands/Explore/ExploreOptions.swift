import ArgumentParser
import Bench
import Conformance
import Explore
import Judging
import Shrink

/// What worlds are drawn of, as the command line says it.
struct ExploreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How harsh worlds are: \(WorldKind.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "kind"))
  var kind = WorldKind.noisy

  @Option(
    name: .customLong("protocol"), parsing: .singleValue,
    help: ArgumentHelp("Draw worlds of this protocol only; may be given several times.", valueName: "name"))
  var protocolNames: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Run this engine on a device, or on all devices of a role.", valueName: "who=name"))
  var engine: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Run this program as the app of a device, or of all devices of a role.", valueName: "who=[program,…]"))
  var app: [String] = []

  @Option(
    help: ArgumentHelp(
      "Vary this scenario: its room, phones and places, with faults among its steps.", valueName: "scenario"),
    completion: .scenarios)
  var like: String?

  /// What they come to.
  /// - Throws: `UsageProblem`.
  func options() throws -> WorldOptions {
    let known = protocols.filter { $0.worlds != nil }.map(\.name)
    if let problem = UsageProblem.unknown("protocol", in: protocolNames, known: known) { throw problem }
    let meeting = protocols.filter { $0.worlds != nil && $0.takesPart }.map(\.name)
    if !protocolNames.isEmpty, !protocolNames.contains(where: meeting.contains) {
      throw UsageProblem(
        "devices of these protocols never meet; add " + Suggestion.alternatives(meeting.map { "--protocol \($0)" }))
    }
    var options = WorldOptions(kind: kind, protocols: protocolNames.isEmpty ? known : protocolNames)
    for text in engine {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw UsageProblem("--engine takes who=name, not “\(text)”; write host=reference") }
      let engines = protocols.flatMap(\.mutants).map(\.name) + [AppProtocol.reference]
      if let problem = UsageProblem.unknown("engine", in: [parts[1]], known: engines) { throw problem }
      options.engines.append((parts[0], parts[1]))
      options.placements.append(.init("--engine", who: parts[0], value: parts[1], engine: parts[1]))
    }
    for text in app {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2,
        case .success(let tree) = ScenarioReader.tree(
          octets: Array("app: \(parts[1])".utf8), file: "--app", kind: .scenario),
        case .mapping(let entries) = tree.value, let value = entries.first?.value
      else { throw UsageProblem("--app takes who=[program,…], not “\(text)”; write client=[./my-app]") }
      let spoken = options.protocols.filter { ScenarioLanguage.shipped.programmable.contains($0) }
      options.programs.append((parts[0], spoken.first, value))
      options.placements.append(.init("--app", who: parts[0], value: parts[1], engine: nil))
    }
    return options
  }

  /// What draws them.
  func draw(on bench: Bench) throws -> WorldDraw {
    let options = try options()
    guard let like else { return WorldDraw(options, language: .shipped) }
    let path = try ScenarioLibrary.shipped.path(of: like)
    let scenario = try bench.load(path, [])
    let octets = try ScenarioFile.octets(of: path, kind: .scenario).get()
    var tree = try ScenarioReader.tree(octets: octets, file: path, language: .shipped, overrides: []).get()
    for (who, engine) in options.engines {
      let override = ScenarioOverride("devices.\(who).engine=\(engine)")
      tree = try ScenarioReader.tree(
        octets: octets, file: path, language: .shipped, overrides: override.map { [$0] } ?? []
      ).get()
    }
    let read = ExploreRun.trials(on: bench, file: path).read
    return WorldDraw(options, like: tree, scenario, language: .shipped) { tree in
      if case .success = read(ScenarioText.text(of: tree)) { return true }
      return false
    }
  }

  /// The file in whose place worlds are read.
  func file() throws -> String { try like.map { try ScenarioLibrary.shipped.path(of: $0) } ?? "world.yaml" }

  /// The words that say the same again.
  var words: [String] {
    var words = ["--kind", kind.rawValue]
    for (option, values) in [("--protocol", protocolNames), ("--engine", engine), ("--app", app)] {
      for value in values { words += [option, value] }
    }
    if let like { words += ["--like", like] }
    return words
  }
}

extension WorldKind: ExpressibleByArgument {}
