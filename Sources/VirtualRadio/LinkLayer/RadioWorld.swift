import BluetoothWire
public import SimKernel

/// Watches the air and the HCI seams of a radio world; never changes it.
public protocol RadioObserver: AnyObject {
  func observe(_ event: RadioEvent, device: Int)
}

/// All radios of a world, the medium between them and their link layers, driven by one timeline.
///
/// The owner of the timeline pops events and hands those below `RadioWorld.kindLimit` to `handle`. Whatever a
/// controller wants to tell its host waits in the controller's outbox; `nextWaiting` names the devices, in order.
public final class RadioWorld {
  /// Event kinds from this one up belong to others.
  public static let kindLimit: UInt32 = 64

  enum Kind: UInt32 {
    case anchor = 1
    case centralEnd
    case peripheralEnd
    case supervision
    case procedureTimeout
    case parkEnd
    case advertisingEvent
    case advertisingPDU
    case advertisingEnd
    case advertisingResponse
    case scanResponseEnd
    case advertisingTimeout
    case scanTimeout
    case authentication
    case auxiliaryPDU
    case auxiliaryEnd
    case auxiliaryResponse
    case periodicPDU
    case periodicEnd
    case syncWindow
    case syncTimeout
    case airStart
    case airEnd
    case airAnswer
    case airSilence
    case airLinkSilence
    case responseSlot
    case responseStart
    case responseEnd
    case streamSubevent
    case streamCentralEnd
    case streamPeripheralEnd
  }

  public let timeline: Timeline
  /// What was on the air so far, without idle (empty and acknowledged) exchanges, which carry no information.
  @exclusivity(unchecked) public internal(set) var digest = TraceDigest()
  /// Unsafe because it owns this world, or outlives it: a weak reference would make every count of its references slow.
  public unowned(unsafe) var observer: (any RadioObserver)?
  /// What stands between the controllers and the air; nil: nothing. Unsafe as `observer` is.
  @exclusivity(unchecked) public unowned(unsafe) var pduTap: (any PDUTap)? { didSet { isTapped = pduTap != nil } }
  /// Whether there is one: to look at it would count a reference.
  private(set) var isTapped = false
  let medium: Medium
  let radios = Roster<Radio>()
  let connections = Roster<Connection>()
  /// Isochronous streams, those that are over among them.
  let streams = Roster<IsochronousStream>()
  public let controllers = Roster<Controller>()
  public let statistics = Statistics()
  @usableFromInline let waiting = Fifo<Int>()
  /// Idle links may be skipped: the air is not observed, and the room can be foreseen.
  var mayPark: Bool { skips && medium.isForeseeable }
  /// Skipping is wanted, and saves more than it costs.
  private var skips: Bool
  /// No radio is an end of all links: two of them may send at the same time, and on the same channel.
  private(set) var linksMayCollide = false
  /// The links that are parked, while links may collide.
  let parked = Roster<Connection>()
  /// Until when something other than links is on a channel of links.
  @exclusivity(unchecked) var secondaryUntil = SimInstant.zero
  /// Centrals look for bad channels: something other than range and collisions decides here, or did.
  private(set) var assessesChannels: Bool
  /// Working space of an advertising PDU.
  @exclusivity(unchecked) var asked: [Int] = []
  /// Trains that radios follow, oldest first.
  var syncs: [PeriodicSync] = []
  /// Sets whose trains have subevents and are on the air, oldest first.
  var subeventSets: [Advertiser] = []
  /// Responses that wait for their slots, or are in them, and how many there were so far.
  var responses: [SubeventResponse] = []
  var responseNumber: UInt64 = 0
  /// Access addresses that were drawn so far.
  var accessAddresses: Set<UInt32> = []
  /// Radios whose link layer is a program, in the order of their devices.
  private(set) var airSeats: [AirSeat] = []
  /// There are some: to look at them would count a reference.
  private(set) var hasAirSeats = false
  let wantsAir: Bool
  let seed: UInt64
  /// Whether the observer is told of the HCI seams.
  public let wantsHCI: Bool

  /// Counts of the link layer.
  public final class Statistics {
    @exclusivity(unchecked) public internal(set) var connectionEvents = 0
    @exclusivity(unchecked) public internal(set) var skippedConnectionEvents = 0
    @exclusivity(unchecked) public internal(set) var missedConnectionEvents = 0
    @exclusivity(unchecked) public internal(set) var pdusSent = 0
    @exclusivity(unchecked) public internal(set) var pdusLost = 0
    @exclusivity(unchecked) public internal(set) var retransmissions = 0
    public internal(set) var advertisingPDUs = 0
    /// Radios looked at because of an advertising PDU: those that are on its channel and near enough.
    @exclusivity(unchecked) public internal(set) var radiosAsked = 0
  }

