import Foundation

/// The protocol's two streams, kept from the app: what it prints goes to standard error.
struct StandardStreams {
  private let output: Int32

  init() {
    signal(SIGPIPE, SIG_IGN)
    if isatty(0) != 0 {
      Self.write("note: this program speaks the IUT protocol; start it with babbench conform --iut\n", to: 2)
    }
    output = dup(1)
    dup2(2, 1)
  }

  /// Answers each line of standard input, until it ends or nobody reads the answers.
  func serve(_ answer: ([UInt8]) throws(ProgramEnd) -> [UInt8]) throws(ProgramEnd) {
    var buffer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { read(0, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      buffer.append(contentsOf: chunk[..<count])
      while let end = buffer.firstIndex(of: 0x0A) {
        let line = try answer(Array(buffer[..<end])) + [0x0A]
        buffer.removeFirst(end + 1)
        // What the app has printed is in the log, also when it crashes at the next line.
        fflush(nil)
        guard Self.write(line[...], to: output) else { return }
      }
    }
  }

  func log(_ text: String) { Self.write(text + "\n", to: 2) }

  /// Ends the process without what the app may have left for its end.
  func leave(_ code: Int32) -> Never {
    fflush(nil)
    _exit(code)
  }

  private static func write(_ text: String, to file: Int32) { _ = write(Array(text.utf8)[...], to: file) }

  /// False when nobody reads any more.
  private static func write(_ octets: ArraySlice<UInt8>, to file: Int32) -> Bool {
    var rest = octets
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
