import ArgumentParser

/// What a run of the suite is compared with, and whether that makes its exit code.
struct ComparisonOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "An earlier result.json of conform: list what got worse and what got better.", valueName: "file"))
  var baseline: String?

  @Option(
    help: ArgumentHelp(
      "What makes the exit code of conform: the verdict, or only what got worse since --baseline.", valueName: "what"))
  var failOn: FailOn?

  func validate() throws {
    if failOn == .regressions, baseline == nil {
      throw ValidationError("--fail-on regressions needs --baseline, an earlier result.json to compare with")
    }
  }
}

/// What `--fail-on` knows.
enum FailOn: String, ExpressibleByArgument, CaseIterable {
  case verdict
  case regressions
}
