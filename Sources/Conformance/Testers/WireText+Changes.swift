import BluetoothWire

/// Ways to write a text differently: what a peer may send, and what a slip in a writer makes of it.
extension WireText {
  /// The members of an object changed; any other value as it is.
  package func members(_ change: ([Member]) -> [Member]) -> WireText {
    if case .object(let members) = self { .object(change(members)) } else { self }
  }

  /// The value under a key changed; the object as it is when the key is not there.
  package func at(_ key: String, _ change: (WireText) -> WireText) -> WireText {
    members { $0.map { $0.key == key ? Member(key, change($0.value)) : $0 } }
  }

  /// The keys of every object in the order of their octets.
  package var sorted: WireText {
    mapped { $0.members { $0.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } } }
  }

  /// The keys of every object in the opposite order.
  package var reversed: WireText { mapped { $0.members { $0.reversed() } } }

  /// A key that nobody knows in every object that is no map.
  package func withStrangers(_ value: WireText) -> WireText {
    let everywhere = mapped { $0.members { $0 + [Member("x-new", value)] } }
    return everywhere.changing(under: "timestamps") { $0.members { Array($0.dropLast()) } }
  }

  /// Every string and key changed as it stands between its quotes.
  package func rawStrings(_ change: (String) -> String) -> WireText {
    mapped { value in
      switch value {
      case .string(let raw): .string(change(raw))
      case .object(let members): .object(members.map { Member(change($0.key), $0.value) })
      default: value
      }
    }
  }

  /// With white space wherever it may stand.
  package var spaced: String {
    switch self {
    case .object(let members):
      "{\n" + members.map { "\t\"" + $0.key + "\" : " + $0.value.spaced }.joined(separator: " ,\r\n") + "\n}"
    case .array(let items): "[ " + items.map(\.spaced).joined(separator: " , ") + " ]"
    case .string(let raw): "\"" + raw + "\""
    case .number(let text), .word(let text): text
    }
  }

  /// Without quotes around keys, and around strings of letters, digits, points and hyphens.
  package var unquoted: String {
    func bare(_ raw: String) -> String {
      let isPlain =
        !raw.isEmpty
        && raw.utf8.allSatisfy {
          Unicode.Scalar($0).properties.isAlphabetic || ".-_".utf8.contains($0) || 0x30...0x39 ~= $0
        }
      return isPlain && raw.allSatisfy(\.isASCII) ? raw : "\"" + raw + "\""
    }
    return switch self {
    case .object(let members): "{" + members.map { bare($0.key) + ":" + $0.value.unquoted }.joined(separator: ",") + "}"
    case .array(let items): "[" + items.map(\.unquoted).joined(separator: ",") + "]"
    case .string(let raw): bare(raw)
    case .number(let text), .word(let text): text
    }
  }

  /// Numbers and booleans between quotes.
  package var quoted: WireText {
    mapped { value in
      switch value {
      case .number(let text), .word(let text): text == "null" ? value : .string(text)
      default: value
      }
    }
  }

  /// Every string that is no discriminator stands twice, with nonsense first.
  package var doubled: WireText {
    mapped {
      $0.members { members in
        members.flatMap { member in
          guard member.key != "type", case .string = member.value else { return [member] }
          return [Member(member.key, .string("nonsense")), member]
        }
      }
    }
  }

  /// Every UTF-16 unit of a raw string as an escape.
  package static func allEscaped(_ raw: String) -> String { unescaped(raw).utf16.map(escape).joined() }

  package static func escapedBeyondASCII(_ raw: String) -> String {
    raw.unicodeScalars.map { $0.isASCII ? String($0) : String($0).utf16.map(escape).joined() }.joined()
  }

  private static func escape(_ unit: UInt16) -> String {
    "\\u" + String(hexadecimal: unit, digits: 4)
  }

  /// Arrays within arrays.
  package static func nested(_ depth: Int) -> [UInt8] {
    Array(repeating: UInt8(ascii: "["), count: depth) + Array(repeating: UInt8(ascii: "]"), count: depth)
  }

  /// The deepest nesting of brackets, those in strings included.
  package static func depth(of octets: [UInt8]) -> Int {
    var (depth, deepest) = (0, 0)
    for octet in octets {
      if octet == UInt8(ascii: "[") || octet == UInt8(ascii: "{") { depth += 1 }
      if octet == UInt8(ascii: "]") || octet == UInt8(ascii: "}") { depth -= 1 }
      deepest = max(deepest, depth)
    }
    return deepest
  }
}
