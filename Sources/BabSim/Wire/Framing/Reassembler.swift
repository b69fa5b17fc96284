public import SimKernel

/// Puts the values of one direction of one link together again.
///
/// Total: no value can make it fail, grow beyond its limits, or wait forever.
///
/// Spec: BAB 3.9–3.19.
public struct Reassembler: Sendable {
  /// Without a new fragment for so long, a partial packet is dropped. Spec: BAB 3.14.
  public static let patience = SimDuration.seconds(5)
  /// Spec: BAB 3.15.
  public static let partialLimit = 16
  /// Octets of bodies in all partial packets of the link. Spec: BAB 3.15.
  public static let octetLimit = 262_144
  /// How many completed packets are remembered to tell a repeat. Spec: BAB 3.17.
  public static let memory = 16

  /// A packet that will not be delivered, with why.
  public struct Drop: Hashable, Sendable {
    public enum Reason: String, Hashable, Sendable, CaseIterable {
      case tooShort = "value too short for a fragment header"
      case countZero = "fragment count 0"
      case indexOutOfRange = "fragment index not below its count"
      case countChanged = "fragment count changed"
      case conflictingRepeat = "fragment repeated with other octets"
      case expired = "no progress for 5 s"
      case tooManyPartials = "more than 16 partial packets"
      case tooManyOctets = "more than 256 KiB of partial packets"
      case disconnected = "link ended"
    }

    public var reason: Reason
    /// Nil when the value had no header.
    public var packetID: UInt16?
    /// Fragments that are lost with it, the offending one not counted.
    public var fragments: Int

    public init(reason: Reason, packetID: UInt16?, fragments: Int) {
      self.reason = reason
      self.packetID = packetID
      self.fragments = fragments
    }
  }

  /// What one value led to.
  public struct Reception: Hashable, Sendable {
    /// The text of a packet that is now complete.
    public var packet: [UInt8]?
    /// The packet ID of the completed packet; 0 in `raw` framing.
    public var packetID: UInt16 = 0
    /// Its number of fragments.
    public var fragments = 0
    /// An identical repeat, ignored.
    public var isRepeat = false
    /// In the order in which they happened.
    public var drops: [Drop] = []
  }

  private struct Partial: Sendable {
    var packetID: UInt16
    var count: UInt8
    var received = 0
    var octets = 0
    var deadline: SimInstant
    /// Whole values by fragment index; a value of a fragment has at least its header, so empty means absent.
    var values: [[UInt8]]
  }

  private struct Completed: Sendable {
    var packetID: UInt16
    var forgetAt: SimInstant
    var first: TraceDigest
    /// Digests of the fragments after the first one.
    var others: [TraceDigest]
  }

  public let framing: Framing
  /// Oldest first.
  private var partials: [Partial] = []
  private var completed: [Completed] = []
  private var nextCompleted = 0
  /// Octets of bodies held in partial packets; at most `octetLimit` between calls.
  public private(set) var heldOctets = 0

  public init(framing: Framing = .framed) { self.framing = framing }

  /// Partial packets held; at most `partialLimit` between calls.
  public var partialCount: Int { partials.count }

  /// When `expire(at:)` has something to do; nil while no packet is partial.
  public var nextDeadline: SimInstant? {
    var earliest: SimInstant?
    for partial in partials where earliest.map({ partial.deadline < $0 }) ?? true { earliest = partial.deadline }
    return earliest
  }

  /// Takes one value. Partial packets whose time is over at `now` are dropped first.
  public mutating func receive(_ value: [UInt8], at now: SimInstant) -> Reception {
    if framing == .raw { return Reception(packet: value, fragments: 1) }
    var reception = Reception()
    if !partials.isEmpty { reception.drops = expire(at: now) }
    guard let header = FragmentHeader(value) else {
      reception.drops.append(Drop(reason: .tooShort, packetID: nil, fragments: 0))
      return reception
    }
    let place = partials.firstIndex { $0.packetID == header.packetID }
    if let reason = Self.fault(of: header) {
      reception.drops.append(drop(place, header.packetID, reason))
    } else if let place {
      extend(place, header, value, at: now, &reception)
    } else {
      begin(header, value, at: now, &reception)
    }
    assert(partials.count <= Self.partialLimit && heldOctets <= Self.octetLimit, "partial packets keep to their limits")
    return reception
  }

  /// Drops what has made no progress for `patience` at `now`.
  public mutating func expire(at now: SimInstant) -> [Drop] {
    var drops: [Drop] = []
    var index = 0
    while index < partials.count {
      if partials[index].deadline <= now {
        drops.append(drop(index, partials[index].packetID, .expired))
      } else {
        index += 1
      }
    }
    return drops
  }

