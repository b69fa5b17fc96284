import ArgumentParser

/// The options of `babbench fuzz parser` that name a parser which is not ours.
struct ForeignParserOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Fuzz LLVMFuzzerTestOneInput of this shared library.", valueName: "library"))
  var target: String?

  @Option(
    help: ArgumentHelp(
      "Fuzz a program that reads inputs in a loop, each after its length in four octets, and answers with a line.",
      valueName: "command"))
  var program: String?

  @Option(
    help: ArgumentHelp("Fuzz a program that is started for each input, on its standard input.", valueName: "command"))
  var programOnce: String?

  @Option(help: ArgumentHelp("Fuzz a program of the IUT protocol with what its peers send.", valueName: "description"))
  var iut: String?

  @Option(
    help: ArgumentHelp(
      "What inputs look like: a decoder of --list, octets (the default) or json.", valueName: "name"))
  var grammar: String?

  var isGiven: Bool { target != nil || program != nil || programOnce != nil || iut != nil }

  func validate() throws {
    let given = [target, program, programOnce, iut].filter { $0 != nil }.count
    if given > 1 { throw ValidationError("only one of --target, --program, --program-once and --iut") }
  }

  /// The words of a command line that name the same parser.
  func words(dictionary: String?) -> [String] {
    let options = [
      ("--target", target), ("--program", program), ("--program-once", programOnce), ("--iut", iut),
      ("--grammar", grammar), ("--dictionary", dictionary),
    ]
    return options.flatMap { option, value in value.map { [option, $0] } ?? [] }
  }
}
