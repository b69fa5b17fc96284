import BluetoothWire

/// A resource record (RFC 1035, 3.2.1), as Multicast DNS uses it (RFC 6762).
public struct DNSRecord: Hashable, Sendable {
  /// What a record is about. Open: unknown ones survive.
  public struct Kind: Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    public static let a = Kind(rawValue: 1)
    public static let pointer = Kind(rawValue: 12)
    public static let text = Kind(rawValue: 16)
    public static let aaaa = Kind(rawValue: 28)
    public static let service = Kind(rawValue: 33)
    public static let any = Kind(rawValue: 255)
  }

  public enum Content: Hashable, Sendable {
    /// A or AAAA.
    case address(IPAddress)
    /// PTR: an instance of a service type (RFC 6763, 4.1).
    case pointer(DNSName)
    /// SRV (RFC 2782); priority and weight are zero in DNS-SD (RFC 6763, 5).
    case service(port: UInt16, target: DNSName)
    /// TXT: strings of at most 255 octets (RFC 6763, 6).
    case text([[UInt8]])
    /// Any other.
    case other(Kind, [UInt8])
  }

  public var name: DNSName
  public var content: Content
  /// Seconds; zero takes the record back (RFC 6762, 10.1).
  public var timeToLive: UInt32
  /// No other record of the name and kind is right: receivers flush theirs (RFC 6762, 10.2).
  public var isUnique: Bool

  public init(name: DNSName, content: Content, timeToLive: UInt32, isUnique: Bool) {
    self.name = name
    self.content = content
    self.timeToLive = timeToLive
    self.isUnique = isUnique
  }

  public var kind: Kind {
    switch content {
    case .address(.v4): .a
    case .address(.v6): .aaaa
    case .pointer: .pointer
    case .service: .service
    case .text: .text
    case .other(let kind, _): kind
    }
  }

  init(from reader: inout OctetReader) throws(WireError) {
    name = try DNSName(from: &reader)
    let kind = Kind(rawValue: try reader.bigEndian16())
    isUnique = try reader.bigEndian16() & 0x8000 != 0
    timeToLive = try reader.bigEndian32()
    let length = Int(try reader.bigEndian16())
    try reader.require(length)
    var data = OctetReader(reader.octets, from: reader.offset, to: reader.offset + length)
    _ = try reader.take(length)
    content = try Self.content(kind, &data)
    try data.finish()
  }

  private static func content(_ kind: Kind, _ data: inout OctetReader) throws(WireError) -> Content {
    switch kind {
    case .a: return .address(.v4(try data.bigEndian32()))
    case .aaaa: return .address(IPAddress(v6: try data.take(16)))
    case .pointer: return .pointer(try DNSName(from: &data))
    case .service:
      _ = try data.u32()
      return .service(port: try data.bigEndian16(), target: try DNSName(from: &data))
    case .text:
      var strings: [[UInt8]] = []
      while !data.isAtEnd { strings.append(try data.take(Int(try data.u8()))) }
      return .text(strings)
    default: return .other(kind, data.rest())
    }
  }

  func append(to message: inout DNSNameWriter) {
    message.append(name)
    message.octets.append(bigEndian: kind.rawValue)
    message.octets.append(bigEndian: (isUnique ? 0x8000 : 0) | DNSMessage.internetClass)
    message.octets.append(bigEndian: timeToLive)
    let start = message.octets.count
    message.octets += [0, 0]
    appendContent(to: &message)
    message.octets.set(bigEndian: UInt16(message.octets.count - start - 2), at: start)
  }

  /// What the record says, without compression: simultaneous probes are compared by it (RFC 6762, 8.2).
  /// - Precondition: names are writable, and strings of texts have at most 255 octets.
  public var uncompressedContent: [UInt8] {
    var writer = DNSNameWriter()
    appendContent(to: &writer)
    return writer.octets
  }

  private func appendContent(to message: inout DNSNameWriter) {
    switch content {
    case .address(let address): message.octets += address.octets
    case .pointer(let name): message.append(name)
    case .service(let port, let target):
      message.octets += [0, 0, 0, 0]
      message.octets.append(bigEndian: port)
      message.append(target)
    case .text(let strings):
      for string in strings {
        message.octets.append(UInt8(string.count))
        message.octets += string
      }
    case .other(_, let octets): message.octets += octets
    }
  }
}
