import BluetoothWire

/// A domain name: labels of 1 … 63 octets, 255 octets in all with their lengths (RFC 1035, 3.1).
///
/// Names are compared without case where the letters are ASCII (RFC 6762, 16).
public struct DNSName: Sendable {
  /// From the left, without the root. In Multicast DNS they are UTF-8 (RFC 6762, 16); a dot within one is text.
  public var labels: [String]

  public init(_ labels: [String]) { self.labels = labels }

  static let longestLabel = 63
  static let longestName = 255

  /// Reads a name, following pointers of compression (RFC 1035, 4.1.4).
  ///
  /// Refuses pointers that do not lead to an earlier place, so that reading ends; octets that are not UTF-8; kinds of
  /// labels that no RFC uses any more; and names that are too long.
  init(from reader: inout OctetReader) throws(WireError) {
    labels = []
    var length = 1
    var place = reader
    var earliest = reader.offset
    var isAway = false
    while true {
      let start = place.offset
      let octet = try place.u8()
      switch octet >> 6 {
      case 0b00:
        if octet == 0 {
          if !isAway { reader = place }
          return
        }
        length += Int(octet) + 1
        if length > Self.longestName { throw WireError(.tooLong, at: start) }
        guard let label = String(validating: try place.take(Int(octet)), as: UTF8.self) else {
          throw WireError(.valueOutOfRange, at: start + 1)
        }
        labels.append(label)
      case 0b11:
        let target = Int(octet & 0x3F) << 8 | Int(try place.u8())
        if target >= earliest { throw WireError(.valueOutOfRange, at: start) }
        if !isAway { reader = place }
        isAway = true
        earliest = target
        place = OctetReader(place.octets, from: target, to: place.end)
      default: throw WireError(.unknownType, at: start)
      }
    }
  }

  /// Whether its labels have lengths that can be written.
  public var isWritable: Bool {
    labels.allSatisfy { (1...Self.longestLabel).contains($0.utf8.count) }
      && labels.reduce(1) { $0 + $1.utf8.count + 1 } <= Self.longestName
  }

}

extension DNSName: Hashable {
  public static func == (a: Self, b: Self) -> Bool {
    a.labels.count == b.labels.count
      && zip(a.labels, b.labels).allSatisfy {
        $0.utf8.elementsEqual($1.utf8) { $0.asciiLowercased == $1.asciiLowercased }
      }
  }

  public func hash(into hasher: inout Hasher) {
    for label in labels {
      for octet in label.utf8 { hasher.combine(octet.asciiLowercased) }
      hasher.combine(UInt8(0))
    }
  }
}

extension DNSName: CustomStringConvertible {
  /// With a dot after each label; dots and backslashes in a label have a backslash (RFC 6763, 4.3).
  public var description: String {
    if labels.isEmpty { return "." }
    return labels.map { label in
      label.reduce(into: "") { $0 += $1 == "." || $1 == "\\" ? "\\\($1)" : String($1) } + "."
    }.joined()
  }
}

extension DNSName: ExpressibleByStringLiteral {
  /// Labels with dots between them, none of which has one in it; a last dot may be left out.
  public init(stringLiteral text: String) { self.init(text.split(separator: ".").map(String.init)) }
}

extension UInt8 {
  fileprivate var asciiLowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self + 32 : self }
}
