public import BluetoothWire
public import SimKernel

/// The fixed properties of a device's radio and controller; filled from a phone preset.
public struct RadioConfiguration: Hashable, Sendable {
  public var name: String
  public var address: BluetoothAddress
  public var position: Position
  /// Hundredths of dBm.
  public var transmitPower = 0
  /// Level below which nothing is received, hundredths of dBm; in every room.
  public var sensitivity = -9_500
  /// True rate of the sleep clock against true time, parts per million, signed.
  public var clockPartsPerMillion = 0
  /// What the device claims about its clock, parts per million (20 … 500).
  public var claimedClockAccuracy = 20
  /// Links the controller keeps at the same time.
  public var maximumLinks = 20
  /// ACL buffers of the controller, shared by all links, and their size in octets (27 … 251).
  public var aclBuffers = 8
  public var aclBufferLength = 251
  /// Largest LL payload it sends and takes, 27 … 251; 27 means no data length extension.
  public var maximumDataLength = 251
  public var supports2M = true
  public var supportsCoded = false
  public var supportsChannelSelection2 = true
  public var supportsEncryption = true
  /// Connection subrating, with its commands (Vol 6, Part B, 4.6.35).
  public var supportsSubrating = false
  /// It tells peers of periodic advertising trains, and is told (Vol 6, Part B, 4.6.19, 4.6.20).
  public var supportsSyncTransfer = false
  /// Connected isochronous streams, in both roles (Vol 6, Part B, 4.6.24, 4.6.25).
  public var supportsStreams = false
  /// Periodic advertising with responses, as advertiser and as scanner (Vol 6, Part B, 4.6.38, 4.6.39).
  public var supportsPeriodicResponses = false
  /// It tells and asks for the accuracy of sleep clocks (Vol 6, Part B, 4.6.21).
  public var supportsClockUpdates = false
  /// LE Power Control and path loss monitoring (Vol 6, Part B, 4.6.31, 4.6.32).
  public var supportsPowerControl = false
  /// With power control, the level at which it wants to receive its peers, hundredths of dBm; nil: it does not mind.
  public var wantedLevel: Int?
  /// As peripheral it reports channels, and as central it goes by such reports (Vol 6, Part B, 4.6.37).
  public var supportsChannelReports = false
  /// As peripheral it needs that many data channels, 2 … 37; 0: it lacks the procedure in both roles (Vol 6, Part B,
  /// 5.1.11).
  public var minimumUsedChannels: UInt8 = 0
  /// The real controller that it is one of; nil: one of the bench's own.
  public var model: ControllerModel?
  /// As central it asks the peripheral for new connection parameters, in place of announcing them (Vol 6, Part B,
  /// 5.1.7, 5.1.1).
  public var asksForParameters = false
  /// It has the commands with which Zephyr extends HCI, of which a host may set its public address.
  public var hasZephyrCommands = false
  /// It has the command with which Android has further advertisers beside the legacy commands.
  public var hasMultiAdvertising = false
  /// As central it leaves data channels on which events fail (Vol 6, Part B, 4.5.8.1).
  public var adaptsChannels = true
  /// Exchanges (central PDU and answer) after which it closes a connection event, 0 = as many as fit.
  public var maximumExchangesPerEvent = 0
  /// The longest connection event, from its anchor to the end of its last PDU; the first exchange always takes place.
  /// Nil: as long as there is room.
  public var maximumEventLength: SimDuration?
  /// As central, hopIncrement of channel selection #1, 5 … 16; nil: drawn (Vol 6, Part B, 4.5.8.2).
  public var hopIncrement: UInt8?
  /// As central, the first anchor of a link, from the earliest place that there is; nil: drawn.
  public var anchorOffset: SimDuration?
  /// As central, the first anchor of a link from the anchor of the newest one; nil: as if there was no other.
  public var linkSpacing: SimDuration?
  /// A program from outside is its link layer; its controller does nothing.
  public var hasExternalLinkLayer = false
  /// Which event takes place where those of two of its links overlap.
  public var linkScheduling = LinkScheduling.turns

  /// Octets of the longest LL Control PDU that it may send and has to read, whatever the data length is:
  /// LL_PERIODIC_SYNC_WR_IND has 43, LL_CIS_REQ 36, LL_PERIODIC_SYNC_IND 35, all others at most 27.
  var longestControl: Int {
    if supportsSyncTransfer, supportsPeriodicResponses { return 43 }
    return supportsStreams ? 36 : supportsSyncTransfer ? 35 : 27
  }

  public init(name: String, address: BluetoothAddress, position: Position) {
    self.name = name
    self.address = address
    self.position = position
  }
}

