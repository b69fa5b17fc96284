import ArgumentParser
import Campaigns
import Foundation
import Judging
import RunViews

/// `babbench view`: shows a folder of runs to a browser of this machine.
struct ViewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "view",
    abstract: "Show the runs of a folder in a browser on this machine.",
    discussion: """
      Serves the pages, captures and traces that --out has left below a folder, the newest run first, on loopback only
      and for reading only. A session of hci serve or play under way is followed: its timeline grows as you watch.
      Ends with SIGINT or SIGTERM.

      EXAMPLES:
        babbench view out
        babbench view . --port 8000
      """)

  @Argument(help: "The folder.", completion: .directory)
  var folder: String

  @Option(help: "The port on 127.0.0.1 and ::1; 0 takes a free one.")
  var port = 0

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port must be 0 to 65535") }
  }

  func run() throws {
    Interruption.install()
    throw ArgumentParser.ExitCode(
      execute(for: .standard) {
        // A signal ends the wait; one that came just before it is seen after a moment.
        while !Interruption.isRequested { poll(nil, 0, 200) }
      })
  }

  /// Everything but the parsing and the exit.
  /// - Parameter wait: returns when the server is to end.
  func execute(for streams: OutputStreams, until wait: () -> Void) -> Int32 {
    do {
      let server = try ViewServer(path: folder, port: port)
      streams.tell("http://127.0.0.1:\(server.port)/")
      wait()
      server.stop()
      return 0
    } catch let error as ViewServer.Refusal {
      return streams.refuse(error, .usage)
    } catch {
      return streams.refuse(error, .benchError)
    }
  }
}
