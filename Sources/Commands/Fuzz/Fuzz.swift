import ArgumentParser

/// `babbench fuzz …`: hostile input, wherever it may come in.
struct FuzzCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fuzz",
    abstract: "Fuzz apps, host stacks and decoders with invalid input.",
    discussion: """
      EXAMPLES:
        babbench fuzz run eight-peer-lobby --when "all clients in lobby" --from client-3
        babbench fuzz port guest-host --port host=h4:tcp:0 --program 'python3 my_host.py {transport}' \\
          --when "all clients are CONNECTED" --from client-1
        babbench fuzz parser att --executions 1000000
        babbench fuzz replay Tests/Regressions/fuzz
      """,
    subcommands: [FuzzRunCommand.self, FuzzPortCommand.self, FuzzParserCommand.self, FuzzReplayCommand.self])
}
