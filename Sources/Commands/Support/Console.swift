import Bench
import Conformance
import Judging
import SimKernel

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where words go: results on standard output, progress and diagnostics on standard error.
///
/// Text from packets, programs under test and files must not drive the terminal. Whoever lays it out keeps it in its
/// line (`ShownText.oneLine`); what was forgotten is written out here, at the last step. Octets pass as they are: those
/// are for programs.
enum Console {
  /// Progress is for eyes only; a file or a pipe never sees it.
  static let showsProgress = isatty(STDERR_FILENO) == 1

  /// Writes text to standard output at once, as `resultOrEnd(octets:)` does.
  static func resultOrEnd(_ text: String) {
    resultOrEnd(octets: Array((Paint.standardOutput.isOn ? Paint.keepingColours(text) : ShownText.lines(text)).utf8))
  }

  /// Writes UTF-8 to standard output at once; false when nobody reads it any more. What cannot be written for another
  /// reason ends the program: a result that is lost must not look like a pass.
  @discardableResult
  static func resultOrEnd(octets: [UInt8]) -> Bool {
    if write(octets, to: STDOUT_FILENO) { return true }
    if errno == EPIPE { return false }
    let reason = String(cString: strerror(errno))
    complain("error: standard output: \(reason)")
    exit(ExitCode.benchError.rawValue)
  }

  /// Writes text and a newline to standard error.
  static func complain(_ text: String) { write(ShownText.lines(text) + "\n", to: STDERR_FILENO) }

  /// Shows one line that the next one replaces; nothing when standard error is not a terminal.
  static func progress(_ text: String) {
    if showsProgress { write("\r\u{1B}[K" + ShownText.oneLine(text), to: STDERR_FILENO) }
  }

  /// Writes text as it is to standard error; nothing when that is not a terminal.
  static func diagram(_ text: String) {
    if showsProgress { write(text, to: STDERR_FILENO) }
  }

  /// Writes a line for eyes only, which stays.
  static func note(_ text: String) {
    if showsProgress { complain(text) }
  }

  /// Takes the progress line away.
  static func endProgress() {
    if showsProgress { write("\r\u{1B}[K", to: STDERR_FILENO) }
  }

  @discardableResult
  private static func write(_ text: String, to descriptor: Int32) -> Bool {
    write(Array(text.utf8), to: descriptor)
  }

  @discardableResult
  private static func write(_ octets: [UInt8], to descriptor: Int32) -> Bool {
    var rest = octets[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { buffer in
        #if canImport(Glibc)
          Glibc.write(descriptor, buffer.baseAddress, buffer.count)
        #else
          Darwin.write(descriptor, buffer.baseAddress, buffer.count)
        #endif
      }
      if written > 0 {
        rest = rest.dropFirst(written)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}

/// Whom a command talks to: two streams, or a test that listens.
struct Audience {
  /// Takes a result: text without its last line feed.
  var tell: (String) -> Void
  /// Takes a diagnostic.
  var complain: (String) -> Void

  /// Standard output and standard error, nothing held back.
  static var standard: Audience {
    Audience(tell: { Console.resultOrEnd($0 + "\n") }, complain: { Console.complain($0) })
  }

  /// Says what kept a command from its work.
  /// - Returns: the exit code.
  func refuse(_ error: any Error, _ code: Judging.ExitCode) -> Int32 {
    Console.endProgress()
    // What is wrong with a file begins with its place, for editors.
    complain(error is ScenarioProblems ? "\(error)" : "error: \(error)")
    return code.rawValue
  }

  /// Says what kept a command from a run, and whose fault it is: that of who wrote the command line or a file, or the
  /// bench's own.
  /// - Returns: the exit code.
  func refuse(_ error: any Error) -> Int32 {
    switch error {
    case is UsageProblem, is SessionProblem, is LiveSession.Refusal, is NoScenario, is ScenarioProblems,
      is AppProtocol.UnknownEngine:
      refuse(error, .usage)
    default: refuse(error, .benchError)
    }
  }
}

/// Colours for a terminal; plain text anywhere else, and wherever `NO_COLOR` is set (no-color.org).
struct Paint {
  var isOn: Bool

  /// For standard output.
  static let standardOutput = Paint(isOn: isatty(STDOUT_FILENO) == 1 && !isForbidden)

  private static var isForbidden: Bool {
    if let value = getenv("NO_COLOR"), value.pointee != 0 { return true }
    if let terminal = getenv("TERM") { return strcmp(terminal, "dumb") == 0 }
    return false
  }

  /// A text in which everything but colours is written out that must not reach a terminal.
  static func keepingColours(_ text: String) -> String {
    var result = ""
    for (number, part) in text.split(separator: "\u{1B}", omittingEmptySubsequences: false).enumerated() {
      if number == 0 {
        result += ShownText.lines(String(part))
      } else if let sequence = part.prefixMatch(of: #/\[[0-9]{1,2}m/#) {
        result += "\u{1B}" + sequence.output + ShownText.lines(String(part[sequence.range.upperBound...]))
      } else {
        result += ShownText.oneLine("\u{1B}") + ShownText.lines(String(part))
      }
    }
    return result
  }

  enum Colour: Int {
    case red = 31
    case green = 32
    case yellow = 33
    case dim = 2
    case bold = 1
  }

  func callAsFunction(_ text: String, _ colour: Colour) -> String {
    isOn ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
  }
}
