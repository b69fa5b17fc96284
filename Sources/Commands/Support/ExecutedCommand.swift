import ArgumentParser

/// A command whose work ends with an exit code, and which tests run without a process.
protocol ExecutedCommand: ParsableCommand {
  /// Called before the work begins.
  func takeSignals()
  /// Everything but the parsing and the exit.
  func execute(for streams: OutputStreams) -> Int32
}

extension ExecutedCommand {
  func takeSignals() {}

  func run() throws {
    takeSignals()
    throw ArgumentParser.ExitCode(execute(for: .standard))
  }
}

/// The same for one that needs a bench, in whose place tests put their own.
protocol BenchCommand: ExecutedCommand {
  /// Everything but the parsing and the exit.
  func execute(on bench: Bench, for streams: OutputStreams) -> Int32
}

extension BenchCommand {
  func execute(for streams: OutputStreams) -> Int32 { execute(on: .real, for: streams) }
}
