/// The TXT record of a service: what it says of itself, as octets (RFC 6763, 6). The seam carries it and does not look
/// at keys and values.
public enum ServiceRecord {
  /// The longest one, so that all records of a service are in one packet (NET 7.17).
  public static let longest = 1_200

  /// Whether octets are a record: each string after its length, and not longer than `longest`. Empty is one, too.
  public static func isValid(_ octets: [UInt8]) -> Bool {
    var place = 0
    while place < octets.count { place += 1 + Int(octets[place]) }
    return place == octets.count && place <= longest
  }
}
