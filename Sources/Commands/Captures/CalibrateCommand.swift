import ArgumentParser
import Campaigns
import Conformance
import Judging
import VirtualRadio

/// `babbench calibrate`: a profile of phones and a room from what captures show.
struct CalibrateCommand: ExecutedCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Measure phones and radio loss of captures, and write a profile that scenarios can name.",
    discussion: """
      The profile has the keys of a scenario's phone and radio, each with its source. In a scenario:
      phone: profile.yaml#central, radio: profile.yaml; paths count from the scenario's folder. Exit 2 when the captures
      show no connection.

      EXAMPLES:
        babbench calibrate btsnoop_hci.log --name pixel --output pixel.yaml
        babbench calibrate air.pcapng --name lobby --preset iphone
      """)

  @Argument(
    help: ArgumentHelp("Captures of any format; - is standard input.", valueName: "capture"), completion: .file())
  var captures: [String]

  @Option(help: "Profile name: up to 64 letters, digits, blanks and the characters - _ and the full stop.")
  var name: String

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Write the profile to this file; default standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help: "Preset for values that were not measured; default: for each phone the one that agrees most.",
    completion: .list(PhonePreset.all.map(\.name)))
  var preset: String?

  func validate() throws {
    let isGood = name.utf8.allSatisfy { octet in
      switch octet {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x20, 0x2D, 0x2E, 0x5F: true
      default: false
      }
    }
    if name.isEmpty || name.utf8.count > 64 || !isGood {
      throw ValidationError("--name takes 1 to 64 letters, digits, blanks and the characters “-”, “_” and “.”")
    }
    if let preset, PhonePreset.named(preset) == nil {
      throw ValidationError(
        "there is no preset “\(preset)”; write " + PhonePreset.all.map(\.name).joined(separator: ", "))
    }
  }

  func takeSignals() { Interruption.install(untilWork: true) }

  func execute(for streams: OutputStreams) -> Int32 {
    do {
      let report = try StatsCommand.read(captures)
      let calibration = Calibration(report, name: name, preset: preset.flatMap(PhonePreset.named))
      if calibration.isEmpty {
        streams.complain("error: the captures show no connection from which a phone could be measured")
        return Judging.ExitCode.inconclusive.rawValue
      }
      if let output {
        try FileSink.write(calibration.octets, to: output)
        streams.tell("\(output): " + calibration.summary)
      } else {
        streams.tell(String(decoding: calibration.octets.dropLast(), as: UTF8.self))
      }
      return Judging.ExitCode.pass.rawValue
    } catch {
      return StatsCommand.refuse(error, streams)
    }
  }
}
