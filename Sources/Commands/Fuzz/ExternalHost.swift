import Conformance
import Foundation
import HCIPorts
import InPlaceFuzz

/// The program whose host stack is attacked, and what it says.
final class ExternalHost {
  private let command: String?
  private var program: WatchedProgram?
  private var began = ContinuousClock.now
  /// What it said of failures, each with how many attacks there were before it was seen.
  private var crashes: [(message: CrashMessage, attacks: Int)] = []
  /// How many attacks there were so far.
  var attacks: () -> Int = { 0 }
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
    if program.hasSaidMore() { note(program.crashes(endedBadly: false)) }
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
    note(program.crashes(endedBadly: ended != nil && ended != "exit code 0"))
    return ended
  }

  private func note(_ messages: [CrashMessage]) {
    for message in messages where !crashes.contains(where: { $0.message.place == message.place }) {
      crashes.append((message, attacks()))
    }
  }

  /// What is wrong with it, each with how many attacks were enough for it.
  ///
  /// A program that ends with exit code 0 has done what it was for.
  /// - Parameter ended: how it ended by itself.
  func findings(ended: String?) -> [(finding: Execution.Finding, attacks: Int)] {
    let last = ended == nil || ended == "exit code 0" ? nil : crashes.last
    var found = crashes.filter { $0.message.place != last?.message.place }.map { crash in
      (
        Execution.Finding("Exception", frame: Self.frame(crash.message), text: crash.message.words),
        crash.attacks
      )
    }
    if let ended, ended != "exit code 0" {
      let finding = Execution.Finding(
        "Ended", clause: ended, frame: last.map { Self.frame($0.message) } ?? "",
        text: "the program ended with \(ended)" + (last.map { ": \($0.message.words)" } ?? ""))
      found.append((finding, attacks()))
    }
    return found
  }

  private static func frame(_ crash: CrashMessage) -> String {
    crash.file.split(separator: "/").suffix(2).joined(separator: "-") + (crash.line == 0 ? "" : "-\(crash.line)")
  }
}
