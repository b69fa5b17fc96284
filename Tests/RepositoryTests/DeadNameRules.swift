/// Declarations whose name occurs nowhere else. The rule is textual: it misses what shares its name with something that
/// is used. What it finds is dead, or is called by something that does not spell the name.
enum DeadNameRules {
  /// A declared name.
  struct Declaration: Equatable {
    var name: String
    var path: String
    var line: Int
  }

  /// Names that the language, a library or a runtime calls for us.
  static let exemptNames: [(names: [String], why: String)] = [
    (["CodingKeys"], "synthesised Codable reads it"),
    (["hash", "description", "debugDescription", "testDescription", "errorDescription"], "printing and hashing"),
    (["callAsFunction", "encode", "makeIterator", "next"], "the language and the standard library call them"),
    (["configuration", "run", "validate", "allValueStrings", "defaultValueDescription"], "ArgumentParser calls them"),
    (["nodeEncoding"], "XMLCoder calls it"),
    (["escapeText"], "swift-mustache calls it"),
    (
      [
        "handlerAdded", "channelActive", "channelInactive", "channelRead", "channelReadComplete", "errorCaught",
        "userInboundEventTriggered",
      ],
      "swift-nio calls them"
    ),
    (["handleScheduledCallback", "InboundIn", "InboundOut", "OutboundIn", "OutboundOut"], "swift-nio calls them"),
  ]

  /// Names of `Sources/` that only tests spell, and that stay.
  static let testsOnly: [(name: String, why: String)] = [
    ("babReference", "players without a suite, for tests of apps that are not here, with the product BabSim"),
    ("beamScribeReference", "the same of the second app"),
    ("compare", "clause 4.22 of Bab; whoever writes a peer with the product BabSim needs it"),
    ("discoverServices", "a part of GATT that other makers' hosts use; VirtualRadioTests plays such hosts"),
    ("expectedRFChannel", "channel selection of a capture; tests hold it against the channel of every packet"),
    ("forgetBond", "what an owner of a host stack does with a bond; no phone of a scenario pairs yet"),
    ("globalQueue", "where callbacks enter whose app's main queue may wait; apps that are programs need it"),
    ("holdReceiving", "a slow reader stops its peer by credits; whoever hands channels of L2CAP to apps needs it"),
    ("h6", "clause 2.2.10 of Vol 3, Part H, of the toolbox; keys of BR/EDR, which nothing derives, need it"),
    ("h7", "clause 2.2.11 of the same"),
    ("partialCount", "the bound that a receiver keeps, which tests of hostile fragments watch"),
    ("RoomTimeline", "the page of a room, which tests of apps that are not here make with the product RoomTimelines"),
    ("processIDs", "none of a run's processes may be left, and tests look for each"),
    ("PublishedDesigns", "the table of Docs/published-designs.md, which PublishedDesignTests compares with it"),
  ]

  /// Folders whose names another one gave, so that apps that are not here can spell them; and what in them is ours.
  static let borrowed: [(folder: String, own: String, why: String)] = [
    ("Sources/CoreBluetooth", "Sources/CoreBluetooth/Seam", "the names of Apple's classes"),
    ("Sources/Network", "Sources/Network/Seam", "the same of another of Apple's modules"),
    ("Sources/MultipeerConnectivity", "Sources/MultipeerConnectivity/Seam", "the same"),
  ]

  private static func isBorrowed(_ path: String) -> Bool {
    borrowed.contains { path.hasPrefix($0.folder + "/") && !path.hasPrefix($0.own + "/") }
  }

  private static let valueKeywords = ["func", "var", "let"]
  private static let typeKeywords = ["struct", "class", "enum", "protocol", "actor", "typealias", "associatedtype"]
  private static let rawTypes = [
    "CaseIterable", "String", "Int", "UInt8", "UInt16", "UInt32", "UInt64", "Character", "ExpressibleByArgument",
    "EnumerableFlag",
  ]

  /// What a file declares, but what is found in another way: overrides, tests, entry points, operators, cases that
  /// `allCases` or a raw value reaches.
  static func declarations(in file: SourceFile) -> [Declaration] {
    var reader = DeclarationReader(file: file)
    return reader.read()
  }

  /// - Parameter files: everything that may spell a name; only declarations below `Sources/` and `Tests/` are judged.
  /// - Returns: names that nothing spells, and names of `Sources/` that only tests spell.
  static func dead(in files: [SourceFile]) -> (unused: [Declaration], testsOnly: [Declaration]) {
    var all: [Declaration] = []
    var product: [String: Int] = [:]
    var tests: [String: Int] = [:]
    for file in files {
      let isTest = file.isInside("Tests")
      for token in file.tokens {
        if isTest { tests[token.text, default: 0] += 1 } else { product[token.text, default: 0] += 1 }
      }
      for declaration in declarations(in: file) {
        if isTest { tests[declaration.name, default: 0] -= 1 } else { product[declaration.name, default: 0] -= 1 }
        all.append(declaration)
      }
    }
    let known = Set(exemptNames.flatMap(\.names))
    var unused: [Declaration] = []
    var testsOnly: [Declaration] = []
    for declaration in all
    where !known.contains(declaration.name) && !declaration.name.hasPrefix("_") && !isBorrowed(declaration.path) {
      let isJudged = declaration.path.hasPrefix("Sources/") || declaration.path.hasPrefix("Tests/")
      guard isJudged, product[declaration.name, default: 0] == 0 else { continue }
      if tests[declaration.name, default: 0] == 0 {
        unused.append(declaration)
      } else if declaration.path.hasPrefix("Sources/") {
        testsOnly.append(declaration)
      }
    }
    return (unused, testsOnly)
  }

