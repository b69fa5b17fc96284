import Conformance
import Foundation
import HCIPorts
import InPlaceFuzz

/// The program whose host stack is attacked, and what it says.
final class Guest {
  private let command: String?
  private var program: WatchedProgram?
  private var began = ContinuousClock.now
  private var crashes: [CrashMessage] = []
  private(set) var problem: String?

  init(_ command: String?) { self.command = command }

  /// Nobody here started it, so nobody here knows how it fares.
  var isSomebodyElses: Bool { command == nil }
  var log: String { program?.log ?? "" }
  /// Since it was started.
  var seconds: Int { Int((ContinuousClock.now - began).components.seconds) }

  /// Starts it with the places of the ports filled in: `{transport}` as Bumble writes it, `{host}`, `{port}`, `{path}`;
  /// with several ports `{NAME.transport}` and so on.
  func start(at ports: [OpenPort]) {
    guard var text = command else { return }
    for (index, port) in ports.enumerated() {
      for (word, value) in Self.words(of: port) {
        if index == 0 { text = text.replacing("{\(word)}", with: value) }
        text = text.replacing("{\(port.name).\(word)}", with: value)
      }
    }
    began = .now
    do {
      program = try WatchedProgram(
        command: text, directory: FileManager.default.currentDirectoryPath,
        environment: ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }.sorted())
    } catch {
      problem = "the program cannot be started: \(error)"
    }
  }

  private static func words(of port: OpenPort) -> [(String, String)] {
    switch port.address {
    case .tcp(let host, let number):
      [("transport", "tcp-client:\(host):\(number)"), ("host", host), ("port", String(number))]
    case .unix(let path): [("transport", "unix:\(path)"), ("path", path)]
    case .pty(let path):
      [("transport", "serial:\(path ?? port.terminal ?? "")"), ("path", path ?? port.terminal ?? "")]
    case .vhci, .user: []
    }
  }

  /// Whether it has not ended. What it says meanwhile is looked through.
  func goesOn() -> Bool {
    guard let program else { return problem == nil }
    let isRunning = program.isRunning()
    if program.hasSaidMore() { note(program.crash(endedBadly: false)) }
    return isRunning
  }

  /// Lets what it has to say about its end come.
  func settle() {
    guard let program, program.isRunning() else { return }
    Thread.sleep(forTimeInterval: 0.1)
    _ = goesOn()
  }

  /// Ends it. How it had ended by itself; nil when it had not.
  func end() -> String? {
    guard let program else { return nil }
    let ended = program.stop()
    note(program.crash(endedBadly: ended != nil && ended != "exit code 0"))
    return ended
  }

  private func note(_ crash: CrashMessage?) {
    if let crash, !crashes.contains(where: { $0.place == crash.place }) { crashes.append(crash) }
  }

  func findings(ended: String?) -> [Execution.Finding] {
    var found: [Execution.Finding] = []
    if let ended {
      let crash = crashes.last
      found.append(
        Execution.Finding(
          "Ended", clause: ended, frame: crash.map(Self.frame) ?? "",
          text: "the program ended with \(ended)" + (crash.map { ": \($0.words)" } ?? "")))
    }
    return found
      + crashes.map { crash in
        Execution.Finding("Exception", frame: Self.frame(crash), text: crash.words)
      }
  }

  private static func frame(_ crash: CrashMessage) -> String {
    "\(crash.file.split(separator: "/").suffix(2).joined(separator: "-"))-\(crash.line)"
  }
}