  /// The link has ended: everything partial is dropped, everything completed forgotten.
  public mutating func disconnect() -> [Drop] {
    var drops: [Drop] = []
    while !partials.isEmpty { drops.append(drop(0, partials[0].packetID, .disconnected)) }
    completed.removeAll()
    nextCompleted = 0
    assert(heldOctets == 0, "only octets of partial packets are held")
    return drops
  }

  private static func fault(of header: FragmentHeader) -> Drop.Reason? {
    if header.count == 0 { return .countZero }
    return header.index >= header.count ? .indexOutOfRange : nil
  }

  private mutating func drop(_ place: Int?, _ packetID: UInt16, _ reason: Drop.Reason) -> Drop {
    guard let place else { return Drop(reason: reason, packetID: packetID, fragments: 0) }
    let partial = partials.remove(at: place)
    heldOctets -= partial.octets
    return Drop(reason: reason, packetID: packetID, fragments: partial.received)
  }

  private mutating func begin(
    _ header: FragmentHeader, _ value: [UInt8], at now: SimInstant, _ reception: inout Reception
  ) {
    if isRepeat(header, value, at: now) {
      reception.isRepeat = true
      return
    }
    if header.count == 1 {
      remember(
        Completed(packetID: header.packetID, forgetAt: now + Self.patience, first: Self.digest(value), others: []))
      reception.packet = Array(value[FragmentHeader.octets...])
      reception.packetID = header.packetID
      reception.fragments = 1
      return
    }
    var partial = Partial(
      packetID: header.packetID, count: header.count, deadline: now + Self.patience,
      values: Array(repeating: [], count: Int(header.count)))
    partial.received = 1
    partial.octets = value.count - FragmentHeader.octets
    partial.values[Int(header.index)] = value
    heldOctets += partial.octets
    partials.append(partial)
    makeRoom(&reception)
  }

  private mutating func extend(
    _ place: Int, _ header: FragmentHeader, _ value: [UInt8], at now: SimInstant, _ reception: inout Reception
  ) {
    guard partials[place].count == header.count else {
      return reception.drops.append(drop(place, header.packetID, .countChanged))
    }
    let index = Int(header.index)
    guard partials[place].values[index].isEmpty else {
      if partials[place].values[index] == value {
        reception.isRepeat = true
      } else {
        reception.drops.append(drop(place, header.packetID, .conflictingRepeat))
      }
      return
    }
    let octets = value.count - FragmentHeader.octets
    partials[place].values[index] = value
    partials[place].received += 1
    partials[place].octets += octets
    partials[place].deadline = now + Self.patience
    heldOctets += octets
    if partials[place].received == Int(header.count) {
      complete(place, at: now, &reception)
    } else {
      makeRoom(&reception)
    }
  }

  private mutating func complete(_ place: Int, at now: SimInstant, _ reception: inout Reception) {
    let partial = partials.remove(at: place)
    heldOctets -= partial.octets
    guard partial.octets <= WireLimits.packetOctets else {
      reception.drops.append(
        Drop(reason: .tooManyOctets, packetID: partial.packetID, fragments: partial.received))
      return
    }
    var packet: [UInt8] = []
    packet.reserveCapacity(partial.octets)
    for value in partial.values { packet.append(contentsOf: value[FragmentHeader.octets...]) }
    remember(
      Completed(
        packetID: partial.packetID, forgetAt: now + Self.patience, first: Self.digest(partial.values[0]),
        others: partial.values.dropFirst().map(Self.digest)))
    reception.packet = packet
    reception.packetID = partial.packetID
    reception.fragments = Int(partial.count)
  }

  private mutating func makeRoom(_ reception: inout Reception) {
    while partials.count > Self.partialLimit {
      reception.drops.append(drop(0, partials[0].packetID, .tooManyPartials))
    }
    while heldOctets > Self.octetLimit {
      reception.drops.append(drop(0, partials[0].packetID, .tooManyOctets))
    }
  }

  // MARK: Repeats of completed packets

  private static func digest(_ value: [UInt8]) -> TraceDigest {
    var digest = TraceDigest()
    digest.combine(octets: value)
    return digest
  }

  private func isRepeat(_ header: FragmentHeader, _ value: [UInt8], at now: SimInstant) -> Bool {
    for record in completed where record.packetID == header.packetID && now < record.forgetAt {
      guard Int(header.count) == record.others.count + 1 else { continue }
      let seen = header.index == 0 ? record.first : record.others[Int(header.index) - 1]
      if seen == Self.digest(value) { return true }
    }
    return false
  }

  private mutating func remember(_ record: Completed) {
    if completed.count < Self.memory { return completed.append(record) }
    completed[nextCompleted] = record
    nextCompleted = (nextCompleted + 1) % Self.memory
  }
}
