/// How the values of a characteristic carry packets.
enum FramingForm: Hashable, Sendable {
  /// A value is a packet.
  case none
  /// Packets are lines of text in a stream of values; each ends with a line feed, before which a carriage return is
  /// ignored.
  case lines
  /// Each packet has its length before it, in a stream of values.
  case length(IntegerForm)
  /// Each packet says its length itself.
  case inside(OwnLength)
  /// A packet is cut into fragments; each value begins with these fields.
  case fragments([FragmentField])

  /// A length that is part of the packet.
  struct OwnLength: Hashable, Sendable {
    var integer: IntegerForm
    /// Octets of the packet before it.
    var place: Int
    /// Octets of the packet that it does not count.
    var extra: Int
    /// Octets with which every packet begins; what is between packets is ignored. None: nothing is between them.
    var start: [UInt8]
  }

  /// A field of a fragment's header.
  struct FragmentField: Hashable, Sendable {
    enum Meaning: String, CaseIterable, Sendable {
      /// The packet's number.
      case id
      /// The fragment's place, from 0.
      case index
      /// How many fragments the packet has.
      case count
      /// Octets of the packet.
      case size
      /// 0 in the last fragment.
      case more
      /// Not 0 in the last fragment.
      case last
      /// Not looked at, and 0 in what is sent.
      case unused
    }

    var meaning: Meaning
    var integer: IntegerForm
  }
}

/// A whole number in octets.
struct IntegerForm: Hashable, Sendable {
  /// 1 to 8.
  var octets: Int
  var isSigned = false
  var isBigEndian = false

  /// The numbers that it can hold; those of unsigned numbers of eight octets end with the largest signed one.
  var range: ClosedRange<Int64> {
    let bits = octets * 8
    if isSigned { return bits == 64 ? Int64.min...Int64.max : -(1 << (bits - 1))...((1 << (bits - 1)) - 1) }
    return bits == 64 ? 0...Int64.max : 0...((1 << bits) - 1)
  }

  /// - Parameter octets: at least as many as it has.
  func read(_ octets: ArraySlice<UInt8>) -> Int64 {
    var value: UInt64 = 0
    let own = octets.prefix(self.octets)
    if isBigEndian { for octet in own { value = value << 8 | UInt64(octet) } }
    if !isBigEndian { for octet in own.reversed() { value = value << 8 | UInt64(octet) } }
    let bits = self.octets * 8
    if isSigned, bits < 64, value >> UInt64(bits - 1) == 1 { value |= ~((1 << UInt64(bits)) - 1) }
    return Int64(bitPattern: value)
  }

  func write(_ value: Int64) -> [UInt8] {
    let little = (0..<octets).map { UInt8(truncatingIfNeeded: value >> (8 * Int64($0))) }
    return isBigEndian ? little.reversed() : little
  }
}
