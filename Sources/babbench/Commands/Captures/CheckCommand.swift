import ArgumentParser
import BabSim
import Conformance

/// `babbench check`: judges what was recorded.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Judge captures of real traffic by the rules that judge the simulation.",
    discussion: """
      Reads btsnoop, pcap, pcapng and PacketLogger files, told by their content. Every finding names the packet as
      Wireshark numbers it. What a capture does not show, such as encrypted traffic without its key, is inconclusive.

      EXAMPLES:
        babbench check btsnoop_hci.log
      """)

  @Argument(help: ArgumentHelp("Captures of one session; - is standard input.", valueName: "capture"))
  var captures: [String]

  func run() throws {
    Interruption.install()
    throw ArgumentParser.ExitCode(execute(for: .standard))
  }

  /// Everything but the parsing and the exit.
  func execute(for audience: Audience) -> Int32 {
    do {
      var checker = Checker(paths: captures)
      checker.shouldStop = { records in
        if Console.showsProgress { Console.progress("\(records) records") }
        return Interruption.isRequested
      }
      let report = try checker.report()
      Console.endProgress()
      let paint = Paint.standardOutput
      audience.tell(
        CheckText.text(report, isColoured: paint.isOn) + "\nverdict " + RunPrinter(paint: paint).word(report.verdict))
      return Conformance.ExitCode(report.verdict).rawValue
    } catch is Checker.Interrupted {
      Console.endProgress()
      return Interruption.exitCode
    } catch let error as CaptureRefusal {
      return refuse(error, .usage, audience)
    } catch {
      return refuse(error, .benchError, audience)
    }
  }

  private func refuse(_ error: any Error, _ code: Conformance.ExitCode, _ audience: Audience) -> Int32 {
    Console.endProgress()
    audience.complain("babbench: \(error)")
    return code.rawValue
  }
}
