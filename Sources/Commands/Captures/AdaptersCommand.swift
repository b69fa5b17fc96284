import ArgumentParser
import Foundation
import HCIPorts

/// `babbench adapters`: what this machine has for real traffic.
struct AdaptersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adapters",
    abstract: "List Bluetooth adapters, and say what is missing.",
    discussion: """
      Each adapter with its address, what state it is in, and the kernel's driver. Below, a line for each thing that \
      is missing for babbench capture and babbench play: support in the kernel, a capability, an adapter.

      EXIT CODES:
        0    there are adapters
        2    there is none
      """)

  @Flag(help: "Write JSON.")
  var json = false

  func run() throws {
    throw ArgumentParser.ExitCode(Self.execute(AdapterSurvey(), asJSON: json, for: .standard))
  }

  static func execute(_ survey: AdapterSurvey, asJSON: Bool, for streams: OutputStreams) -> Int32 {
    if asJSON {
      streams.tell(AdapterPrinter.json(survey))
    } else {
      let table = AdapterPrinter.table(survey.adapters)
      if !table.isEmpty { streams.tell(table) }
      for problem in survey.problems { streams.complain(problem) }
    }
    return survey.adapters.isEmpty ? 2 : 0
  }
}
