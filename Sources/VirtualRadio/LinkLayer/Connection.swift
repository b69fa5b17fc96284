import BluetoothWire
import LinkCrypto
import SimKernel

/// One LL PDU that waits for its acknowledgement.
struct OutgoingPDU {
  enum Kind: UInt8 {
    /// What only a hostile device sends; whoever receives it ignores it.
    case reserved
    case continuation
    case start
    case control
  }

  var kind: Kind
  /// The payload as it goes on the air: with its MIC once it is encrypted. Nil in an empty PDU, which has no references
  /// to count then.
  var octets: [UInt8]?
  /// The opcode of a control PDU, encrypted or not.
  var opcode: UInt8 = 0xFF
  /// The last fragment of an ACL packet: its acknowledgement frees a controller buffer.
  var completesPacket = false
  var isTerminate = false
  /// NESN, SN and MD that a hostile device sets itself; `noFlags`: those of the link.
  var flags = OutgoingPDU.noFlags
  var isPastTap = false

  static let noFlags: UInt8 = 0xFF
  static var empty: OutgoingPDU { OutgoingPDU(kind: .continuation) }
}

/// What an end has in flight, without its octets: looking at it counts no reference.
struct PDUInFlight {
  var kind = OutgoingPDU.Kind.continuation
  var opcode: UInt8 = 0xFF
  var completesPacket = false
  var isTerminate = false
  var flags = OutgoingPDU.noFlags
  /// Octets of its payload, with the MIC.
  var length = 0

  var isEmpty: Bool { length == 0 && kind == .continuation }
}

/// One end of a connection, as its own device sees it.
final class LinkEnd {
  /// Owned although its radio owns the link: the world takes the circle apart at its end (`RadioWorld.deinit`).
  let radio: Radio
  /// That of its radio.
  let controller: Kept<Controller>
  // What every connection event touches comes first, side by side: with thousands of links the time goes into fetching
  // it from memory.
  let role: HCI.Role
  let handle: HCI.ConnectionHandle
  /// False once this device has dropped the connection (or never had it).
  var isPresent: Bool
  /// A valid PDU has come in (Vol 6, Part B, 4.5): before that, six intervals are the limit and the reason is 0x3E.
  var isEstablished = false
  @exclusivity(unchecked) var sequenceNumber = false
  @exclusivity(unchecked) var nextExpected = false
  /// An encryption procedure runs: data and control PDUs of other procedures wait.
  @exclusivity(unchecked) var holdsTraffic = false
  /// Nothing waits in `control` and `acl`; they may be empty without it.
  @exclusivity(unchecked) private var isQuiet = false
  /// Reason with which the peer ended the link; this end leaves after its next transmission.
  var terminatedByPeer: HCI.ErrorCode?
  @exclusivity(unchecked) var subrating = Subrating()
  /// The newest event in which it has sent or received a PDU with a payload.
  @exclusivity(unchecked) var activeEvent: UInt64 = 0
  /// Sent, and not acknowledged yet.
  @exclusivity(unchecked) private(set) var inFlight: PDUInFlight?
  /// Its octets; none of an empty PDU.
  @exclusivity(unchecked) private(set) var octetsInFlight: [UInt8] = []
  var lastValid: SimInstant
  /// When this end last had its radio for a connection event of the link.
  @exclusivity(unchecked) var lastServed = SimInstant.zero
  /// Connection events in a row without a valid PDU.
  @exclusivity(unchecked) var misses = 0
  /// PDUs in a row with a bad CRC in this event: after two the end closes it (Vol 6, Part B, 4.5.6).
  @exclusivity(unchecked) var badCRCs = 0
  /// When the link is lost if no valid PDU comes before; nil: the last one was not missed.
  @exclusivity(unchecked) var supervisionDue: SimInstant?
  /// A look at `supervisionDue`, not after it.
  @exclusivity(unchecked) var supervision: EventHandle?
  var supervisionLook = SimInstant.zero
  /// PDUs that this end sent while the other one listened, and those of them that it did not receive whole; those of
  /// skipped events when the link wakes.
  @exclusivity(unchecked) var judgedPDUs = 0
  @exclusivity(unchecked) var failedPDUs = 0
  // Peripheral only: when it last heard the central, for window widening and peripheral latency.
  var heardAnchor: SimInstant
  var heardEvent: UInt64 = 0
  var skipped: UInt16 = 0
  /// Encryption, once there was any.
  @exclusivity(unchecked) var security: LinkSecurity?
  /// The other device as its host knows it: the identity address where it could be resolved.
  var peerAddress = BluetoothAddress(kind: .publicDevice, bits: 0)
  let control = Fifo<OutgoingPDU>()
  let acl = Fifo<HCI.ACLData>()
  var aclOffset = 0
  var terminatedEvent: UInt64 = 0
  /// This end sent LL_TERMINATE_IND and waits for its acknowledgement.
  var isTerminating = false
  /// When this end leaves although its LL_TERMINATE_IND was not acknowledged, whatever comes (Vol 6, Part B, 5.1.6).
  var terminationDue: SimInstant?
  // Data length (Vol 6, Part B, 4.5.10): what this end may send and take, and what the peer told. Times are in
  // microseconds.
  var maxTxOctets = 27
  var maxRxOctets: Int
  var maxTxTime: UInt16 = 328
  var maxRxTime: UInt16
  var peerMaxTxOctets = 27
  var peerMaxRxOctets = 27
  var peerMaxTxTime: UInt16 = 328
  var peerMaxRxTime: UInt16 = 328
  /// Octets that a PDU may have by both, on the present PHY.
  var effectiveTx = 27
  var reportedLengths = LL.DataLength(maxRxOctets: 27, maxRxTime: 328, maxTxOctets: 27, maxTxTime: 328)
  let procedures = Fifo<LocalProcedure>()
  var procedure: LocalProcedure?
  var procedureTimeout: EventHandle?
  var peerFeatures: UInt64?
  var peerVersion: (version: UInt8, company: UInt16, subversion: UInt16)?
  var sentVersion = false
  /// What it does with trains that the peer tells it of.
  var syncTransfer = HCI.SyncTransferParameters(mode: 0, timeout: 0x0A)
  /// Central only: what its host lets the peripheral ask for.
  var acceptedSubrate = HCI.SubrateParameters.initial
  /// The host has been asked about connection parameters, and has not answered.
  var hasAskedHost = false
  /// Units of 10 ms.
  var authenticatedPayloadTimeout: UInt16 = 3_000
  /// What it sends with on LE Coded, as its host prefers; eight symbols a bit where it does not mind.
  var coding = LL.Coding.s8
  /// Power control, and path loss.
  var power = LinkPower()
  /// It looks at the levels of what it receives, or sends with less power than it may: its link is not skipped.
  @exclusivity(unchecked) var managesPower = false
  /// What the peer has to know of channels once its features are known was told.
  var hasToldOfChannels = false
  /// A stream that its host was asked about.
  var streamOffer: StreamOffer?
  /// Octets of the longest LL Control PDU of its radio.
  let longestControl: Int
  /// Octets that encryption adds to what this end sends.
  @exclusivity(unchecked) var micLength = 0

