/// The TXT record of a service: what it says of itself, as octets (RFC 6763, 6). The seam carries it and does not look
/// at keys and values.
public enum ServiceRecord {
  /// The longest one, so that all records of a service are in one packet (NET 7.17).
  public static let longest = 1_200

  /// Whether octets are a record: each string after its length, and not longer than `longest`. Empty is one, too.
  public static func isValid(_ octets: [UInt8]) -> Bool {
    octets.count <= longest && strings(of: octets).reduce(0) { $0 + 1 + $1.count } == octets.count
  }

  /// The strings of a record; what is after a broken length is ignored.
  package static func strings(of octets: some Sequence<UInt8>) -> [[UInt8]] {
    var strings: [[UInt8]] = []
    var rest = Array(octets)[...]
    while let length = rest.popFirst(), length <= rest.count {
      strings.append(Array(rest.prefix(Int(length))))
      rest = rest.dropFirst(Int(length))
    }
    return strings
  }

  /// Each string after its length; one that is longer than 255 octets is cut.
  package static func octets(of strings: [[UInt8]]) -> [UInt8] {
    strings.flatMap { [UInt8(clamping: $0.count)] + $0.prefix(255) }
  }
}
