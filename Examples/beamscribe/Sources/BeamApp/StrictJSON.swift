/// JSON as BEAM 4.6 wants it: a key twice, half a character, and a nesting deeper than 16 are refused.
indirect enum StrictJSON {
  case null
  case flag(Bool)
  /// As it was written.
  case number(String)
  case text(String)
  case list([StrictJSON])
  case object([String: StrictJSON])

  struct Refusal: Error {}

  init(_ octets: [UInt8]) throws {
    guard !octets.starts(with: [0xEF, 0xBB, 0xBF]), String(validating: octets, as: UTF8.self) != nil else {
      throw Refusal()
    }
    var reader = Reader(octets: octets)
    self = try reader.value(depth: 1)
    reader.skipSpace()
    guard reader.place == octets.count else { throw Refusal() }
  }

  private struct Reader {
    let octets: [UInt8]
    var place = 0

    var next: UInt8? { place < octets.count ? octets[place] : nil }

    mutating func skipSpace() {
      while let octet = next, octet == 0x20 || octet == 0x09 || octet == 0x0A || octet == 0x0D { place += 1 }
    }

    mutating func take(_ character: Character) -> Bool {
      skipSpace()
      guard next == character.asciiValue else { return false }
      place += 1
      return true
    }

    mutating func need(_ character: Character) throws { if !take(character) { throw Refusal() } }

    mutating func value(depth: Int) throws -> StrictJSON {
      skipSpace()
      guard depth <= 17, let first = next else { throw Refusal() }
      switch first {
      case UInt8(ascii: "{"): return try object(depth)
      case UInt8(ascii: "["): return try list(depth)
      case UInt8(ascii: "\""): return .text(try text())
      case UInt8(ascii: "t"): return try word("true", .flag(true))
      case UInt8(ascii: "f"): return try word("false", .flag(false))
      case UInt8(ascii: "n"): return try word("null", .null)
      default: return .number(try number())
      }
    }

    private mutating func word(_ word: StaticString, _ value: StrictJSON) throws -> StrictJSON {
      for offset in 0..<word.utf8CodeUnitCount {
        guard next == word.utf8Start[offset] else { throw Refusal() }
        place += 1
      }
      return value
    }

    private mutating func object(_ depth: Int) throws -> StrictJSON {
      guard depth <= 16 else { throw Refusal() }
      try need("{")
      var members: [String: StrictJSON] = [:]
      // Octet by octet: for Swift, texts that look alike are one.
      var keys: Set<[UInt8]> = []
      if take("}") { return .object(members) }
      repeat {
        skipSpace()
        guard next == UInt8(ascii: "\"") else { throw Refusal() }
        let key = try text()
        try need(":")
        let value = try value(depth: depth + 1)
        guard keys.insert(Array(key.utf8)).inserted else { throw Refusal() }
        members[key] = value
      } while take(",")
      try need("}")
      return .object(members)
    }

    private mutating func list(_ depth: Int) throws -> StrictJSON {
      guard depth <= 16 else { throw Refusal() }
      try need("[")
      var values: [StrictJSON] = []
      if take("]") { return .list(values) }
      repeat { values.append(try value(depth: depth + 1)) } while take(",")
      try need("]")
      return .list(values)
    }

    private mutating func number() throws -> String {
      let start = place
      if next == UInt8(ascii: "-") { place += 1 }
      let whole = try digits()
      if whole > 1, octets[place - whole] == UInt8(ascii: "0") { throw Refusal() }
      if next == UInt8(ascii: ".") {
        place += 1
        _ = try digits()
      }
      if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
        place += 1
        if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { place += 1 }
        _ = try digits()
      }
      return String(decoding: octets[start..<place], as: UTF8.self)
    }

    private mutating func digits() throws -> Int {
      let start = place
      while let octet = next, (0x30...0x39).contains(octet) { place += 1 }
      guard place > start else { throw Refusal() }
      return place - start
    }

    private mutating func text() throws -> String {
      place += 1
      var bytes: [UInt8] = []
      while let octet = next {
        place += 1
        switch octet {
        case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
        case UInt8(ascii: "\\"): bytes.append(contentsOf: try escape().utf8)
        case 0..<0x20: throw Refusal()
        default: bytes.append(octet)
        }
      }
      throw Refusal()
    }

    private mutating func escape() throws -> String {
      guard let octet = next else { throw Refusal() }
      place += 1
      switch Character(UnicodeScalar(octet)) {
      case "\"", "\\", "/": return String(UnicodeScalar(octet))
      case "b": return "\u{8}"
      case "f": return "\u{C}"
      case "n": return "\n"
      case "r": return "\r"
      case "t": return "\t"
      case "u": return String(try scalar())
      default: throw Refusal()
      }
    }

    private mutating func scalar() throws -> Unicode.Scalar {
      let first = try unit()
      if !(0xD800...0xDFFF).contains(first), let scalar = Unicode.Scalar(first) { return scalar }
      guard first < 0xDC00, next == UInt8(ascii: "\\") else { throw Refusal() }
      place += 1
      guard next == UInt8(ascii: "u") else { throw Refusal() }
      place += 1
      let second = try unit()
      guard (0xDC00...0xDFFF).contains(second),
        let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
      else { throw Refusal() }
      return scalar
    }

    private mutating func unit() throws -> UInt32 {
      var unit: UInt32 = 0
      for _ in 0..<4 {
        guard let octet = next, let digit = Character(UnicodeScalar(octet)).hexDigitValue else { throw Refusal() }
        place += 1
        unit = unit << 4 | UInt32(digit)
      }
      return unit
    }
  }
}