  /// - Parameters:
  ///   - wantsAir: every PDU goes to the observer; idle events are stepped.
  ///   - stepsIdleEvents: idle events are stepped even if the air is not observed; the digest is the same.
  public init(
    timeline: Timeline, environment: RadioEnvironment, seed: UInt64, radios configurations: [RadioConfiguration],
    wantsAir: Bool = false, wantsHCI: Bool = false, stepsIdleEvents: Bool = false
  ) {
    self.timeline = timeline
    self.wantsAir = wantsAir
    self.wantsHCI = wantsHCI
    self.seed = seed
    medium = Medium(
      environment: environment, seed: seed, names: configurations.map(\.name),
      positions: configurations.map(\.position), transmitPowers: configurations.map(\.transmitPower),
      sensitivities: configurations.map(\.sensitivity), hasCoded: configurations.contains(where: \.supportsCoded))
    assessesChannels = !medium.isLossless
    skips = !wantsAir && !stepsIdleEvents
    for (index, configuration) in configurations.enumerated() {
      let controller = Controller(device: index, configuration: configuration, waiting: waiting)
      let radio = Radio(
        index: index, configuration: configuration, controller: controller, medium: medium, seed: seed)
      radios.append(radio)
      controllers.append(controller)
      controller.attach(world: self, radio: radio)
      if configuration.hasExternalLinkLayer { airSeats.append(AirSeat(radio: radio, waiting: waiting)) }
    }
    hasAirSeats = !airSeats.isEmpty
    // A program may hear any PDU, and take part in any event.
    if hasAirSeats { skips = false }
  }

  deinit {
    // A radio owns its links, and each of their ends its radio.
    for radio in radios {
      radio.links.removeAll()
      radio.controller.ends.removeAll()
      radio.streams.removeAll()
    }
    for connection in connections { connection.newStream = nil }
    connections.removeAll()
  }

  /// Collisions that destroyed a PDU for its receiver.
  public var collisions: Int { medium.collisions }

  /// Receptions of a PDU by a radio that were judged: those of a radio that listened on its channel all the time.
  public var judgedReceptions: Int { medium.judgements }

  /// Handles an event whose kind is below `kindLimit`.
  public func handle(_ event: SimEvent) {
    let target = Int(event.target)
    guard let kind = Kind(rawValue: event.kind) else {
      preconditionFailure("event kind \(event.kind) is not the radio world's")
    }
    switch kind {
    case .anchor, .centralEnd, .peripheralEnd: connections.with(target) { exchange($0, kind) }
    case .supervision: supervisionLooks(connections[target], role: event.argument == 0 ? .central : .peripheral)
    case .authentication: authenticationDue(connections[target], role: event.argument == 0 ? .central : .peripheral)
    case .procedureTimeout:
      procedureExpired(connections[target], role: event.argument == 0 ? .central : .peripheral)
    case .parkEnd: parkEnds(connections[target])
    case .advertisingEvent: advertisingEvent(advertiser(event))
    case .advertisingPDU: advertisingPDU(advertiser(event))
    case .advertisingEnd: advertisingEnd(advertiser(event))
    case .advertisingResponse: advertisingResponse(advertiser(event))
    case .scanResponseEnd: scanResponseEnd(advertiser(event), requester: radios[Int(event.argument >> 8)])
    case .advertisingTimeout: advertisingTimeout(advertiser(event))
    case .scanTimeout: scanTimeout(radios[target])
    case .auxiliaryPDU: auxiliaryPDU(advertiser(event))
    case .auxiliaryEnd: auxiliaryEnd(advertiser(event))
    case .auxiliaryResponse: auxiliaryResponse(advertiser(event))
    case .periodicPDU: periodicPDU(advertiser(event))
    case .periodicEnd: periodicEnd(advertiser(event))
    case .syncWindow: syncWindowEnds(target, event.argument)
    case .syncTimeout: syncTimeout(target, event.argument)
    case .airStart: airStart(target, event.argument)
    case .airEnd: airEnd(target, event.argument)
    case .airAnswer: airAnswer(target, event.argument)
    case .airSilence: airSilence(target)
    case .airLinkSilence: airLinkSilence(connections[target])
    case .responseSlot: responseSlot(advertiser(event))
    case .responseStart: responseStart(event.argument)
    case .responseEnd: responseEnd(event.argument)
    case .streamSubevent, .streamCentralEnd, .streamPeripheralEnd: streamStep(streams[target], kind)
    }
  }

