import BluetoothWire

/// Puts ACL data packets together to L2CAP frames. Spec: Core v5.4, Vol 3, Part A, 7.2.2.
///
/// Holds at most one frame of `largestPayload` octets.
struct Recombination {
  /// The largest ATT PDU; the other fixed channels have less, and credit based ones are offered with no more.
  static let largestPayload = ATT.largestMTU

  enum Outcome: Equatable {
    /// More packets are needed, or the rest of a dropped frame has come.
    case nothing
    /// A whole frame, header included.
    case frame([UInt8])
    case violation(String)
    /// A frame with a payload of more than `largestPayload` octets began; the rest of it is dropped.
    case tooLong(length: Int, L2CAP.ChannelID)
    /// The peer left a frame unfinished and began the next one, which is whole.
    case frameAfterUnfinished([UInt8])
  }

  private var partial: [UInt8] = []
  private var isDropping = false
  /// Nothing is left over from the packets so far: one that is a whole frame (`isFrame`) needs no other look.
  private(set) var isIdle = true

  static func isFrame(_ data: HCI.ACLData) -> Bool { data.boundary != .continuing && isFrame(data.octets) }

  private static func isFrame(_ octets: [UInt8]) -> Bool {
    octets.count >= L2CAP.headerLength && octets.count - L2CAP.headerLength == Int(octets[0]) | Int(octets[1]) << 8
      && octets.count - L2CAP.headerLength <= largestPayload
  }

  mutating func receive(_ data: HCI.ACLData) -> Outcome {
    defer { isIdle = partial.isEmpty && !isDropping }
    if data.boundary == .continuing { return receiveContinuation(data.octets) }
    let wasUnfinished = !partial.isEmpty
    partial = []
    isDropping = false
    if data.octets.isEmpty { return .violation("ACL data packet without an octet") }
    let outcome = accept(data.octets)
    guard wasUnfinished else { return outcome }
    switch outcome {
    case .frame(let octets): return .frameAfterUnfinished(octets)
    case .nothing: return .violation("L2CAP frame left unfinished")
    default: return outcome
    }
  }

  private mutating func receiveContinuation(_ octets: [UInt8]) -> Outcome {
    if isDropping { return .nothing }
    if partial.isEmpty { return .violation("continuing ACL data packet without a start") }
    var frame = partial
    partial = []
    frame.append(contentsOf: octets)
    return accept(frame)
  }

  private mutating func accept(_ octets: [UInt8]) -> Outcome {
    guard octets.count >= L2CAP.headerLength else {
      partial = octets
      return .nothing
    }
    let length = Int(octets[0]) | Int(octets[1]) << 8
    if length > Self.largestPayload {
      isDropping = true
      return .tooLong(length: length, L2CAP.ChannelID(rawValue: UInt16(octets[2]) | UInt16(octets[3]) << 8))
    }
    let missing = L2CAP.headerLength + length - octets.count
    if missing == 0 { return .frame(octets) }
    if missing < 0 {
      isDropping = true
      return .violation("L2CAP frame of \(length) octets with \(-missing) more after it")
    }
    partial = octets
    return .nothing
  }
}
