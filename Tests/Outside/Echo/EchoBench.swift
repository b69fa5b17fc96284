import Bystanders
import Commands
import Conformance
import Fuzzing

/// An executable of the bench for another app: this list, and the files of this folder.
extension Edition {
  static let echo = Edition(
    [.bystander, .echo, .fragile, .lingering], decoders: FuzzedDecoder.brittle,
    examples: Examples(
      purpose: "ECHO/HOST/PING/BV-01-C", pattern: "ECHO/HOST/**", skipped: "ECHO/HOST/PING/BV-01-C"))
}

@main
enum Main {
  static func main() {
    Edition.echo.start()
  }
}