  /// The advertising set an event is about: the lowest octet of its argument.
  private func advertiser(_ event: SimEvent) -> Advertiser {
    radios[Int(event.target)].advertisers[Int(event.argument & 0xFF)]
  }

  /// The next device whose controller has something for its host, once per announcement.
  @inlinable public func nextWaiting() -> Int? { waiting.popFirst() }

  /// Whether there is one.
  @inlinable public var hasWaiting: Bool { !waiting.isEmpty }

  func schedule(_ kind: Kind, _ target: Int, at instant: SimInstant, argument: UInt64 = 0) -> EventHandle {
    timeline.schedule(SimEvent(kind: kind.rawValue, target: UInt32(target), argument: argument), at: instant)
  }

  /// Schedules a step of a connection event, or the end of skipping. At one instant steps come after everything else,
  /// and by the index of their link, whenever they were scheduled: so a step that is skipped has its place too.
  func scheduleStep(_ kind: Kind, _ c: Connection, at instant: SimInstant) -> EventHandle {
    timeline.schedule(SimEvent(kind: kind.rawValue, target: UInt32(c.index)), at: instant, turn: UInt32(c.index))
  }

  // MARK: Faults and moves

  /// Switches a radio's transmitter and receiver on or off; its controller keeps its state.
  public func setRadio(_ device: Int, isOn: Bool) {
    unparkAll(on: radios[device])
    radios[device].isOn = isOn
  }

  /// Moves a device.
  public func move(_ device: Int, to position: Position) {
    unparkAll(on: radios[device])
    medium.move(device, to: position)
  }

  /// Noise covers what is sent on links of a device, in both directions, so that no receiver finds its beginning:
  /// connection events fail, and what an end has to send waits. The order on a link stays.
  /// - Parameter other: the device at the other end; nil: on every link of the device.
  public func coverLinks(of device: Int, with other: Int?, until end: SimInstant) {
    for link in radios[device].links {
      let ends = (link.central.radio.index, link.peripheral.radio.index)
      if let other, ends != (device, other), ends != (other, device) { continue }
      if link.isParked { unpark(link) }
      link.noParkingBefore = link.eventNumber
      link.coveredUntil = max(link.coveredUntil, end)
    }
  }

  /// An interferer of the room whose activity is external is on; say so at its start.
  public func noteInterference(_ index: Int, from start: SimInstant, to end: SimInstant) {
    medium.interference.note(index, from: start, to: end)
  }

  /// The loss of the room between two devices, or a place and a device, hundredths of dB; without shadowing.
  public func loss(from one: Int, to other: Int) -> Int { loss(from: medium.position(of: one), to: other) }
  public func loss(from place: Position, to device: Int) -> Int { medium.loss(from: place, to: device) }

  /// Received level between two devices, hundredths of dBm.
  public func level(from transmitter: Int, to receiver: Int) -> Int { medium.level(from: transmitter, to: receiver) }

  /// Takes skipped events into the statistics; call at the end of a run.
  public func settle() {
    for connection in connections where connection.isParked { unpark(connection) }
  }

  /// Links to which no other link is near in time can be skipped without a look at the channels as long as one radio is
  /// an end of all of them. With very many links the look would cost more than it saves.
  func reconsiderParking() {
    guard skips else { return }
    var common: [Int]?
    var count = 0
    for radio in radios {
      count += radio.links.count
      for link in radio.links {
        let ends = [link.central.radio.index, link.peripheral.radio.index]
        common = common.map { $0.filter(ends.contains) } ?? ends
      }
    }
    guard let common, common.isEmpty else { return }
    if !linksMayCollide { settle() }
    linksMayCollide = true
    if count > 2 * Self.mostLinksThatCollide {
      settle()
      skips = false
    }
  }

  /// The medium has another environment.
  func roomChanged() {
    if !medium.isLossless { assessesChannels = true }
  }

  // MARK: Trace

