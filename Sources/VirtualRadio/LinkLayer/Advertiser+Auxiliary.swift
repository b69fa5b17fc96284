import BluetoothWire
import SimKernel

/// How a set with PDUs of extended advertising advertises (Vol 4, Part E, 7.8.53).
struct ExtendedSetup {
  var mode = LL.ExtendedPDU.Mode.neither
  var isDirected = false
  var isAnonymous = false
  var includesTxPower = false
  var primaryPHY = LL.AirPHY.le1M
  var secondaryPHY = LL.AirPHY.le1M
  /// Advertising events that may be left out before AUX_ADV_IND is sent.
  var maximumSkip: UInt8 = 0
  var sid: UInt8 = 0

  /// Octets of data for which there is room in one AUX_ADV_IND.
  var room: Int {
    var pdu = LL.ExtendedPDU(mode: mode)
    pdu.advertiser = isAnonymous ? nil : BluetoothAddress.none
    pdu.target = isDirected ? BluetoothAddress.none : nil
    pdu.dataInfo = .init(did: 0, sid: sid)
    pdu.txPower = includesTxPower ? 0 : nil
    return pdu.room
  }
}

/// What a set with extended PDUs has on the secondary advertising channels.
struct AuxiliaryState {
  /// Draws channels and Advertising Data IDs.
  var stream: RandomStream
  /// Advertising Data ID of what the set says now, 12 bits.
  private(set) var did: UInt16 = 0
  /// Where the next PDU is on the secondary channels, and which one it is.
  var kind = LL.ExtendedPDU.Kind.auxAdvInd
  var channelIndex: UInt8 = 0
  var start = SimInstant.zero
  /// Advertising events between the present one and the last one that points at the same AUX_ADV_IND.
  var eventsLeft = 0
  /// advDelay of these, which is drawn before they come.
  private var delays: [SimDuration] = []
  /// Data for which there was no room so far.
  var rest: [UInt8] = []
  /// The next PDU continues the present one.
  var continues = false
  /// Those that listen for it.
  var followers: [Follower] = []
  /// The AUX_CONNECT_REQ that is being answered.
  var request: Advertiser.Response?

  init(stream: RandomStream) { self.stream = stream }

  /// Advertising begins.
  mutating func begin() {
    eventsLeft = 0
    delays.removeAll()
    followers.removeAll()
    request = nil
  }

  /// The data are others now: they get another number (Vol 6, Part B, 4.4.2.11).
  mutating func renewData() { did = (did + 1 + UInt16(stream.below(0x0FFF))) & 0x0FFF }

  mutating func drawChannel(_ bits: UInt64) -> UInt8 { LL.ChannelMap(bits: bits).draw(&stream) }

  /// Keeps the delays of events that point at one AUX_ADV_IND.
  mutating func plan(_ delays: [SimDuration]) {
    self.delays = delays
    eventsLeft = delays.count
  }

  mutating func takeDelay() -> SimDuration? { delays.isEmpty ? nil : delays.removeFirst() }
}

/// A scanner or initiator that listens where an AuxPtr has led it (Vol 6, Part B, 4.4.3 and 4.4.4).
struct Follower {
  var radio: Int
  /// The ADV_EXT_IND that it heard, and on which PHY.
  var announcement: LL.ExtendedPDU
  var primaryPHY: LL.AirPHY
  /// Where it listens, and at what times the PDU may begin.
  var channelIndex: UInt8
  var phy: HCI.PHY
  var from: SimInstant
  var to: SimInstant
  /// It was free when the PDU began, and nothing else needs it before the end.
  var listens = false
  /// What its host gets; nil: nothing.
  var report: AuxiliaryReport?

  /// - Parameter start: of the PDU with the pointer. Nil for a PHY that the radio does not have.
  init?(
    _ radio: Radio, _ announcement: LL.ExtendedPDU, on primaryPHY: LL.AirPHY, _ pointer: LL.ExtendedPDU.Pointer,
    at start: SimInstant
  ) {
    self.radio = radio.index
    self.announcement = announcement
    self.primaryPHY = primaryPHY
    (channelIndex, phy, from, to) = (0, .le1M, start, start)
    if !aim(radio, pointer, at: start) { return nil }
  }

  /// Listens from the offset to a unit later, and longer at both ends by what two clocks may be off (4.2.4).
  mutating func aim(_ radio: Radio, _ pointer: LL.ExtendedPDU.Pointer, at start: SimInstant) -> Bool {
    guard radio.controller.supportedPHYs.contains(pointer.phy.mask) else { return false }
    let span = SimDuration.nanoseconds(Int64(pointer.offset) * pointer.unit)
    let widening = radio.widening(after: span, peer: pointer.isAccurate ? 50 : 500)
    channelIndex = pointer.channelIndex
    phy = pointer.phy
    from = start + radio.trueTime(span) - widening
    to = start + radio.trueTime(span + .nanoseconds(pointer.unit)) + widening
    listens = false
    return true
  }

  func awaits(channelIndex: UInt8, phy: HCI.PHY, at start: SimInstant) -> Bool {
    channelIndex == self.channelIndex && phy == self.phy && from <= start && start <= to
  }
}
