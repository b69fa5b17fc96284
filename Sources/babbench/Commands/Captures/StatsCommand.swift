import ArgumentParser
import CaptureFormats
import Conformance

/// `babbench stats`: what connections in captures measure.
struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Measure the connections of captures: intervals, latencies, throughput, retransmissions.",
    discussion: """
      Each capture is measured on a clock of its own. Docs/stats.md says what every figure is.

      EXAMPLES:
        babbench stats air.pcapng
        babbench stats hci/*.btsnoop --html stats.html --svg plots
        babbench stats btsnoop_hci.log --json -
      """)

  @Argument(help: "Captures of any format; - is standard input.", completion: .file())
  var captures: [String]

  func run() throws {
    throw ArgumentParser.ExitCode(execute(for: .standard))
  }

  func execute(for audience: Audience) -> Int32 {
    do {
      let report = try StatsReport.read(captures) { path, records in
        Console.progress("\(path): \(records) packets")
      }
      Console.endProgress()
      audience.tell(StatsTable.text(report))
      return (report.records == 0 ? Conformance.ExitCode.inconclusive : .pass).rawValue
    } catch {
      Console.endProgress()
      audience.complain("\(error)")
      return Conformance.ExitCode.usage.rawValue
    }
  }
}
