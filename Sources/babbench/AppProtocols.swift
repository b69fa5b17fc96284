import ArgumentParser
import BabFuzzing
import BabSuite
import BeamFuzzing
import BeamSuite
import Bystanders
import Commands
import Conformance
import Fuzzing

extension Edition {
  /// The apps whose protocols the bench knows; another one is another word here.
  static let shipped = Edition(
    [.bab, .beamscribe, .bystander, .recorded], commands: [PacketCommand.self],
    decoders: FuzzedDecoder.bab + FuzzedDecoder.beamScribe,
    examples: Examples(
      purpose: "BAB/HOST/LOBBY/BV-01-C", pattern: "BAB/HOST/FRAG/**", skipped: "BAB/HOST/FRAG/BI-03-C",
      app: "bab", clause: "BAB 5.1.7", dialect: "guide", mutant: "second-host",
      calls: ["babbench packet decode --dialect sdk --input text < packets.txt"]))
}

@main
enum Main {
  static func main() {
    Edition.shipped.start()
  }
}
