public import AppSeam
public import ArgumentParser
import Campaigns
import Conformance
import Judging

/// `babbench engine`: a built-in engine as a program under test, on standard input and output.
struct EngineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "engine", abstract: "Act as an implementation under test: a built-in engine over the IUT protocol.",
    discussion: """
      Speaks Docs/Formats/iut-protocol.md on standard input and output until its input ends. For trying the protocol \
      by hand, and for showing that a case comes out the same in process and over a pipe.
      """,
    shouldDisplay: false)

  @Argument(help: "reference, or the name of a mutant.", completion: .engines)
  var name: String

  @Option(help: "Its role; the hello must say the same.")
  var role: AppRole

  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp("Its app; default: the first that has this engine.", valueName: "name"))
  var app: String?

  func run() throws {
    let app: AppProtocol
    let make: @Sendable (AppConfiguration) -> any AppEngine
    do {
      let apps = try protocols.tested(named: self.app)
      // Where none has it, the first one says so.
      app = apps.having(engine: name, role: role) ?? apps[0]
      make = try app.engineMaker(name: name, role: role)
    } catch {
      throw ValidationError("\(error)")
    }
    let greeting = IUTGreeting(
      implementation: "babbench \(name) \(BenchVersion.current)", ics: app.everything,
      reports: app.reportNames)
    do {
      try IUTServer.serve(greeting, of: app) { hello in
        guard hello.role == role else {
          throw IUTSession.Problem("the bench wants a \(hello.role.rawValue), this is a \(role.rawValue)")
        }
        return make(hello.configuration)
      }
    } catch let problem as IUTSession.Problem {
      Console.complain("engine: \(problem)")
      throw ArgumentParser.ExitCode(Judging.ExitCode.benchError.rawValue)
    }
  }
}

extension AppRole: ExpressibleByArgument {
  /// Nil for a role that nobody can be tested in.
  public init?(argument: String) {
    guard Self.allValueStrings.contains(argument) else { return nil }
    self.init(rawValue: argument)
  }

  /// What help and refusals list, each once, in the order of the apps.
  public static var allValueStrings: [String] {
    var names: [String] = []
    for role in protocols.tested.flatMap(\.roles) where !names.contains(role.rawValue) { names.append(role.rawValue) }
    return names
  }
}
