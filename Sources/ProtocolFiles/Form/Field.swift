import BluetoothWire

extension ProtocolForm {
  /// A field of a packet: its name, what it is, and when it is there.
  struct Field: Sendable {
    var name: String
    var kind: Kind
    /// The packet is this one only where the field has this value.
    var constant: FieldValue?
    /// Numbers, or how many octets of a text, that are allowed.
    var range: ClosedRange<Int64>?
    /// Where the field is there; nil: always, and in JSON that it is required.
    var presence: Presence?
    /// In JSON: the members that lead to it.
    var path: [Member] = []
    /// It lists services that are advertised, published or looked for.
    var isServices = false

    /// A member of a JSON object.
    struct Member: Hashable, Sendable {
      var name: String
      /// It is a list, and what comes after it is in each of its entries.
      var isList = false

      /// `payload.players[].id`.
      /// - Returns: nil for a path with an empty name, or with two lists.
      static func path(_ text: String) -> [Member]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { part in
          part.hasSuffix("[]") ? Member(name: String(part.dropLast(2)), isList: true) : Member(name: String(part))
        }
        return parts.contains { $0.name.isEmpty } || parts.count(where: \.isList) > 1 ? nil : parts
      }

      static func text(_ path: [Member]) -> String {
        path.map { $0.name + ($0.isList ? "[]" : "") }.joined(separator: ".")
      }
    }

    indirect enum Kind: Sendable {
      case integer(IntegerForm)
      /// A JSON number without a fraction.
      case number
      /// A JSON number with six digits after its point; more are cut off.
      case decimal
      /// A JSON `true` or `false`.
      case flag
      case text(Extent)
      case octets(Extent)
      /// Numbers or texts, one after the other, up to the end or as many as another field says.
      case list(of: Kind, count: Extent)
      /// A JSON object whose members have any names.
      case map(of: Kind)
      case checksum(Checksum, IntegerForm, Span)
    }

    /// What a checksum covers: from the beginning of one field to the end of another one before it.
    struct Span: Hashable, Sendable {
      /// Nil: from the beginning of the packet.
      var from: String?
      /// Nil: up to the checksum.
      var to: String?
    }

    /// How far a text, octets or a list go.
    enum Extent: Hashable, Sendable {
      case fixed(Int)
      /// As many as a field before it says.
      case field(String)
      /// The number stands before it.
      case prefix(IntegerForm)
      /// Up to an octet of 0.
      case zeroEnded
      /// Up to the end of the packet.
      case rest
    }

    /// `when flags & 1`, `unless flags & 1`, `when kind = 3`.
    struct Presence: Hashable, Sendable {
      var field: String
      /// Nil: the whole number.
      var mask: Int64?
      /// Nil: anything but 0.
      var value: Int64?
      var isNegated = false

      func holds(_ number: Int64) -> Bool {
        let masked = mask.map { number & $0 } ?? number
        let isThere = value.map { masked == $0 } ?? (masked != 0)
        return isThere != isNegated
      }
    }

    enum Checksum: String, Sendable, CaseIterable {
      /// The sum of all octets.
      case sum
      /// What makes the sum of all octets, and itself, 0.
      case complement
      /// All octets combined by exclusive or.
      case xor
      /// CRC-16/CCITT-FALSE.
      case crc16
      /// CRC-32 as in ISO 3309.
      case crc32

      func value(_ octets: some Sequence<UInt8>) -> Int64 {
        switch self {
        case .sum: octets.reduce(0) { $0 &+ Int64($1) }
        case .complement: octets.reduce(0) { $0 &- Int64($1) }
        case .xor: Int64(octets.reduce(0, ^))
        case .crc16: Int64(Self.crc16(octets))
        case .crc32: Int64(Self.crc32(octets))
        }
      }

      private static func crc16(_ octets: some Sequence<UInt8>) -> UInt16 {
        var sum: UInt16 = 0xFFFF
        for octet in octets {
          sum ^= UInt16(octet) << 8
          for _ in 0..<8 {
            let carries = sum & 0x8000 != 0
            sum <<= 1
            if carries { sum ^= 0x1021 }
          }
        }
        return sum
      }

      private static func crc32(_ octets: some Sequence<UInt8>) -> UInt32 {
        var sum = UInt32.max
        for octet in octets {
          sum ^= UInt32(octet)
          for _ in 0..<8 {
            let carries = sum & 1 != 0
            sum >>= 1
            if carries { sum ^= 0xEDB8_8320 }
          }
        }
        return ~sum
      }
    }
  }
}

/// What a field of a packet, an action or a report holds.
enum FieldValue: Hashable, Sendable {
  case number(Int64)
  case text(String)
  case flag(Bool)
  case octets([UInt8])
  case list([FieldValue])
  /// A number in millionths.
  case decimal(Int64)
  case map([Entry])

  struct Entry: Hashable, Sendable {
    var name: String
    var value: FieldValue
  }

  /// As files and messages write it; two values are equal where these are.
  var text: String {
    switch self {
    case .number(let number): String(number)
    case .text(let text): text
    case .flag(let isOn): isOn ? "yes" : "no"
    case .octets(let octets): octets.isEmpty ? "nothing" : String(hexadecimal: octets)
    case .list(let values): values.map(\.text).joined(separator: " ")
    case .decimal(let millionths): DecimalText.text(millionths)
    case .map(let entries): entries.map { "\($0.name) \($0.value.text)" }.joined(separator: " ")
    }
  }

  var number: Int64? { if case .number(let number) = self { number } else { nil } }
}
