import ArgumentParser

/// What a package that a template makes depends on.
struct BenchSource: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What the package depends on: the path of a checkout of babbench, or a URL; default the checkout of this program.",
      valueName: "path"))
  var babbench: String?
}