  init(radio: Radio, role: HCI.Role, handle: HCI.ConnectionHandle, isPresent: Bool, now: SimInstant) {
    self.radio = radio
    controller = Kept(radio.controller)
    self.role = role
    self.handle = handle
    self.isPresent = isPresent
    lastValid = now
    heardAnchor = now
    managesPower = radio.configuration.supportsPowerControl && radio.configuration.wantedLevel != nil
    longestControl = radio.configuration.longestControl
    maxRxOctets = radio.configuration.maximumDataLength
    maxRxTime = RadioWorld.time(forOctets: maxRxOctets, coded: radio.configuration.supportsCoded)
  }

  func launch(_ pdu: consuming OutgoingPDU) {
    assert(inFlight == nil, "one PDU at a time waits for its acknowledgement")
    var head = PDUInFlight(
      kind: pdu.kind, opcode: pdu.opcode, completesPacket: pdu.completesPacket, isTerminate: pdu.isTerminate,
      flags: pdu.flags)
    if let octets = pdu.octets.take() {
      head.length = octets.count
      octetsInFlight = octets
    }
    assert(head.length == octetsInFlight.count, "what is in flight has its octets")
    inFlight = head
  }

  @inline(__always) func launchEmpty() { inFlight = PDUInFlight() }

  @inline(__always) var lengthInFlight: Int { inFlight?.length ?? 0 }

  /// Whether a PDU fits into the buffer of this end's radio, which reads as much as it can of a longer one, and finds
  /// no CRC.
  func canRead(_ length: Int) -> Bool { length <= max(maxRxOctets, longestControl) + LinkCipher.micLength }

  /// Flags of its own count for the first transmission only.
  func forgetFlags() { inFlight?.flags = OutgoingPDU.noFlags }

