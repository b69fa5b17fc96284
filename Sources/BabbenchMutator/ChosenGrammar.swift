import BabFuzzing
import Fuzzing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The grammar that `BABBENCH_GRAMMAR` names: what `babbench fuzz parser --list` lists.
enum ChosenGrammar {
  static let variable = "BABBENCH_GRAMMAR"

  private static let all = (FuzzedDecoder.bab + FuzzedDecoder.general).map(\.grammar) + [.scenario] + InputGrammar.plain

  /// Ends the process with 64 for a name that is none: an engine would go on with mutations of no use.
  static let grammar: InputGrammar = {
    let name = getenv(variable).map { String(cString: $0) } ?? "octets"
    if let grammar = all.first(where: { $0.name == name }) { return grammar }
    let names = all.map(\.name).joined(separator: " ")
    let line = "babbench mutator: \(variable) is “\(name)”; it must be one of: \(names)\n"
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    exit(64)
  }()
}
