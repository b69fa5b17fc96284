import Bystanders
import Commands
import Conformance
import Fuzzing  // not in the template

/// An executable of the bench for another app: this list, and the files of this folder.
extension Edition {
  static let echo = Edition(
    [
      .bystander, .echo,
      .fragile, .lingering,  // not in the template
    ],
    decoders: FuzzedDecoder.brittle,  // not in the template
    examples: Examples(
      purpose: "ECHO/HOST/PING/BV-01-C", pattern: "ECHO/HOST/**", skipped: "ECHO/HOST/PING/BV-01-C"))
}

@main
enum Main {
  static func main() {
    Edition.echo.start()
  }
}