  /// False when the peer has said that it lacks the Connection Parameters Request procedure (Vol 6, Part B, 4.6).
  var peerTakesParameterRequests: Bool { peerFeatures.map { $0 & 1 << 1 != 0 } ?? true }

  /// Whether the peer's host subrates connections; nil: not known (Vol 6, Part B, 4.6).
  var peerHostSubrates: Bool? { peerFeatures.map { $0 & 1 << 38 != 0 } }

  var supervisionTimeout: SimDuration { SimDuration(nanoseconds: Int64(subrating.timeoutUnits) * 10_000_000) }

  /// Takes out what was acknowledged.
  func land() -> PDUInFlight? {
    guard let landed = inFlight else { return nil }
    inFlight = nil
    if landed.length > 0 { octetsInFlight = [] }
    return landed
  }

  /// Something other than an empty PDU may be sent.
  @inline(__always) var hasTraffic: Bool { !isQuiet && (!control.isEmpty || (!acl.isEmpty && !holdsTraffic)) }

  /// A control PDU waits for its turn.
  func enqueue(_ pdu: consuming OutgoingPDU) {
    isQuiet = false
    control.append(pdu)
  }

  /// An ACL packet waits for its turn.
  func enqueue(_ data: consuming HCI.ACLData) {
    isQuiet = false
    acl.append(data)
  }

  /// Control PDUs of this end that may wait for a peer which acknowledges nothing; beyond that it takes none of the
  /// peer's, which it would have to answer. Decision.
  private static let maximumAnswers = 64
  var hasRoomForAnswers: Bool {
    control.count + (security.map { $0.held.count + $0.deferred.count } ?? 0) < Self.maximumAnswers
  }

  /// Looks again whether anything waits.
  func noteQuiet() { isQuiet = control.isEmpty && acl.isEmpty }
}

/// A procedure that this end starts; one at a time (Vol 6, Part B, 5.3).
enum LocalProcedure: Equatable {
  case features
  case version
  case dataLength
  case phy(tx: UInt8, rx: UInt8)
  case connectionUpdate(HCI.ConnectionParameters)
  case parameterRequest(HCI.ConnectionParameters)
  case channelMap(UInt64)
  /// With the `request` of the end's `LinkSecurity`.
  case encryption
  case ping
  /// A central's, for its own host or for the peripheral.
  case subrateUpdate(HCI.SubrateParameters, isOwn: Bool)
  case subrateRequest(HCI.SubrateParameters)
  case syncTransfer(SyncSource, service: UInt16)
  /// PHY as one bit; the host wants to know the peer's power.
  case powerControl(phy: UInt8, delta: Int8, isForHost: Bool)
  case clockAccuracy(isForHost: Bool)
  /// A central's, for a stream of a group.
  case createStream(HCI.ConnectionHandle)
  /// It ends with its acknowledgement.
  case announcement(LL.ControlPDU)
  case terminate(HCI.ErrorCode)

  /// The central sends it with an instant, at once or after the peripheral's answer. A change of subrating has none,
  /// and waits for others because they count on the events that there are.
  func setsInstant(of role: HCI.Role) -> Bool {
    switch self {
    case .connectionUpdate, .channelMap, .subrateUpdate, .createStream: true
    case .parameterRequest: role == .central
    default: false
    }
  }
}

/// A change that both ends make at an instant, a connection event counter (Vol 6, Part B, 5.5).
struct PendingInstant {
  enum Change {
    /// `eventLength`: what the central's host wishes, see `Connection.limitEvents`; it is not on the air.
    case parameters(
      windowSize: UInt8, windowOffset: UInt16, interval: UInt16, latency: UInt16, timeout: UInt16, eventLength: UInt16)
    case channelMap(UInt64)
    case phy(centralToPeripheral: HCI.PHY, peripheralToCentral: HCI.PHY)
    /// The peripheral was told of a change that the central does not make.
    case ofPeripheralAlone
  }

  var change: Change
  var instant: UInt16
  var isKnownToPeripheral = false
}

