/// The determinism contract of ARCHITECTURE.md as bans, each with what to use instead.
enum DeterminismRules {
  /// Where the contract holds.
  static let folders = [
    "Sources/SimKernel", "Sources/BluetoothWire", "Sources/CaptureFormats", "Sources/VirtualRadio", "Sources/RadioLaws",
    "Sources/BabSim",
    "Sources/AppSeam", "Sources/Platform", "Sources/Bench", "Sources/Judging", "Sources/CaptureCheck",
    "Sources/Conformance", "Sources/BabOracles", "Sources/BabSuite", "Sources/Bystanders",
    "Sources/Shrink", "Sources/VirtualNetwork", "Sources/NetworkWire", "Sources/BeamScribe", "Sources/BeamOracles",
    "Sources/BeamSuite",
  ]
  /// Reports are written after the verdict; nothing they do comes back. A program under test is another's, and the
  /// limits it is held to are in wall-clock time (Docs/Formats/iut-protocol.md).
  static let exempt = ["Sources/Conformance/Report", "Sources/Conformance/IUT/Process"]

  struct Ban {
    /// Consecutive tokens.
    var tokens: [String]
    var replacement: String
    /// A call of a free function: a dot or `func` before it means another thing of that name.
    var isFreeFunction = false

    init(_ tokens: String..., use replacement: String) {
      self.tokens = tokens
      self.replacement = replacement
    }

    init(call name: String, use replacement: String) {
      tokens = [name, "("]
      self.replacement = replacement
      isFreeFunction = true
    }
  }

  static let bans: [Ban] = {
    let clock = "the instant that came with the input"
    let random = "RandomStream(seed:component:purpose:)"
    let threads = "events in the queue; worlds are single-threaded"
    let settings = "a parameter that the scenario or the command line gives"
    let hashing = "an array, a dense index, or TraceDigest"
    var bans = [
      Ban("Date", use: clock), Ban("ContinuousClock", use: clock), Ban("SuspendingClock", use: clock),
      Ban("DispatchTime", use: clock), Ban(call: "clock_gettime", use: clock), Ban(call: "gettimeofday", use: clock),
      Ban(".", "random", "(", use: random), Ban(".", "randomElement", use: random),
      Ban(".", "shuffled", "(", use: random),
      Ban(".", "shuffle", "(", use: random), Ban("SystemRandomNumberGenerator", use: random),
      Ban("UUID", "(", use: random),
      Ban(call: "arc4random", use: random), Ban(call: "rand", use: random), Ban(call: "srand", use: random),
      Ban("Task", "{", use: threads), Ban("Task", ".", use: threads), Ban("Task", "(", use: threads),
      Ban("TaskGroup", use: threads), Ban("DispatchQueue", use: threads), Ban("OperationQueue", use: threads),
      Ban("Thread", use: threads), Ban("await", use: threads), Ban("actor", use: threads),
      Ban("ProcessInfo", use: settings), Ban("CommandLine", use: settings), Ban(call: "getenv", use: settings),
      Ban("Locale", use: "text put together by hand"), Ban("TimeZone", use: "text put together by hand"),
      Ban("NumberFormatter", use: "text put together by hand"), Ban("DateFormatter", use: "text put together by hand"),
      Ban("Hasher", use: hashing), Ban("hashValue", use: hashing), Ban("ObjectIdentifier", use: "a dense index"),
    ]
    for name in [
      "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "exp2", "expm1", "log",
      "log2", "log10", "log1p", "pow", "cbrt", "hypot", "tgamma", "lgamma", "erf",
    ] {
      bans.append(Ban(call: name, use: "an integer table; libm differs from CPU to CPU"))
    }
    return bans
  }()

  /// Floating point may not decide anything; these files only print or read a number that the protocol defines so.
  static let floatingPointFiles = [
    "Sources/BabSim/Wire",
    // Testers and mutants say accuracies as packets carry them: 32-bit numbers, and no libm.
    "Sources/BabSuite", "Sources/BabOracles/Wire",
    // Expected values and figures of a page; no libm, and nothing of it comes back into a world.
    "Sources/RadioLaws",
  ]
  private static let floatingPointTypes = ["Float", "Double", "Float16", "Float32", "Float64", "CGFloat", "Decimal"]

  static func applies(to file: SourceFile) -> Bool {
    folders.contains { file.isInside($0) } && !exempt.contains { file.isInside($0) }
  }

  static func findings(in file: SourceFile) -> [Finding] {
    guard applies(to: file) else { return [] }
    return tokenFindings(in: file) + floatingPointFindings(in: file) + iterationFindings(in: file)
  }

