import ArgumentParser

/// `babbench fuzz`: hostile inputs.
struct FuzzCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fuzz", abstract: "Try hostile inputs and judge what they do.", subcommands: [FuzzParserCommand.self])
}
