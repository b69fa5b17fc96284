import SimKernel

/// What one direction of a connection has sent, as its sequence numbers show.
///
/// Spec: Core v5.4, Vol 6, Part B, 4.5.9. One bit tells a new PDU from a repeat; that the other side acknowledged what
/// was never heard, or that a "repeat" has other contents, tells that PDUs are missing. An even number of PDUs of a
/// direction that are missing without a trace of the other direction cannot be told from none.
struct AirSequence {
  enum Arrival: Equatable {
    case fresh
    case `repeat`
    /// Fresh, and at least one PDU before it is missing.
    case freshAfterMissed
    /// Heard for the first time, and acknowledged before: what answered it may have been heard already.
    case late
  }

  /// SN of the newest PDU that was sent, heard or not; nil while nothing is known.
  private(set) var last: Bool?
  /// The other side said that it has it.
  private(set) var isAcknowledged = false
  /// What the newest PDU held, if it was heard.
  private var contents: UInt64?
  /// Nothing was sent yet; `last` is what precedes the first SN.
  private var isBeforeFirst = false
  /// `last` is known from its acknowledgement alone, with which the file begins.
  private var isFromBefore = false

  /// The newest PDU was heard itself, not only its acknowledgement.
  var isHeard: Bool { contents != nil }

  /// A connection whose start is known: the first SN is 0.
  mutating func begin() {
    last = true
    isAcknowledged = true
    isBeforeFirst = true
    contents = nil
  }

  /// A PDU of this direction with a valid CRC.
  ///
  /// - Parameters:
  ///   - contents: of LLID and payload; the same for each repeat.
  ///   - knowsAcknowledgement: if the other side's newest PDU acknowledged `last`, the sender has read so.
  mutating func hear(sn: Bool, contents new: UInt64, knowsAcknowledgement: Bool) -> Arrival {
    defer {
      last = sn
      contents = new
      isBeforeFirst = false
      isFromBefore = false
    }
    guard let last else {
      isAcknowledged = false
      return .fresh
    }
    if last != sn {
      isAcknowledged = false
      return .fresh
    }
    if isBeforeFirst {
      isAcknowledged = false
      return .freshAfterMissed
    }
    let hasGoneOn = isAcknowledged && knowsAcknowledgement
    if isFromBefore {
      isAcknowledged = !hasGoneOn
      return hasGoneOn ? .fresh : .repeat
    }
    if contents == new, !hasGoneOn { return .repeat }
    let isFirstHearing = contents == nil && !hasGoneOn
    // For what was heard only now nobody knows which acknowledgement was meant; a new one tells.
    isAcknowledged = false
    return isFirstHearing ? .late : .freshAfterMissed
  }

  /// What a PDU of the other direction acknowledges.
  ///
  /// - Returns: whether it acknowledges one that was never heard.
  mutating func acknowledge(nesn: Bool) -> Bool {
    guard let last else {
      self.last = !nesn
      isAcknowledged = true
      isFromBefore = true
      return false
    }
    if nesn != last {
      isAcknowledged = true
      return false
    }
    guard isAcknowledged else { return false }
    self.last = !last
    contents = nil
    isBeforeFirst = false
    isFromBefore = false
    return true
  }

  /// Nothing is known any more.
  mutating func forget() { self = AirSequence() }

  /// FNV-1a over LLID, length and payload, without SN, NESN and MD, which change from one repeat to the next.
  static func contents(_ octets: ArraySlice<UInt8>) -> UInt64 {
    guard let first = octets.first else { return FNV1a.basis }
    return FNV1a.hash(octets.dropFirst(), after: FNV1a.hash(first & 3, after: FNV1a.basis))
  }
}
