import AppSeam
import ArgumentParser
import Bench

/// Which case of `babbench conform` is to be made smaller.
struct ShrinkCaseOptions: ParsableArguments {
  @Option(help: ArgumentHelp("A description file, or the name of a built-in engine.", valueName: "file"))
  var iut: String?

  @Option(
    name: .customLong("case"),
    help: ArgumentHelp("The test purpose that it fails; its first case that fails is taken.", valueName: "id"))
  var purpose: String?

  @Option(help: ArgumentHelp("The role of a built-in engine.", valueName: "role"))
  var role: AppRole?

  @Option(name: .customLong("protocol"), help: ArgumentHelp("The app of a built-in engine.", valueName: "name"))
  var app: String?

  @Option(help: ArgumentHelp("The published profile that a built-in engine follows.", valueName: "name"))
  var profile: String?

  @Option(help: ArgumentHelp("The case in this dialect.", valueName: "dialect"), transform: dialectName)
  var dialect: DialectName?

  @Option(
    help: ArgumentHelp("The case with these steps taken by the bench, separated by commas.", valueName: "steps"))
  var assume: String?

  var isGiven: Bool { iut != nil || purpose != nil }

  /// - Parameter command: what else was given.
  func validate(among command: ShrinkCommand) throws {
    guard iut != nil, purpose != nil else { throw ValidationError("a case needs both --iut and --case") }
    if command.scenario != nil { throw ValidationError("name a scenario or a case, not both") }
    if command.output != nil || command.reason != 1 || !command.overrides.settings.isEmpty
      || command.mended != nil
    {
      throw ValidationError("--output, --reason, --set and --mended are for scenarios; a case needs no file")
    }
  }
}
