/// Cuts packets into values, for one direction of one link.
///
/// Spec: BAB 3.1–3.8.
public struct Fragmenter: Hashable, Sendable {
  /// Spec: BAB 3.5.
  public static let fragmentLimit = 255
  /// Opcode and handle of a notification or write command. Spec: Core v5.4, Vol 3, Part F, 3.4.7.1.
  public static let attHeaderOctets = 3
  /// The longest attribute value, whatever the ATT_MTU. Spec: Core v5.4, Vol 3, Part F, 3.2.9.
  public static let valueLimit = 512
  /// Spec: BAB 3.20.
  public static let rawChunkOctets = 182
  /// Spec: BAB 3.21.
  public static let overlongBodyOctets = 181

  public let framing: Framing
  /// The packet ID of the next packet; wraps.
  public private(set) var nextPacketID: UInt16

  public init(framing: Framing = .framed, nextPacketID: UInt16 = 0) {
    self.framing = framing
    self.nextPacketID = nextPacketID
  }

  /// The values of one packet, in the order in which they are to be sent; a packet ID is used up unless it is refused.
  ///
  /// - Parameter attMTU: of the link; the packet's values are at most `attMTU` − 3 and 512 octets long when
  ///   `framing` is `framed`.
  public mutating func fragments(of octets: [UInt8], attMTU: Int) throws(FragmentationError) -> [[UInt8]] {
    switch framing {
    case .raw: return Self.chunks(of: octets)
    case .framed:
      let body = Self.bodyOctets(attMTU)
      guard body >= 1 else { throw .attMTUTooSmall(attMTU) }
      return try headed(octets, body: body)
    case .framedOverlong: return try headed(octets, body: Self.overlongBodyOctets)
    }
  }

  /// How many values a packet of `octets` octets takes; nil when it cannot be sent.
  public func fragmentCount(of octets: Int, attMTU: Int) -> Int? {
    let body: Int
    switch framing {
    case .raw: return max(1, (octets + Self.rawChunkOctets - 1) / Self.rawChunkOctets)
    case .framed: body = Self.bodyOctets(attMTU)
    case .framedOverlong: body = Self.overlongBodyOctets
    }
    guard body >= 1 else { return nil }
    let count = max(1, (octets + body - 1) / body)
    return count <= Self.fragmentLimit ? count : nil
  }

  /// The longest value that one ATT PDU carries. Spec: BAB 3.4.
  package static func valueOctets(attMTU: Int) -> Int { min(attMTU - attHeaderOctets, valueLimit) }

  /// The longest packet, in `fragmentLimit` fragments. Spec: BAB 3.5.
  package static func packetOctets(attMTU: Int) -> Int { fragmentLimit * bodyOctets(attMTU) }

  private static func bodyOctets(_ attMTU: Int) -> Int { valueOctets(attMTU: attMTU) - FragmentHeader.octets }

  private mutating func headed(_ octets: [UInt8], body: Int) throws(FragmentationError) -> [[UInt8]] {
    let count = max(1, (octets.count + body - 1) / body)
    guard count <= Self.fragmentLimit else { throw .tooManyFragments(count) }
    let packetID = nextPacketID
    nextPacketID &+= 1
    var values: [[UInt8]] = []
    values.reserveCapacity(count)
    for index in 0..<count {
      let start = index * body
      let length = min(body, octets.count - start)
      values.append(
        [UInt8](unsafeUninitializedCapacity: FragmentHeader.octets + length) { buffer, initialized in
          buffer[0] = UInt8(packetID >> 8)
          buffer[1] = UInt8(packetID & 0xFF)
          buffer[2] = UInt8(index)
          buffer[3] = UInt8(count)
          octets.withUnsafeBufferPointer { source in
            let rest = UnsafeMutableBufferPointer(rebasing: buffer[FragmentHeader.octets...])
            _ = rest.initialize(from: source[start..<start + length])
          }
          initialized = FragmentHeader.octets + length
        })
    }
    return values
  }

  private static func chunks(of octets: [UInt8]) -> [[UInt8]] {
    if octets.count <= rawChunkOctets { return [octets] }
    return stride(from: 0, to: octets.count, by: rawChunkOctets).map { start in
      Array(octets[start..<min(start + rawChunkOctets, octets.count)])
    }
  }
}