  static func findings(in files: [SourceFile]) -> [Finding] {
    let (unused, inTestsOnly) = dead(in: files)
    let kept = Set(testsOnly.map(\.name))
    return unused.map { Finding(path: $0.path, line: $0.line, message: "\($0.name) is used nowhere; delete it") }
      + inTestsOnly.filter { !kept.contains($0.name) }.map {
        Finding(path: $0.path, line: $0.line, message: "\($0.name) is used by tests only; delete it with its tests")
      }
  }

  /// Goes through the tokens of one file once and keeps the kind of every open brace.
  private struct DeclarationReader {
    private enum Scope { case caseList, other }

    let file: SourceFile
    var found: [Declaration] = []
    private var scopes: [Scope] = []
    private var pending: Scope = .other
    /// `@Test`, `@Suite`, `@main` or `override` stands before the next declaration.
    private var isCalledByOthers = false

    init(file: SourceFile) { self.file = file }

    private var tokens: [Token] { file.tokens }

    mutating func read() -> [Declaration] {
      var index = 0
      while index < tokens.count {
        let text = tokens[index].text
        switch text {
        case "{":
          scopes.append(pending)
          pending = .other
        case "}": _ = scopes.popLast()
        case "@" where ["Test", "Suite", "main", "objc", "_cdecl"].contains(tokens[next(index)].text):
          isCalledByOthers = true
        case "override": isCalledByOthers = true
        case "case" where scopes.last == .caseList: index = readCases(index + 1)
        default:
          if DeadNameRules.valueKeywords.contains(text) { take(after: index) }
          let before = index == 0 ? "" : tokens[index - 1].text
          if DeadNameRules.typeKeywords.contains(text), before != ".", before != "import" {
            if text == "enum" { pending = isReachedByValue(index) ? .other : .caseList }
            if !(text == "class" && ["func", "var", "let", ":", ",", "{"].contains(tokens[next(index)].text)) {
              take(after: index)
            }
          }
        }
        index += 1
      }
      return found
    }

    private func next(_ index: Int) -> Int { min(index + 1, tokens.count - 1) }

    private static func isName(_ text: String) -> Bool {
      guard let first = text.utf8.first else { return false }
      return text != "_" && (first == UInt8(ascii: "_") || Character(UnicodeScalar(first)).isLetter)
    }

    private mutating func take(after index: Int) {
      defer { isCalledByOthers = false }
      var place = next(index)
      if tokens[place].text == "`" { place = next(place) }
      guard !isCalledByOthers, place > index, Self.isName(tokens[place].text), !isAssignedNumber(place) else { return }
      found.append(Declaration(name: tokens[place].text, path: file.path, line: tokens[place].line))
    }

    /// `static let name = Type(0x05)` in BluetoothWire: a number that the specification assigns. The lists are kept
    /// whole, because any of them may come in a packet.
    private func isAssignedNumber(_ place: Int) -> Bool {
      guard file.isInside("Sources/BluetoothWire"), place + 4 < tokens.count, tokens[place + 1].text == "=",
        Self.isName(tokens[place + 2].text), tokens[place + 3].text == "("
      else { return false }
      let number = tokens[place + 4].text == "rawValue" ? place + 6 : place + 4
      return number < tokens.count && tokens[number].text.first?.isNumber == true
    }

    /// `enum Name: String`, `enum Name: CaseIterable`: cases come from values as well.
    private func isReachedByValue(_ index: Int) -> Bool {
      tokens[index...].prefix { $0.text != "{" }.contains { DeadNameRules.rawTypes.contains($0.text) }
    }

    /// `case a, b(x: Int), c`; the index of the last token of the list.
    private mutating func readCases(_ start: Int) -> Int {
      var index = start
      while index < tokens.count {
        if tokens[index].text == "`" { index += 1 }
        guard index < tokens.count, Self.isName(tokens[index].text) else { return index - 1 }
        found.append(Declaration(name: tokens[index].text, path: file.path, line: tokens[index].line))
        index += 1
        if index < tokens.count, tokens[index].text == "`" { index += 1 }
        var depth = 0
        while index < tokens.count {
          if tokens[index].text == "(" {
            depth += 1
          } else if tokens[index].text == ")" {
            depth -= 1
          } else if depth == 0 {
            break
          }
          index += 1
        }
        guard index < tokens.count, tokens[index].text == "," else { return index - 1 }
        index += 1
      }
      return index
    }
  }
}
