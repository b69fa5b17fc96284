/// Who sent a PDU, when the sniffer does not say.
///
/// The other side's answer comes T_IFS after a PDU. At an anchor the central speaks, and a little later the
/// peripheral. Between anchors, with something missing, sequence numbers must fit one side only. Without an interval,
/// SN and NESN are compared: while nothing is lost, a side sends them either always equal or always different, and the
/// other side does the opposite; which one the central does, the PDUs after silences tell, three more of one kind than
/// of the other. What fits nothing has no direction.
/// Spec: Core v5.4, Vol 6, Part B, 4.5.1, 4.5.9.
struct AirDirections {
  struct Bits: Equatable {
    var sn: Bool
    var nesn: Bool

    init(_ flags: UInt8) {
      sn = flags & 0x08 != 0
      nesn = flags & 0x04 != 0
    }

    /// What the other side sends when it has received this.
    var answer: Self { Self(sn: nesn, nesn: !sn) }
    /// What the same side sends after that answer.
    var successor: Self { answer.answer }
    var isEven: Bool { sn == nesn }

    private init(sn: Bool, nesn: Bool) {
      self.sn = sn
      self.nesn = nesn
    }
  }

  /// That of the newest PDU, nil when it has none.
  private var newest: Bool?
  /// That of the newest PDU, nil when its CRC is wrong.
  private var newestBits: Bits?
  /// The start of the connection is known, where the central's SN and NESN are equal.
  var isFromStart = false
  private var central: Bits?
  private var peripheral: Bits?
  /// PDUs after a silence with equal SN and NESN, less those with different ones, while no direction is known.
  private var balance = 0
  /// Something in this event cannot be as the file has it.
  private var isEventDoubtful = false
  /// Events in a row whose first PDU had the other side's parity.
  private var contradictions = 0
  private static let contradictionLimit = 4

  /// - Parameters:
  ///   - start: when the PDU began.
  ///   - bits: nil when its CRC is wrong.
  mutating func direction(of bits: Bits?, at start: Int64, by clock: AirClock) -> Bool? {
    let spacing = clock.spacing(of: start)
    if isEventDoubtful, spacing != .apart { return nil }
    isEventDoubtful = false
    switch spacing {
    case .answer where newest != nil: return newest.map { !$0 }
    case .later where newest != nil:
      guard let newest, let newestBits, let bits else { return nil }
      return bits == newestBits.answer ? !newest : bits == newestBits.successor ? newest : nil
    default:
      guard let place = byAnchor(start, clock) else { return byParity(bits) }
      // Its place is one side's, its numbers are the other's: records that are not in their order.
      isEventDoubtful = central != nil && peripheral != nil && byParity(bits) == !place
      return isEventDoubtful ? nil : place
    }
  }

  /// Nothing more of this event is believed.
  mutating func doubtEvent() { isEventDoubtful = true }

  /// Whether a PDU that the sniffer calls the central's is the peripheral's, by its time and by its sequence numbers.
  ///
  /// Sniffers that tell directions by order do that with an answer whose central's PDU they missed.
  func isMistakenForCentral(_ bits: Bits?, isEmpty: Bool, at start: Int64, by clock: AirClock) -> Bool {
    guard clock.spacing(of: start) == .apart, bits != nil, byParity(bits) == false else { return false }
    if newest == nil { return isFromStart && isEmpty }
    return byAnchor(start, clock) == false
  }

  /// Whether a direction that the sniffer states cannot be: the answer to a PDU is the other side's, a connection event
  /// begins with the central, and sequence numbers go on as they did. Which of two PDUs is the wrong one nobody knows,
  /// so nothing more of that event is believed.
  mutating func contradicts(_ stated: Bool, _ bits: Bits?, at start: Int64, by clock: AirClock) -> Bool {
    switch clock.spacing(of: start) {
    case .answer: if newest == stated { isEventDoubtful = true }
    // Either side can have said it: what a receiver found damaged changes the numbers.
    case .later: break
    case .apart: isEventDoubtful = contradictsBeginning(stated, bits, start, clock)
    }
    return isEventDoubtful
  }

  /// The first PDU of an event, or one after much silence.
  private mutating func contradictsBeginning(
    _ stated: Bool, _ bits: Bits?, _ start: Int64, _ clock: AirClock
  ) -> Bool {
    if central != nil, let place = anchored(start, clock), byAnchor(start, clock) != nil {
      return stated == (abs(place.offset) > place.slack)
    }
    let isFirst = newest == nil && central == nil && peripheral == nil
    guard isFirst ? isFromStart : central != nil && peripheral != nil, bits != nil, byParity(bits) != stated else {
      contradictions = 0
      return false
    }
    contradictions += 1
    if contradictions < Self.contradictionLimit { return true }
    // The numbers of a side change their parity with every PDU that its receiver found damaged.
    contradictions = 0
    central = nil
    peripheral = nil
    return false
  }

  /// - Parameter isBehindSilence: nothing of an older event can have been in front of it.
  mutating func learn(_ direction: Bool?, _ bits: Bits?, isBehindSilence: Bool) {
    newest = direction
    newestBits = bits
    guard let bits else { return }
    if direction == nil, isBehindSilence { balance += bits.isEven ? 1 : -1 }
    if direction == true { central = bits }
    if direction == false { peripheral = bits }
  }

  /// What SN and NESN say of directions, where nobody states them, holds no longer.
  mutating func forget() {
    central = nil
    peripheral = nil
    isFromStart = false
  }

  private func anchored(_ start: Int64, _ clock: AirClock) -> (events: Int, offset: Int64, slack: Int64)? {
    guard clock.isAnchored, let place = clock.place(start), place.slack < 130_000 else { return nil }
    return place
  }

  private func byAnchor(_ start: Int64, _ clock: AirClock) -> Bool? {
    guard let place = anchored(start, clock) else { return nil }
    if abs(place.offset) <= place.slack { return true }
    // Later it can also be the central's second PDU: two PDUs and two T_IFS after the anchor.
    return place.offset < clock.twoPDUs ? false : nil
  }

  private func byParity(_ bits: Bits?) -> Bool? {
    guard let bits else { return nil }
    switch (central?.isEven, peripheral?.isEven) {
    case (nil, nil):
      if isFromStart { return bits.isEven }
      return abs(balance) < 3 ? nil : bits.isEven == (balance > 0)
    case (let known?, nil): return known == bits.isEven
    case (nil, let known?): return known != bits.isEven
    case (let a?, let b?): return a == b ? nil : a == bits.isEven
    }
  }
}
