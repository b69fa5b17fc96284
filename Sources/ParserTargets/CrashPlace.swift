import CParserHost
import Conformance

/// Where in a library a signal ended a process.
package struct CrashPlace: Sendable {
  /// Octets of shared memory that it is noted in.
  package static let octets = MemoryLayout<parser_crash>.size

  private let crash: parser_crash

  /// Nil when no signal was noted.
  package init?(notedIn place: UnsafeRawPointer) {
    crash = place.load(as: parser_crash.self)
    if crash.signal == 0 { return nil }
  }

  /// Takes the note away, so that the next one is a new one.
  package static func forget(_ place: UnsafeMutableRawPointer) {
    place.storeBytes(of: parser_crash(), as: parser_crash.self)
  }

  /// Two crashes with one key have the same words.
  package var key: String { "\(crash.signal) \(crash.is_exact) \(crash.offset)" }

  /// `SIGSEGV`
  package var signal: String { SignalName.of(crash.signal) }

  /// `read_name (parser.c:31)` where the system has a symboliser and the library says lines, else `read_name` or the
  /// offset in the library; nil: it was not in the library.
  package func words(library: String) -> String? {
    if crash.offset == 0 { return nil }
    // A return address is after the call.
    let address = "0x" + String(crash.is_exact == 1 ? crash.offset : crash.offset - 1, radix: 16)
    var function = withUnsafeBytes(of: crash.function) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    if let found = Self.symbol(library, address) {
      if found.function != "??" { function = found.function }
      function = SwiftSymbol.plain(function)
      if let place = found.place { return function.isEmpty ? place : "\(function) (\(place))" }
    }
    return function.isEmpty ? "offset \(address)" : SwiftSymbol.plain(function)
  }

  /// The function at an offset in a program, and its file and line where the program says lines.
  package static func words(offset: UInt64, of program: String) -> String? {
    guard let found = symbol(program, "0x" + String(offset, radix: 16)), found.function != "??" else { return nil }
    let function = SwiftSymbol.plain(found.function)
    return found.place.map { "\(function) (\($0))" } ?? function
  }

  /// What llvm-symbolizer or addr2line say, each of which writes the function and then its place.
  private static func symbol(_ library: String, _ address: String) -> (function: String, place: String?)? {
    for command in [
      ["llvm-symbolizer", "--no-inlines", "--obj=" + library, address],
      ["addr2line", "-f", "-C", "-e", library, address],
    ] {
      guard let text = ShortCommand.output(command) else { continue }
      let lines = text.split(separator: "\n")
      guard lines.count >= 2 else { continue }
      let parts = lines[1].split(separator: ":")
      guard parts.count >= 2, let line = Int(parts[1].prefix { $0.isNumber }), line > 0 else {
        return (String(lines[0]), nil)
      }
      let file = parts[0].split(separator: "/").last ?? parts[0]
      return (String(lines[0]), "\(file):\(line)")
    }
    return nil
  }
}