/// One transceiver: does one thing at a time.
final class Radio {
  let index: Int
  let controller: Controller
  /// Links whose one end is here.
  let links: Roster<Connection>
  /// Connected isochronous streams whose one end is here.
  @exclusivity(unchecked) var streams: [IsochronousStream] = []
  /// False: it does not transmit and does not receive (vanished or switched off).
  var isOn = true {
    didSet { controller.world.retune(self) }
  }
  @exclusivity(unchecked) var meter = RadioMeter()
  /// Occupied by something it has begun, until then.
  @exclusivity(unchecked) var busyUntil = SimInstant.zero
  /// Advertising sets; legacy commands use the first one.
  @exclusivity(unchecked) private(set) var advertisers: [Advertiser] = []
  @exclusivity(unchecked) var scanner: Scanner {
    didSet {
      medium.tune(index, to: scanner.tunings)
      controller.world.retune(self)
    }
  }
  let configuration: RadioConfiguration
  /// What it claims of its clock now, parts per million.
  var claimedAccuracy: Int
  /// That of the world.
  let seed: UInt64
  private let medium: Medium
  var anchorStream: RandomStream
  var keys: KeyMaterial
  /// For resolvable private addresses.
  var privacyStream: RandomStream
  /// Access addresses of isochronous streams.
  var isochronousDraws: RandomStream
  static let advertisingSets = 4

  init(
    index: Int, configuration: RadioConfiguration, controller: Controller, medium: Medium, seed: UInt64
  ) {
    self.index = index
    self.configuration = configuration
    claimedAccuracy = configuration.claimedClockAccuracy
    self.controller = controller
    self.medium = medium
    self.seed = seed
    links = controller.links
    let component = "radio/" + configuration.name
    scanner = Scanner(stream: RandomStream(seed: seed, component: component, purpose: "scan"))
    anchorStream = RandomStream(seed: seed, component: component, purpose: "anchor")
    keys = KeyMaterial(seed: seed, component: component)
    privacyStream = RandomStream(seed: seed, component: component, purpose: "privacy")
    isochronousDraws = RandomStream(seed: seed, component: component, purpose: "isochronous")
    advertisers = (0..<Self.advertisingSets).map { set in
      let purpose = set == 0 ? "advDelay" : "advDelay/\(set)"
      return Advertiser(
        index: set, radio: self, stream: RandomStream(seed: seed, component: component, purpose: purpose))
    }
  }

  func add(_ link: Connection, _ end: LinkEnd) {
    assert(!controller.ends.contains { $0.handle == end.handle }, "handles are unique")
    links.append(link)
    controller.ends.append(end)
    assert(links.count == controller.ends.count, "a link has one end here")
  }

  func remove(_ link: Connection, _ end: LinkEnd) {
    links.remove(link)
    controller.ends.remove(end)
    assert(links.count == controller.ends.count, "a link has one end here")
  }

  /// A span of this device's clock as true time.
  func trueTime(_ span: SimDuration) -> SimDuration {
    SimDuration(
      nanoseconds: span.nanoseconds + span.nanoseconds / 1_000 * Int64(configuration.clockPartsPerMillion) / 1_000)
  }

  /// A span of true time by this device's clock.
  func ownTime(_ span: SimDuration) -> SimDuration {
    let rate = 1_000_000 + Int64(configuration.clockPartsPerMillion)
    return SimDuration(
      nanoseconds: span.nanoseconds / rate * 1_000_000 + span.nanoseconds % rate * 1_000_000 / rate)
  }

  /// How much earlier and later than expected it listens for what comes after a span: what its clock and that of the
  /// peer claim together, parts per million, and 16 µs (Vol 6, Part B, 4.2.4).
  func widening(after span: SimDuration, peer: Int64) -> SimDuration {
    .nanoseconds(span.nanoseconds / 1_000_000 * (Int64(claimedAccuracy) + peer) + 16_000)
  }

  /// What a sleep clock may be claimed to be, parts per million, by its SCA code (Vol 6, Part B, 2.3.3.1, table 2.11).
  static let clockAccuracies = [500, 250, 150, 100, 75, 50, 30, 20]

  /// The SCA field for the claimed accuracy.
  var clockAccuracyCode: UInt8 { UInt8(Self.clockAccuracies.lastIndex { $0 >= claimedAccuracy } ?? 0) }

  static func partsPerMillion(clockAccuracyCode code: UInt8) -> Int64 { Int64(clockAccuracies[Int(code & 7)]) }
}

extension LL.ChannelMap {
  /// Draws one of the channels, each as likely as the others; 0 when there is none.
  func draw(_ stream: inout RandomStream) -> UInt8 { channel(at: UInt32(stream.below(UInt64(max(1, count))))) }
}
