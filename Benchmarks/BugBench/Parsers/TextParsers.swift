/// JSON, in which only one thing is wrong at a time.
extension PlantedParser {
  static let texts: [PlantedParser] = [
    PlantedParser(
      "json-depth", "brackets within brackets have sixty-four places and no limit",
      witness: [UInt8](repeating: UInt8(ascii: "["), count: 65)
    ) { input, isSound in parseText(input, JSONFlaw(depth: !isSound)) },
    PlantedParser(
      "json-text-cut", "a text is cut after twenty octets for the screen, within a character too",
      witness: Array("{\"name\":\"0123456789012345678é\"}".utf8)
    ) { input, isSound in parseText(input, JSONFlaw(cut: !isSound)) },
    PlantedParser(
      "json-number", "any number becomes an integer", witness: Array("{\"n\":1e99}".utf8)
    ) { input, isSound in parseText(input, JSONFlaw(number: !isSound)) },
  ]

  private static func parseText(_ input: [UInt8], _ flaw: JSONFlaw) -> ParserAnswer {
    var reader = JSONReader(input: input, flaw: flaw)
    do throws(JSONReader.Refusal) {
      try reader.value()
      reader.skipSpace()
      if reader.place < input.count { return .refused("something follows", offset: reader.place) }
      return .accepted(kind: reader.kind)
    } catch {
      return .refused(error.reason, offset: reader.place)
    }
  }
}

struct JSONFlaw {
  var depth = false
  var cut = false
  var number = false
}

/// Reads JSON and remembers next to nothing of it.
struct JSONReader {
  struct Refusal: Error {
    var reason: String
  }

  let input: [UInt8]
  let flaw: JSONFlaw
  private(set) var place = 0
  /// Tells values apart by what they are made of.
  private(set) var kind: UInt64 = 0
  private var opened = [UInt8](repeating: 0, count: 64)
  private var depth = 0

  init(input: [UInt8], flaw: JSONFlaw) {
    self.input = input
    self.flaw = flaw
  }

  private var next: UInt8? { place < input.count ? input[place] : nil }

  mutating func skipSpace() {
    while let octet = next, [0x20, 0x09, 0x0A, 0x0D].contains(octet) { place += 1 }
  }

  mutating func value() throws(Refusal) {
    skipSpace()
    switch next ?? 0 {
    case UInt8(ascii: "{"), UInt8(ascii: "["): try container()
    case UInt8(ascii: "\""): try text()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
    default: try literal()
    }
  }

  private mutating func container() throws(Refusal) {
    let isObject = next == UInt8(ascii: "{")
    let end = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
    if !flaw.depth, depth >= opened.count { throw Refusal(reason: "too deep") }
    opened[depth] = end
    depth += 1
    kind = max(kind, UInt64(depth))
    place += 1
    skipSpace()
    while next != end {
      if isObject {
        guard next == UInt8(ascii: "\"") else { throw Refusal(reason: "no key") }
        try text()
        skipSpace()
        guard next == UInt8(ascii: ":") else { throw Refusal(reason: "no colon") }
        place += 1
      }
      try value()
      skipSpace()
      guard next == UInt8(ascii: ",") else { break }
      place += 1
      skipSpace()
    }
    guard next == end else { throw Refusal(reason: "no end") }
    place += 1
    depth -= 1
  }

  private mutating func text() throws(Refusal) {
    place += 1
    let start = place
    while let octet = next, octet != UInt8(ascii: "\"") {
      if octet < 0x20 { throw Refusal(reason: "control character") }
      place += octet == UInt8(ascii: "\\") ? 2 : 1
    }
    guard place < input.count else {
      place = input.count
      throw Refusal(reason: "text without an end")
    }
    let octets = input[start..<place]
    place += 1
    guard String(validating: octets, as: UTF8.self) != nil else { throw Refusal(reason: "no UTF-8") }
    if flaw.cut {
      let shown = String(validating: octets.prefix(20), as: UTF8.self)!
      kind |= shown.isEmpty ? 0x100 : 0x200
    }
  }

  private mutating func number() throws(Refusal) {
    let start = place
    while let octet = next, Self.isOfNumbers(octet) { place += 1 }
    guard let number = Double(String(decoding: input[start..<place], as: UTF8.self)) else {
      throw Refusal(reason: "no number")
    }
    kind |= number < 0 ? 0x400 : 0x800
    if flaw.number { kind |= Int(number) == 0 ? 0x1000 : 0 }
  }

  private static func isOfNumbers(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private mutating func literal() throws(Refusal) {
    for word in ["true", "false", "null"] where input[place...].starts(with: word.utf8) {
      place += word.utf8.count
      return
    }
    throw Refusal(reason: "no value")
  }
}
