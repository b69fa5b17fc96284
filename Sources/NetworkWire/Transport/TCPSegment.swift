public import BluetoothWire

/// A segment of TCP (RFC 9293, 3.1).
///
/// Three options are read and written: maximum segment size, window scale (RFC 7323, 2.2) and "SACK permitted"
/// (RFC 2018, 2). Others are passed over.
public struct TCPSegment: Hashable, Sendable {
  public struct Flags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let fin = Flags(rawValue: 0x01)
    public static let syn = Flags(rawValue: 0x02)
    public static let rst = Flags(rawValue: 0x04)
    public static let psh = Flags(rawValue: 0x08)
    public static let ack = Flags(rawValue: 0x10)
  }

  public struct Options: Hashable, Sendable {
    public var maximumSegmentSize: UInt16?
    public var windowScale: UInt8?
    public var permitsSACK = false
    public init() {}
  }

  public static let headerLength = 20

  public var sourcePort: UInt16
  public var destinationPort: UInt16
  public var sequence: UInt32
  /// Meaningful with the flag `ack`.
  public var acknowledgement: UInt32
  public var flags: Flags
  /// As the header has it, before it is scaled.
  public var window: UInt16
  public var options = Options()
  public var payload: [UInt8]

  public init(
    sourcePort: UInt16, destinationPort: UInt16, sequence: UInt32, acknowledgement: UInt32, flags: Flags,
    window: UInt16, payload: [UInt8] = []
  ) {
    self.sourcePort = sourcePort
    self.destinationPort = destinationPort
    self.sequence = sequence
    self.acknowledgement = acknowledgement
    self.flags = flags
    self.window = window
    self.payload = payload
  }

  /// Refuses a header that is longer than the segment or shorter than 20 octets, options that pass its end, and a wrong
  /// checksum.
  /// - Parameter checksChecksum: captures on the sender's side have segments whose checksum its network card computes
  ///   later; pass false to take them.
  /// - Throws: `WireError`.
  public init(
    decoding octets: [UInt8], from source: IPAddress, to destination: IPAddress, checksChecksum: Bool = true
  ) throws(WireError) {
    var reader = OctetReader(octets)
    sourcePort = try reader.bigEndian16()
    destinationPort = try reader.bigEndian16()
    sequence = try reader.bigEndian32()
    acknowledgement = try reader.bigEndian32()
    let headerLength = Int(try reader.u8() >> 4) * 4
    if headerLength < Self.headerLength { throw WireError(.valueOutOfRange, at: 12) }
    if headerLength > octets.count { throw WireError(.truncated, at: octets.count) }
    flags = Flags(rawValue: try reader.u8())
    window = try reader.bigEndian16()
    if checksChecksum, IPPacket.checksum(.tcp, octets, from: source, to: destination) != 0 {
      throw WireError(.valueOutOfRange, at: 16)
    }
    _ = try reader.bigEndian32()
    options = try Options(OctetReader(octets, from: Self.headerLength, to: headerLength))
    payload = Array(octets[headerLength...])
  }

  /// With its checksum, for a packet between these addresses.
  public func octets(from source: IPAddress, to destination: IPAddress) -> [UInt8] {
    var octets: [UInt8] = []
    let options = options.octets
    octets.reserveCapacity(Self.headerLength + options.count + payload.count)
    octets.append(bigEndian: sourcePort)
    octets.append(bigEndian: destinationPort)
    octets.append(bigEndian: sequence)
    octets.append(bigEndian: acknowledgement)
    octets.append(UInt8((Self.headerLength + options.count) / 4) << 4)
    octets.append(flags.rawValue)
    octets.append(bigEndian: window)
    octets += [0, 0, 0, 0]
    octets += options
    octets += payload
    octets.set(bigEndian: IPPacket.checksum(.tcp, octets, from: source, to: destination), at: 16)
    return octets
  }
}

extension TCPSegment.Options {
  private enum Kind {
    static let end: UInt8 = 0
    static let noOperation: UInt8 = 1
    static let maximumSegmentSize: UInt8 = 2
    static let windowScale: UInt8 = 3
    static let permitsSACK: UInt8 = 4
  }

  init(_ options: OctetReader) throws(WireError) {
    var reader = options
    while !reader.isAtEnd {
      let start = reader.offset
      let kind = try reader.u8()
      if kind == Kind.end { return }
      if kind == Kind.noOperation { continue }
      let length = Int(try reader.u8())
      if length < 2 { throw WireError(.valueOutOfRange, at: start + 1) }
      let value = try reader.take(length - 2)
      switch (kind, value.count) {
      case (Kind.maximumSegmentSize, 2): maximumSegmentSize = UInt16(value[0]) << 8 | UInt16(value[1])
      case (Kind.windowScale, 1): windowScale = value[0]
      case (Kind.permitsSACK, 0): permitsSACK = true
      case (Kind.maximumSegmentSize, _), (Kind.windowScale, _), (Kind.permitsSACK, _):
        throw WireError(.lengthMismatch, at: start + 1)
      default: break
      }
    }
  }

  /// Filled up to a multiple of four octets with "end of options".
  var octets: [UInt8] {
    var octets: [UInt8] = []
    if let maximumSegmentSize {
      octets += [Kind.maximumSegmentSize, 4]
      octets.append(bigEndian: maximumSegmentSize)
    }
    if let windowScale { octets += [Kind.noOperation, Kind.windowScale, 3, windowScale] }
    if permitsSACK { octets += [Kind.permitsSACK, 2] }
    while octets.count % 4 != 0 { octets.append(Kind.end) }
    return octets
  }
}
