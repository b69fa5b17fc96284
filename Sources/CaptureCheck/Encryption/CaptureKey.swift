import BluetoothWire

/// A key that somebody has for captures, as `--key` takes it.
package enum CaptureKey: Hashable, Sendable {
  /// A Long Term Key, 16 octets in the order in which they were written.
  case longTerm([UInt8])
  /// An Identity Resolving Key, in the same way.
  case identity([UInt8])
  /// The temporary key of an LE legacy pairing out of band, in the same way.
  case temporary([UInt8])
  /// The six digits of an LE legacy pairing.
  case passkey(UInt32)

  /// What `init(spelling:)` takes, for people.
  package static let forms = "ltk=, irk= or tk= with 32 hexadecimal digits, or passkey= with up to six digits"

  /// Reads `ltk=4C68384139F574D836BCF34E9DFB01BF`, `irk=…`, `tk=…` or `passkey=012345`; nil for anything else. Digits
  /// may be in pairs with `:` or spaces between them.
  package init?(spelling: String) {
    guard let sign = spelling.firstIndex(of: "=") else { return nil }
    let value = spelling[spelling.index(after: sign)...]
    switch spelling[..<sign].lowercased() {
    case "ltk":
      guard let octets = Self.octets(value) else { return nil }
      self = .longTerm(octets)
    case "irk":
      guard let octets = Self.octets(value) else { return nil }
      self = .identity(octets)
    case "tk":
      guard let octets = Self.octets(value) else { return nil }
      self = .temporary(octets)
    case "passkey":
      guard (1...6).contains(value.utf8.count), value.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = UInt32(value)
      else { return nil }
      self = .passkey(number)
    default: return nil
    }
  }

  private static func octets(_ text: Substring) -> [UInt8]? {
    let octets = [UInt8](hexadecimalDigits: text.filter { $0 != ":" && $0 != " " })
    return octets?.count == 16 ? octets : nil
  }
}
