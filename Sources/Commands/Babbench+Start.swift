import ArgumentParser
import Bench
import Campaigns
import Foundation
import Judging

extension Edition {
  /// Parses the arguments of this process, runs the command that they name, and ends the process with its exit code
  /// (Docs/Formats/exit-codes.md). The last call of a main function.
  public func start() -> Never {
    Edition.choose(self)
    do {
      Edition.choose(with(try LearnedProtocols.named(in: Array(CommandLine.arguments.dropFirst()), besides: protocols)))
    } catch {
      Console.complain("\(error)")
      exitProcess(Judging.ExitCode.usage.rawValue)
    }
    Babbench.start()
  }
}

extension Babbench {
  /// Parses, runs and ends the process.
  static func start() -> Never {
    holdStandardStreams()
    let arguments = Array(CommandLine.arguments.dropFirst())
    if let problem = UnknownCommand.first(in: arguments) { end(with: "\(problem)", hint: problem.help) }
    do {
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch {
      end(with: error)
    }
    exitProcess(0)
  }

  /// A standard stream that is closed stays one that cannot be used: no file may get its number, or results would go
  /// into a capture, and a capture would be read from what was meant for something else.
  private static func holdStandardStreams() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  private static func end(with error: any Error) -> Never {
    let code = exitCode(for: error)
    let message = message(for: error)
    if message.isEmpty { exitProcess(code.rawValue) }
    if code.isSuccess {
      let text = fullMessage(for: error, columns: HelpText.unbroken)
      let isHelp = text.contains("USAGE: ")
      Console.resultOrEnd((isHelp ? HelpText.broken(text, columns: HelpText.columns) : text) + "\n")
      exitProcess(0)
    }
    let usage = fullMessage(for: error, columns: HelpText.unbroken)
    let hint = usage.firstMatch(of: #/See '(?<call>[^']+)'/#).map { String($0.call) }
    end(with: ErrorLine.text(ofParser: message), hint: hint ?? "babbench --help")
  }

  private static func end(with message: String, hint: String) -> Never {
    Console.complain("error: \(message)\n  see \(hint)")
    exitProcess(Judging.ExitCode.usage.rawValue)
  }
}

/// The line that says what is wrong: “error: ”, what it is, and after a semicolon what to do instead.
enum ErrorLine {
  /// What the parser says, in the style of the other messages.
  static func text(ofParser message: String) -> String {
    var text = message.replacing(". Did you mean", with: "; did you mean").replacing("\n", with: "; ")
    if text.hasSuffix(".") { text.removeLast() }
    guard let first = text.first, text.dropFirst().first?.isLowercase ?? false else { return text }
    return first.lowercased() + text.dropFirst()
  }
}

/// A command that does not exist, with the nearest that does.
struct UnknownCommand: CustomStringConvertible {
  private var name: String
  /// The command that has no such part.
  private var call: [String]
  private var known: [String]

  /// Nil: there is such a command, or none is named.
  static func first(in arguments: [String]) -> UnknownCommand? {
    let words = arguments.first == "help" ? Array(arguments.dropFirst()) : arguments
    var call = ["babbench"]
    var subcommands = Babbench.configuration.subcommands
    for word in words {
      if word.hasPrefix("-") || subcommands.isEmpty || word == "help" { return nil }
      var next: (any ParsableCommand.Type)?
      for command in subcommands where names(command).contains(word) { next = command }
      guard let next else {
        let known = subcommands.filter { $0.configuration.shouldDisplay }.map { name($0) }
        return UnknownCommand(name: word, call: call, known: known)
      }
      call.append(word)
      subcommands = next.configuration.subcommands
    }
    return nil
  }

  private static func names(_ command: any ParsableCommand.Type) -> [String] {
    [name(command)] + command.configuration.aliases
  }

  private static func name(_ command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? "\(command)".lowercased()
  }

  var description: String {
    "\(call.joined(separator: " ")) has no command “\(name)”; "
      + Suggestion.advice(for: name, in: known, within: 2)
  }

  /// Where all commands are listed.
  var help: String { call.joined(separator: " ") + " --help" }
}

/// Ends the process; commands have an `exit` of their own.
private func exitProcess(_ code: Int32) -> Never { exit(code) }