/// A connection between two radios: the shared timing and both ends.
final class Connection {
  // As in `LinkEnd`, what every connection event touches comes first.
  let index: Int
  let accessAddress: UInt32
  let central: LinkEnd
  let peripheral: LinkEnd
  /// One interval of the central's clock in true time.
  var step: SimDuration
  /// One interval of the peripheral's clock in true time.
  var peripheralStep: SimDuration
  /// The anchor point of the current or next connection event, true time.
  @exclusivity(unchecked) var anchor: SimInstant
  @exclusivity(unchecked) var eventNumber: UInt64 = 0
  // The exchange on the air.
  var rfChannel = 0
  var peripheralListens = false
  /// The peripheral stays asleep during this event, as its latency allows (Vol 6, Part B, 4.5.1): no miss.
  var peripheralSleeps = false
  /// Subrating leaves an end out of some events, or is about to.
  @exclusivity(unchecked) var isSubrated = false
  /// The central does not use this event: no miss.
  var centralSleeps = false
  var centralListens = false
  /// The central could not read a PDU of this event.
  var hasFailed = false
  var pduStart = SimInstant.zero
  var pduEnd = SimInstant.zero
  var centralHeader = LinkHeader()
  var peripheralHeader = LinkHeader()
  var exchanges = 0
  /// When the central's PDU of the present exchange began.
  @exclusivity(unchecked) var exchangeStart = SimInstant.zero
  /// For how long the peripheral listened before it, and for how long at most in this event.
  @exclusivity(unchecked) var peripheralLead = SimDuration.zero
  @exclusivity(unchecked) var peripheralWindow = SimDuration.zero
  var isParked = false
  var parkedAnchor = SimInstant.zero
  /// While parked: a span between two exchanges in which it is silent, the last that was asked for, up to an anchor.
  @exclusivity(unchecked) var silentFrom = SimInstant.distantFuture
  @exclusivity(unchecked) var silentUntil = SimInstant.zero
  let crcInit: UInt32
  let usesChannelSelection2: Bool
  var hop: LL.ChannelSelection1
  var channelMap: LL.ChannelMap
  /// Units of 1.25 ms.
  var intervalUnits: UInt16
  /// The stream that LL_CIS_IND tells of, until that is acknowledged.
  var newStream: IsochronousStream?
  /// What LL_SUBRATE_IND says that has not been acknowledged yet.
  var subrateUpdate: Subrating?
  /// The event of the newest connection update, which both ends use.
  var forcedEvent = UInt64.max
  /// SCA of the central, as the peripheral knows it.
  var centralClockAccuracy: UInt8
  /// What both sleep clocks claim together, parts per million.
  private(set) var claimedAccuracy: Int64 = 0
  let centralAdaptsChannels: Bool
  /// By how much the central's intervals are longer than true time has them.
  private(set) var partsPerBillion: Int64 = 0
  /// Extra time the peripheral listens around the first anchor (transmit window).
  var firstWindow: SimDuration
  var centralPHY = LL.AirPHY.le1M
  var peripheralPHY = LL.AirPHY.le1M
  @exclusivity(unchecked) var pending: PendingInstant?
  /// In this event the peripheral listens at the wrong time, for the clocks of both.
  @exclusivity(unchecked) var missesWindow = false
  /// The peripheral missed an instant and listens at the wrong time.
  var peripheralLost = false
  /// Until then noise covers what both ends send on this link (`RadioWorld.coverLinks`).
  @exclusivity(unchecked) var coveredUntil = SimInstant.zero
  /// The end of a program from outside, which is never present; nil: both are ours.
  @exclusivity(unchecked) var programEnd: HCI.Role?
  /// When its next PDU may begin; `listensTo` is zero while our end does not listen for it.
  var listensFrom = SimInstant.zero
  var listensTo = SimInstant.zero
  /// Next step of this connection in the queue.
  @exclusivity(unchecked) var handle: EventHandle?
  /// What comes at `pduEnd`, while the step before it is handled.
  @exclusivity(unchecked) var nextStep: RadioWorld.Kind?
  /// Exchanges after which one of the two devices closes the event.
  let maximumExchanges: Int
  /// Time after which one of the two devices closes the event.
  @exclusivity(unchecked) private(set) var maximumLength: SimDuration
  /// The same without a wish of the central's host.
  private let configuredLength: SimDuration
  @exclusivity(unchecked) var assessment = ChannelAssessment()
  /// Channels that the peripheral has reported to be bad, one bit each, and how many it needs.
  var reportedBad: UInt64 = 0
  var minimumChannels = 2
  /// What the peripheral reports; nil: the central has not asked for it.
  @exclusivity(unchecked) var reports: ChannelReports?
  /// Level of each end at the other one without fading, hundredths of dBm, and after how many moves of devices that was
  /// asked.
  @exclusivity(unchecked) var levelAtPeripheral = 0
  @exclusivity(unchecked) var levelAtCentral = 0
  @exclusivity(unchecked) var movesBefore = -1
  // Parking (idle events that are skipped).
  @exclusivity(unchecked) var parkEnd: EventHandle?
  var noParkingBefore: UInt64 = 0
  /// Until when no other link of either radio comes in the way.
  var safeUntil = SimInstant.zero
  /// Events since `parkedAnchor` that are known to go well, and how many of them are to be looked at together next.
  var foreseen: Int64 = 0
  var foresight: Int64 = 0
  /// Links, by their index, that were parked before this one and may be on the air with it until `rivalsUntil`.
  var rivals: [Int] = []
  var rivalsUntil = SimInstant.zero
  /// Skipped events since `parkedAnchor` whose radio time has been entered.
  var skipsEntered: Int64 = 0