  func traceAdvertising(
    _ radio: Radio, pdu: [UInt8], start: SimInstant, end: SimInstant, channelIndex: UInt8, phy: LL.AirPHY,
    receiver: Int?, fate: AirPDU.Fate, isJudged: Bool = true, listeners: [AirPDU.Listener] = [],
    auxiliary: LL.ExtendedPDU.Kind? = nil, accessAddress: UInt32 = LL.advertisingAccessAddress,
    crcInit: UInt32 = LL.advertisingCRCInit, hasRightCRC: Bool = true
  ) {
    defer {
      if hasAirSeats {
        overhear(
          pdu, from: radio.index, on: channelIndex, phy, accessAddress, start: start, end: end, hasRightCRC: hasRightCRC
        )
      }
    }
    var digest = digest
    digest.combine(UInt64(bitPattern: start.nanoseconds))
    digest.combine(UInt64(radio.index) << 16 | UInt64(channelIndex) << 8 | UInt64(fate.rawValue))
    digest.combine(octets: pdu)
    self.digest = digest
    guard wantsAir, let observer else { return }
    var air = AirPDU(
      start: start, duration: end - start, rfChannel: LL.rfChannel(dataChannelIndex: channelIndex),
      phy: phy, accessAddress: accessAddress, pdu: pdu, crcInit: crcInit,
      transmitter: radio.index, receiver: receiver, rssi: receiver.map { rssi(from: radio.index, to: $0) } ?? -128,
      fate: fate, loss: receiver == nil || fate == .received ? nil : isJudged ? medium.latestLoss : .receiverGone)
    air.sensitivity = receiver.map { sensitivity(of: $0, phy) } ?? .min
    air.listeners = listeners
    air.auxiliary = auxiliary
    observer.observe(.air(air), device: radio.index)
  }

  func traceData(
    _ connection: Connection, from sender: LinkEnd, to receiver: LinkEnd, header: LinkHeader, fate: Reception,
    heard: Bool, loss: PDULoss? = nil, hasRightCRC: Bool = true
  ) {
    if !header.isEmpty || fate != .received || !heard {
      var digest = digest
      digest.combine(UInt64(bitPattern: connection.pduStart.nanoseconds))
      digest.combine(
        connection.eventNumber << 32 | UInt64(connection.index) << 16 | UInt64(connection.rfChannel) << 8
          | UInt64(header.sequenceNumber ? 128 : 0) | UInt64(header.nextExpected ? 64 : 0)
          | UInt64(header.moreData ? 32 : 0) | UInt64(fate.rawValue) << 3 | UInt64(header.kind.rawValue) << 1
          | UInt64(sender.role.rawValue))
      digest.combine(octets: sender.octetsInFlight)
      self.digest = digest
    }
    if wantsAir {
      let kind = heard ? fate.fate : .unheard
      let cause = kind == .received ? nil : loss ?? medium.latestLoss
      observeData(connection, from: sender, to: receiver, header: header, fate: kind, loss: cause)
    }
    if hasAirSeats {
      overhear(
        header.onAir.octets + sender.octetsInFlight, from: sender.radio.index, cut: sender.power.cut,
        on: LL.channelIndex(rfChannel: UInt8(connection.rfChannel)), connection.transmitPHY(of: sender),
        connection.accessAddress, start: connection.pduStart, end: connection.pduEnd, hasRightCRC: hasRightCRC)
    }
  }

  private func observeData(
    _ connection: Connection, from sender: LinkEnd, to receiver: LinkEnd, header: LinkHeader, fate: AirPDU.Fate,
    loss: PDULoss?
  ) {
    guard let observer else { return }
    var air = AirPDU(
      start: connection.pduStart, duration: connection.pduEnd - connection.pduStart,
      rfChannel: UInt8(connection.rfChannel), phy: connection.transmitPHY(of: sender),
      accessAddress: connection.accessAddress, pdu: header.onAir.octets + sender.octetsInFlight,
      crcInit: connection.crcInit, transmitter: sender.radio.index, receiver: receiver.radio.index,
      rssi: rssi(from: sender, to: receiver.radio.index), fate: fate, loss: loss)
    air.sensitivity = sensitivity(of: receiver.radio.index, air.phy)
    observer.observe(.air(air), device: sender.radio.index)
  }

  /// dBm.
  func sensitivity(of receiver: Int, _ phy: LL.AirPHY) -> Int8 {
    Int8(clamping: medium.sensitivity(of: receiver, phy) / 100)
  }

  func rssi(from transmitter: Int, to receiver: Int, cut: Int = 0) -> Int8 {
    Int8(clamping: max(-127, (medium.level(from: transmitter, to: receiver) - cut - 50) / 100))
  }

  /// The same of an end of a link, which may send with less power.
  func rssi(from end: LinkEnd, to receiver: Int) -> Int8 {
    rssi(from: end.radio.index, to: receiver, cut: end.power.cut)
  }
}
