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

    indirect enum Kind: Sendable {
      case integer(IntegerForm)
      /// A JSON number without a fraction.
      case number
      /// A JSON `true` or `false`.
      case flag
      case text(Extent)
      case octets(Extent)
      /// Numbers or texts, one after the other, up to the end or as many as another field says.
      case list(of: Kind, count: Extent)
      /// A checksum over everything before it.
      case checksum(Checksum, IntegerForm)
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
      /// All octets combined by exclusive or.
      case xor
      /// CRC-16/CCITT-FALSE.
      case crc16
      /// CRC-32 as in ISO 3309.
      case crc32

      func value(_ octets: some Sequence<UInt8>) -> Int64 {
        switch self {
        case .sum: octets.reduce(0) { $0 &+ Int64($1) }
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

  /// As files and messages write it; two values are equal where these are.
  var text: String {
    switch self {
    case .number(let number): String(number)
    case .text(let text): text
    case .flag(let isOn): isOn ? "yes" : "no"
    case .octets(let octets): octets.isEmpty ? "nothing" : String(hexadecimal: octets)
    case .list(let values): values.map(\.text).joined(separator: " ")
    }
  }

  var number: Int64? { if case .number(let number) = self { number } else { nil } }
}