  static func tokenFindings(in file: SourceFile) -> [Finding] {
    var findings: [Finding] = []
    for index in file.tokens.indices {
      for ban in bans where matches(ban, file.tokens, at: index) {
        findings.append(
          Finding(
            path: file.path, line: file.tokens[index].line,
            message: "\(ban.tokens.joined()) is banned here; use \(ban.replacement)"))
      }
    }
    return findings
  }

  private static func matches(_ ban: Ban, _ tokens: [Token], at index: Int) -> Bool {
    guard tokens[index].text == ban.tokens[0], index + ban.tokens.count <= tokens.count else { return false }
    for (ahead, text) in ban.tokens.enumerated() where tokens[index + ahead].text != text { return false }
    // `hash(into:)` says what is equal; it decides nothing until somebody makes a hasher or asks for a hash value.
    if ban.tokens == ["Hasher"], index > 0, tokens[index - 1].text == "inout" { return false }
    if ban.isFreeFunction, index > 0, [".", "func"].contains(tokens[index - 1].text) { return false }
    return true
  }

  static func floatingPointFindings(in file: SourceFile) -> [Finding] {
    if floatingPointFiles.contains(where: { file.isInside($0) }) { return [] }
    return file.tokens.filter { floatingPointTypes.contains($0.text) }.map {
      Finding(
        path: file.path, line: $0.line,
        message: "\($0.text) is banned here; use integers, Ratio or permille (or extend floatingPointFiles, with why)")
    }
  }

  /// Iteration over what the file declares as a dictionary or set, unless it is sorted on the spot.
  static func iterationFindings(in file: SourceFile) -> [Finding] {
    let names = unorderedNames(in: file.tokens)
    if names.isEmpty { return [] }
    let walks = [
      "map", "forEach", "compactMap", "flatMap", "reduce", "keys", "values", "first", "enumerated", "prefix", "joined",
      "popFirst", "lazy",
    ]
    var findings: [Finding] = []
    for (index, token) in file.tokens.enumerated() where names.contains(token.text) {
      let line = token.line
      let rest = file.tokens[index...].prefix { $0.line == line }.map(\.text)
      if rest.contains("sorted") || rest.contains("count") || rest.contains("isEmpty") { continue }
      let before = file.tokens[..<index].suffix(3).map(\.text)
      let isLooped = before.last == "in" || before.suffix(3) == ["in", "self", "."]
      let isWalked = rest.count > 2 && rest[1] == "." && walks.contains(rest[2])
      if isLooped, rest.count > 1, rest[1] == "[" || (rest[1] == "." && !isWalked) { continue }
      if isLooped && !isClosureParameter(file.tokens, at: index) || isWalked {
        findings.append(
          Finding(
            path: file.path, line: line,
            message: "goes through the unordered \(token.text); keep an array, or sort in the same line"))
      }
    }
    return findings
  }

  /// `{ a in b … }` has an `in` that is no loop: look back for `for` before the brace.
  private static func isClosureParameter(_ tokens: [Token], at index: Int) -> Bool {
    for token in tokens[..<index].suffix(24).reversed() {
      if token.text == "for" { return false }
      if token.text == "{" { return true }
    }
    return false
  }

  private static func unorderedNames(in tokens: [Token]) -> Set<String> {
    var names: Set<String> = []
    for index in tokens.indices where index + 3 < tokens.count && tokens[index].text.first?.isLetter == true {
      let next = tokens[index + 1].text
      if next == ":" {
        var type = index + 2
        while type < tokens.count, ["inout", "borrowing", "consuming"].contains(tokens[type].text) { type += 1 }
        if isUnorderedType(tokens, at: type) { names.insert(tokens[index].text) }
      } else if next == "=" {
        let value = tokens[(index + 2)...].prefix(3).map(\.text)
        if value.first == "Set" || value.first == "Dictionary" || value == ["[", ":", "]"] {
          names.insert(tokens[index].text)
        }
      }
    }
    return names
  }

  private static func isUnorderedType(_ tokens: [Token], at index: Int) -> Bool {
    guard index + 1 < tokens.count else { return false }
    if ["Set", "Dictionary"].contains(tokens[index].text), tokens[index + 1].text == "<" { return true }
    guard tokens[index].text == "[" else { return false }
    var depth = 0
    for token in tokens[index...].prefix(16) {
      if ["[", "(", "<"].contains(token.text) { depth += 1 }
      if ["]", ")", ">"].contains(token.text) { depth -= 1 }
      if depth == 0 { return false }
      if depth == 1, token.text == ":" { return true }
      if ["\"", ",", "="].contains(token.text), depth == 1 { return false }
    }
    return false
  }
}
