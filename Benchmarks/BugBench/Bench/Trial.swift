#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What one hunt with one seed came to.
struct Trial: Sendable {
  var isFound: Bool
  var executions: Int
  /// CPU time of all processes, user and system, seconds.
  var seconds: Double
}

/// Who hunts.
enum Hunter: String, CaseIterable, Sendable {
  /// The fuzzer of the product.
  case ours
  /// Uniformly random octets, the same harness and judge.
  case random
  /// Parsers: libFuzzer with its own mutators and an empty corpus. Worlds: octet mutations of recorded units, without
  /// structure and without what was new before.
  case plain
}

extension Trial {
  /// As one process tells it to another.
  var line: String { "\(isFound ? "found" : "not-found") \(executions) \(seconds)" }

  init?(line: String) {
    let words = line.split(separator: " ")
    guard words.count == 3, let executions = Int(words[1]), let seconds = Double(words[2]) else { return nil }
    self.init(isFound: words[0] == "found", executions: executions, seconds: seconds)
  }
}
