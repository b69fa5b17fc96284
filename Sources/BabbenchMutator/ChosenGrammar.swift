import BabFuzzing
import Fuzzing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The grammar that `BABBENCH_GRAMMAR` names (what `babbench fuzz parser --list` lists), with the words of the file
/// that `BABBENCH_DICTIONARY` names.
enum ChosenGrammar {
  private static let variable = "BABBENCH_GRAMMAR"
  private static let wordsVariable = "BABBENCH_DICTIONARY"
  private static let fileLimit = 1 << 20

  private static let all = (FuzzedDecoder.bab + FuzzedDecoder.general).map(\.grammar) + [.scenario] + InputGrammar.plain

  /// Ends the process with 64 for a name that is none: an engine would go on with mutations of no use.
  static let grammar: InputGrammar = {
    let name = getenv(variable).map { String(cString: $0) } ?? "octets"
    guard let grammar = all.first(where: { $0.name == name }) else {
      leave("\(variable) is “\(name)”; it must be one of: \(all.map(\.name).joined(separator: " "))")
    }
    return grammar.adding(words: words())
  }()

  private static func words() -> [[UInt8]] {
    guard let path = getenv(wordsVariable).map({ String(cString: $0) }) else { return [] }
    guard let file = fopen(path, "rb") else { leave("\(path): \(String(cString: strerror(errno)))") }
    defer { fclose(file) }
    var octets = [UInt8](repeating: 0, count: fileLimit)
    octets.removeLast(fileLimit - fread(&octets, 1, fileLimit, file))
    do throws(WordList.Refusal) {
      return try WordList.read(parsing: octets)
    } catch {
      leave("\(path):\(error.line):1: \(error.reason)")
    }
  }

  private static func leave(_ reason: String) -> Never {
    let line = "babbench mutator: \(reason)\n"
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    exit(64)
  }
}
