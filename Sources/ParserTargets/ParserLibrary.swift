import CParserHost
package import Fuzzing

/// A parser in a shared library that exports `LLVMFuzzerTestOneInput`, in this process: a trap of it ends the process.
///
/// A library that was built with `-fsanitize-coverage=trace-pc-guard` or `inline-8bit-counters` (`-fsanitize=fuzzer`
/// has the latter) says by its coverage what is new. The process that opens one must export the functions which such
/// code calls; the executables of this package do.
///
/// Not modelled: comparisons of two variables, and of whole strings (`memcmp`); a word list has to name those.
package final class ParserLibrary: Sendable {
  private let function: parser_function
  /// Edges that are counted; 0: no coverage in it.
  package let counters: Int

  /// - Parameter path: with a slash, or the system looks for it where libraries are.
  package init(path: String) throws(ParserProblem) {
    guard let function = parser_open(path) else {
      throw ParserProblem(String(cString: parser_problem()), isUsage: true)
    }
    self.function = function
    counters = parser_counters()
  }

  /// The parser as the fuzzer sees it.
  /// - Parameter name: what findings call it.
  package func decoder(_ name: String, _ grammar: InputGrammar) -> FuzzedDecoder {
    let (function, hasCoverage) = (function, counters > 0)
    _ = parser_take_new()
    let hints: (@Sendable () -> [[UInt8]])? = hasCoverage ? Self.constants : nil
    return FuzzedDecoder(parser: name, grammar, isBlind: !hasCoverage, hints: hints) { input in
      let result: Int32 = input.withUnsafeBufferPointer { parser_run(function, $0.baseAddress, $0.count) }
      if hasCoverage { return .ran(isNew: parser_take_new() > 0) }
      return .accepted(kind: UInt64(bitPattern: Int64(result)), canonical: nil)
    }
  }

  /// What comparisons of the parser looked for, with either end first.
  @Sendable private static func constants() -> [[UInt8]] {
    let limit = 256
    var values = [UInt64](repeating: 0, count: limit)
    var widths = [UInt8](repeating: 0, count: limit)
    let count = parser_constants(&values, &widths, limit)
    var words: [[UInt8]] = []
    for index in 0..<count {
      let octets = (0..<Int(widths[index])).map { UInt8(truncatingIfNeeded: values[index] >> UInt64(8 * $0)) }
      words.append(octets)
      words.append(Array(octets.reversed()))
    }
    return words
  }

  /// Notes a fatal signal before it ends this process, and limits how much memory the process may reserve.
  /// - Parameters:
  ///   - place: shared with whoever asks afterwards, `CrashPlace.octets` long.
  ///   - memory: octets besides what is reserved now.
  package static func guardProcess(noting place: UnsafeMutableRawPointer, memory: UInt64) {
    parser_watch(place.bindMemory(to: parser_crash.self, capacity: 1))
    parser_limit_memory(memory)
  }
}