  init(
    index: Int, parameters: LL.ConnectInd, central: LinkEnd, peripheral: LinkEnd, anchor: SimInstant,
    firstWindow: SimDuration
  ) {
    self.index = index
    accessAddress = parameters.accessAddress
    crcInit = parameters.crcInit
    usesChannelSelection2 = parameters.channelSelectionAlgorithm2
    hop = LL.ChannelSelection1(hopIncrement: parameters.hop)
    channelMap = LL.ChannelMap(bits: parameters.channelMap)
    self.central = central
    self.peripheral = peripheral
    intervalUnits = parameters.interval
    for end in [central, peripheral] {
      end.subrating = Subrating(latency: parameters.latency, timeoutUnits: parameters.timeout)
    }
    centralClockAccuracy = parameters.sleepClockAccuracy
    centralAdaptsChannels = central.radio.configuration.adaptsChannels
    self.anchor = anchor
    self.firstWindow = firstWindow
    step = .zero
    peripheralStep = .zero
    maximumExchanges =
      [central, peripheral].map(\.radio.configuration.maximumExchangesPerEvent)
      .filter { $0 > 0 }.min() ?? Int.max
    configuredLength =
      [central, peripheral].compactMap(\.radio.configuration.maximumEventLength).min() ?? .nanoseconds(.max)
    maximumLength = configuredLength
    claimClocks()
    setInterval(parameters.interval)
  }

  /// How accurate the peripheral takes both clocks for.
  func claimClocks() {
    claimedAccuracy =
      Radio.partsPerMillion(clockAccuracyCode: centralClockAccuracy) + Int64(peripheral.radio.claimedAccuracy)
  }

  func setInterval(_ units: UInt16) {
    intervalUnits = units
    step = central.radio.trueTime(interval)
    partsPerBillion = (step - interval).nanoseconds * 1_000_000_000 / interval.nanoseconds
    peripheralStep = peripheral.radio.trueTime(interval)
  }

  /// The central closes its events after the Maximum CE Length of its host, units of 0.625 ms; 0: the host has no wish
  /// (Vol 4, Part E, 7.8.12, 7.8.18, 7.8.31, 7.8.66; a controller may ignore it). Minimum CE Length has no effect.
  func limitEvents(to units: UInt16) {
    maximumLength = units == 0 ? configuredLength : min(configuredLength, .microseconds(625) * Int64(units))
  }

  var interval: SimDuration { SimDuration(nanoseconds: Int64(intervalUnits) * 1_250_000) }
  var eventCounter: UInt16 { UInt16(truncatingIfNeeded: eventNumber) }

  func end(_ role: HCI.Role) -> LinkEnd { role == .central ? central : peripheral }
  func peer(of end: LinkEnd) -> LinkEnd { end === central ? peripheral : central }
  func end(at radio: Radio) -> LinkEnd { central.radio === radio ? central : peripheral }
  func lastServed(at radio: Radio) -> SimInstant {
    central.radio === radio ? central.lastServed : peripheral.lastServed
  }
  /// What an end sends on from now on; on LE Coded with the coding of its host.
  func setPHY(of end: LinkEnd, _ phy: HCI.PHY) {
    let phy = LL.AirPHY(phy, coding: end.coding)
    if end.role == .central { centralPHY = phy } else { peripheralPHY = phy }
  }
  /// What one end or the other sends is on LE Coded.
  var isCoded: Bool { centralPHY.isCoded || peripheralPHY.isCoded }
  func transmitPHY(of end: LinkEnd) -> LL.AirPHY { end.role == .central ? centralPHY : peripheralPHY }
}

/// The header of a data-channel PDU on the air.
struct LinkHeader {
  var kind = OutgoingPDU.Kind.continuation
  /// Octets of its payload, with the MIC.
  var length = 0
  var sequenceNumber = false
  var nextExpected = false
  var moreData = false

  var isEmpty: Bool { length == 0 && kind == .continuation }
}
