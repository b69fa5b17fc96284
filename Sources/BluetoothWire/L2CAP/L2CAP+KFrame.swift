extension L2CAP {
  /// Octets of the SDU length in front of an SDU's first segment; they count for the MPS.
  public static let sduLengthOctets = 2

  /// The payloads of the K-frames that carry one SDU.
  ///
  /// Layout: the first is `SDU length: 2 | information`, the others are information alone. Each has at most `mps`
  /// octets, the SDU length included.
  ///
  /// Spec: Core v5.4, Vol 3, Part A, 3.4.3.
  public struct Segments {
    public let sdu: [UInt8]
    /// The largest payload, octets; 23 at least, or it is taken for 23.
    public let mps: Int
    /// Octets of the SDU that were taken.
    public private(set) var taken = 0
    private var hasBegun = false

    /// - Precondition: an SDU has at most 65 535 octets.
    public init(of sdu: [UInt8], mps: Int) {
      precondition(sdu.count <= Int(UInt16.max), "an SDU has at most 65 535 octets")
      self.sdu = sdu
      self.mps = max(mps, Int(smallestCreditBasedMTU))
    }

    /// Every octet was taken; an empty SDU has one segment too.
    public var isAtEnd: Bool { hasBegun && taken == sdu.count }

    /// A whole K-frame around the next segment, header included; nil when there is none.
    public mutating func nextFrame(on channel: ChannelID) -> [UInt8]? {
      if isAtEnd { return nil }
      let prefix = hasBegun ? 0 : sduLengthOctets
      let count = min(mps - prefix, sdu.count - taken)
      var frame: [UInt8] = []
      frame.reserveCapacity(headerLength + prefix + count)
      frame.append(littleEndian: UInt16(prefix + count))
      frame.append(littleEndian: channel.rawValue)
      if !hasBegun { frame.append(littleEndian: UInt16(sdu.count)) }
      frame.append(contentsOf: sdu[taken..<taken + count])
      hasBegun = true
      taken += count
      return frame
    }
  }

  /// Puts the payloads of K-frames together to SDUs. Takes any octets; holds at most one SDU of `mtu` octets.
  ///
  /// Spec: Core v5.4, Vol 3, Part A, 3.4.3. After a violation the channel has to be disconnected.
  public struct SDUAssembly: Sendable {
    /// The largest SDU, octets.
    public let mtu: Int
    /// The largest payload of a K-frame, octets.
    public let mps: Int
    private var sdu: [UInt8] = []
    /// Octets of the SDU that are still to come; nil between SDUs.
    private var missing: Int?

    public enum Outcome: Hashable, Sendable {
      /// More K-frames are needed.
      case nothing
      case sdu([UInt8])
      case violation(Violation)
    }

    public enum Violation: Hashable, Sendable {
      /// The payload has more octets than the MPS.
      case payloadExceedsMPS(Int)
      /// The first K-frame of an SDU ends before the SDU length does.
      case noSDULength
      /// The SDU has more octets than the MTU.
      case sduExceedsMTU(Int)
      /// The payloads of an SDU have more octets together than its length says.
      case segmentsExceedSDULength(Int)
    }

    public init(mtu: Int, mps: Int) {
      self.mtu = mtu
      self.mps = mps
    }

    /// Takes what `frame` has from `start` on, the payload of one K-frame.
    public mutating func receive(_ frame: [UInt8], from start: Int = headerLength) -> Outcome {
      let count = frame.count - start
      if count > mps { return .violation(.payloadExceedsMPS(count)) }
      var begin = start
      if missing == nil {
        guard count >= sduLengthOctets else { return .violation(.noSDULength) }
        let length = Int(frame[start]) | Int(frame[start + 1]) << 8
        if length > mtu { return .violation(.sduExceedsMTU(length)) }
        missing = length
        sdu = []
        begin += sduLengthOctets
      }
      let left = (missing ?? 0) - max(frame.count - begin, 0)
      if left < 0 { return .violation(.segmentsExceedSDULength(-left)) }
      if begin < frame.count { sdu.append(contentsOf: frame[begin...]) }
      missing = left == 0 ? nil : left
      guard left == 0 else { return .nothing }
      defer { sdu = [] }
      return .sdu(sdu)
    }
  }
}
