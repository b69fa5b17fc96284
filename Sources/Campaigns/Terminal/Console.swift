import Foundation
import Judging
import SimKernel

/// Where words go: results on standard output, progress and diagnostics on standard error.
///
/// Text from packets, programs under test and files must not drive the terminal. Whoever lays it out keeps it in its
/// line (`ShownText.oneLine`); what was forgotten is written out here, at the last step. Octets pass as they are: those
/// are for programs.
package enum Console {
  /// Progress is for eyes only; a file or a pipe never sees it.
  package static let showsProgress = isatty(STDERR_FILENO) == 1

  /// Writes text to standard output at once, as `resultOrEnd(octets:)` does.
  package static func resultOrEnd(_ text: String) {
    resultOrEnd(octets: Array((Paint.standardOutput.isOn ? Paint.keepingColours(text) : ShownText.lines(text)).utf8))
  }

  /// Writes UTF-8 to standard output at once; false when nobody reads it any more. What cannot be written for another
  /// reason ends the program: a result that is lost must not look like a pass.
  @discardableResult
  package static func resultOrEnd(octets: [UInt8]) -> Bool {
    if WholeWrite.write(octets, to: STDOUT_FILENO) { return true }
    if errno == EPIPE { return false }
    let reason = String(cString: strerror(errno))
    complain("error: standard output: \(reason)")
    exit(ExitCode.benchError.rawValue)
  }

  /// Writes text and a newline to standard error.
  package static func complain(_ text: String) { write(ShownText.lines(text) + "\n", to: STDERR_FILENO) }

  /// Shows one line that the next one replaces; nothing when standard error is not a terminal.
  package static func progress(_ text: String) {
    if showsProgress { write("\r\u{1B}[K" + ShownText.oneLine(text), to: STDERR_FILENO) }
  }

  /// Writes text as it is to standard error; nothing when that is not a terminal.
  package static func diagram(_ text: String) {
    if showsProgress { write(text, to: STDERR_FILENO) }
  }

  /// Writes a line for eyes only, which stays.
  package static func note(_ text: String) {
    if showsProgress { complain(text) }
  }

  /// Takes the progress line away.
  package static func endProgress() {
    if showsProgress { write("\r\u{1B}[K", to: STDERR_FILENO) }
  }

  @discardableResult
  private static func write(_ text: String, to descriptor: Int32) -> Bool {
    WholeWrite.write(Array(text.utf8), to: descriptor)
  }
}
