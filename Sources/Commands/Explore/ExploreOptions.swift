import ArgumentParser
import Bench
import Conformance
import Explore
import Judging

/// What worlds are drawn of, as the command line says it.
struct ExploreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How rough worlds are: \(WorldKind.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "kind"))
  var kind = WorldKind.noisy

  @Option(
    name: .customLong("protocol"), parsing: .singleValue,
    help: ArgumentHelp("Draw worlds of this protocol only; may be given several times.", valueName: "name"))
  var protocolNames: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Put an engine on a device, or on all of a role.", valueName: "who=name"))
  var engine: [String] = []

  /// What they come to.
  /// - Throws: `UsageProblem`.
  func options() throws -> WorldOptions {
    let known = protocols.filter { $0.worlds != nil }.map(\.name)
    if let problem = UsageProblem.unknown("protocol", in: protocolNames, known: known) { throw problem }
    var options = WorldOptions(kind: kind, protocols: protocolNames.isEmpty ? known : protocolNames)
    for text in engine {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw UsageProblem("--engine takes who=name, not “\(text)”; write host=reference") }
      let engines = protocols.flatMap(\.mutants).map(\.name) + [AppProtocol.reference]
      if let problem = UsageProblem.unknown("engine", in: [parts[1]], known: engines) { throw problem }
      options.engines.append((parts[0], parts[1]))
    }
    return options
  }

  /// The words that say the same again.
  var words: [String] {
    ["--kind", kind.rawValue] + protocolNames.flatMap { ["--protocol", $0] } + engine.flatMap { ["--engine", $0] }
  }
}

extension WorldKind: ExpressibleByArgument {}
