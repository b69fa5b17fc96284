public import BluetoothWire
public import SimKernel

/// A phone as the radio, the link and an app feel it: limits, habits and quirks of one platform.
///
/// Plain data: the controller, the host stack and the world read it, and a scenario may override single values.
/// Where each value comes from is said in the file of the preset. Intervals are in the units of HCI.
public struct PhonePreset: Hashable, Sendable {
  /// What a scenario writes: `iphone`, `android`, `android-7`, `linux`, `ideal`.
  public var name: String
  public var att = ATTHabits()
  public var connection = ConnectionHabits()
  public var buffers = Buffers()
  public var radio = Radio()
  public var advertising = AdvertisingHabits()
  public var scanning = ScanningHabits()
  public var background = BackgroundHabits()
  /// Nil: it refuses to pair.
  public var pairing: PairingHabits? = nil
  /// As central, what it does when a peer does not have the key of their bond any more.
  public var lostBond = LostBond.endsLink

  public init(name: String) { self.name = name }

  /// Pairing, and what its person says when asked. Spec: Core v5.4, Vol 3, Part H.
  public struct PairingHabits: Hashable, Sendable {
    public var security: SecurityConfiguration
    /// The person takes two equal numbers for equal, at once; otherwise refuses.
    public var isAccepted = true
    /// As central, it pairs with every peer of its app that it has no bond with, and so encrypts all its links.
    public var pairsLinks = false

    /// A phone: a screen and keys.
    public init() {
      security = SecurityConfiguration()
      security.ioCapability = .keyboardDisplay
      security.asksForAuthentication = true
    }
  }

  /// What a central does with a bond that its peer has lost: encryption fails with 0x06, PIN or key missing.
  ///
  /// Spec: Core v5.4, Vol 6, Part B, 5.1.3.1; Vol 3, Part C, 10.3.2.
  public enum LostBond: String, Hashable, Sendable, CaseIterable {
    /// The link ends, and the bond stays until a person removes it: iPhones, and Android from level 36 on.
    case endsLink = "ends link"
    /// The key is forgotten, the link stays and is paired again as soon as something needs that: Android up to level
    /// 35.
    case pairsAgain = "pairs again"
  }

  /// ATT_MTU habits. Spec: Core v5.4, Vol 3, Part F, 3.4.2.
  public struct ATTHabits: Hashable, Sendable {
    /// Server Rx MTU: what it answers to an ATT_EXCHANGE_MTU_REQ, 23 … 517.
    public var serverMTU = 247
    /// Client Rx MTU: what it asks for when it exchanges, 23 … 517.
    public var clientMTU = 247
    /// As central, exchanges on its own right after the connection; the app cannot prevent or repeat it.
    public var exchangesAutomatically = true
    /// As central, an app may ask for an exchange (Android's `requestMtu`).
    public var appMayExchange = true
    /// The services of an app stay while Bluetooth is off; else the app publishes them again.
    public var keepsServices = false
    /// Whose services it does not discover again on another link.
    public var cachesServices = ServiceCaching.never
    /// Its server has Service Changed, and tells clients that listen to it (Vol 3, Part G, 7.1).
    public var tellsServiceChanges = true
    /// An app has one operation at a time on a link; another one is refused (Android's `BluetoothGatt`).
    public var oneOperationAtATime = false
    /// The stack ends a link on which a request had no answer for 30 s.
    public var timeoutEndsLink = false
    public init() {}
  }

  /// Connection parameters and link limits. Spec: Core v5.4, Vol 6, Part B, 4.5.
  public struct ConnectionHabits: Hashable, Sendable {
    /// What it asks for as central.
    public var initial = HCI.ConnectionParameters(intervalMinimum: 24, intervalMaximum: 24, supervisionTimeout: 400)
    /// Intervals it agrees to when a peripheral asks for an update, units of 1.25 ms.
    public var acceptedIntervals: ClosedRange<UInt16> = 6...3200
    /// Intervals below those are raised to the least of them, and agreed to.
    public var raisesShortIntervals = false
    /// Largest peripheral latency it agrees to.
    public var acceptedLatency: UInt16 = 499
    /// Supervision timeouts it agrees to, units of 10 ms.
    public var acceptedTimeouts: ClosedRange<UInt16> = 10...3200
    /// As peripheral, what it asks of the central some time after the connection; nil: nothing.
    public var requestedAsPeripheral: HCI.ConnectionParameters? = nil
    /// How many links it keeps at the same time as peripheral; one more central is not answered.
    public var linksAsPeripheral = 8
    /// How many links it keeps at the same time as central.
    public var linksAsCentral = 8
    /// How many links it keeps at the same time in both roles together; nil: as many as in each.
    public var linksInAll: Int? = nil
    /// After this an attempt to connect is given up; nil: never (the app must cancel).
    public var attemptTimeout: SimDuration? = nil
    /// As central, how long after a link is up its first ATT request goes out.
    public var requestsAfter = SimDuration.zero
    /// As central, the interval of a link while something is discovered on it, units of 1.25 ms; nil: its own.
    public var discoveryInterval: UInt16? = nil
    public init() {}

    /// How many links it keeps at the same time, whatever its role in them.
    public var links: Int { min(linksInAll ?? .max, linksAsPeripheral + linksAsCentral) }
  }

  /// Transmit queues, from the app down.
  public struct Buffers: Hashable, Sendable {
    /// Values the platform takes per link before it answers "not sent" to a notification.
    public var notificationQueue = 16
    /// Write commands the platform takes per link before it answers "not sent".
    public var writeCommandQueue = 16
    /// ACL data buffers of the controller, shared by all links (`HCI_LE_Read_Buffer_Size`).
    public var aclCount = 16
    /// Octets of one ACL data buffer, 27 … 251 and more.
    public var aclOctets = 251
    public init() {}
  }

  /// What the controller can do.
  public struct Radio: Hashable, Sendable {
    /// Largest LL payload it supports, 27 (no data length extension) … 251.
    public var maximumDataOctets: UInt16 = 251
    /// It starts a data length update on its own right after a connection.
    public var updatesDataLengthAutomatically = true
    public var supports2M = true
    /// As central it moves a link to LE 2M on its own right after the connection.
    public var prefers2M = false
    /// It has LE Coded; no preset claims it.
    public var supportsCoded = false
    /// As central it moves a link to LE Coded on its own right after the connection; in both roles it sends with this
    /// coding there.
    public var preferredCoding: LL.Coding?
    public var supportsChannelSelection2 = true
    /// Its controller has connection subrating; nil: where its host is an external one, which may ask for it.
    public var supportsSubrating: Bool?
    /// Its controller tells peers of trains, and is told; nil: as above.
    public var supportsSyncTransfer: Bool?
    /// Its controller has periodic advertising with responses; nil: as above.
    public var supportsPeriodicResponses: Bool?
    /// Its controller tells and asks for the accuracy of sleep clocks; nil: as above.
    public var supportsClockUpdates: Bool?
    /// Its controller has power control and path loss monitoring; nil: as above.
    public var supportsPowerControl: Bool?
    /// Its controller has connected isochronous streams; nil: as above.
    public var supportsStreams: Bool?
    /// The level at which its controller wants to receive peers with power control, hundredths of dBm; nil: it does not
    /// mind.
    public var wantedLevel: Int?
    /// Its controller reports channels, and goes by reports; nil: as above.
    public var supportsChannelReports: Bool?
    /// As peripheral it needs that many data channels, 2 … 37, and as central it goes by such needs; nil: as above,
    /// with 2.
    public var minimumUsedChannels: UInt8?
    /// As central it leaves data channels on which events fail, as every phone does.
    public var adaptsChannels = true
    /// Its controller has the commands with which Zephyr extends HCI, for an external host.
    public var hasZephyrCommands = false
    /// The real controller in it, as a host reads it; nil: one of the bench's own. Set by `take`.
    public var controller: ControllerModel?
    /// Exchanges (central PDU and answer) after which it closes a connection event; 0: as many as fit. No preset sets
    /// it; a profile that was measured may.
    public var packetsPerEvent = 0
    /// The longest connection event; nil: as long as there is room.
    public var eventLength: SimDuration?
    /// As central, hopIncrement of channel selection #1, 5 … 16; nil: drawn.
    public var hopIncrement: UInt8?
    /// As central, where the first anchor of a link is; nil: drawn.
    public var anchorOffset: SimDuration?
    /// As central, how far the anchors of a new link are from those of the one before; nil: drawn.
    public var linkSpacing: SimDuration?
    /// Which event takes place where those of two of its links overlap; no preset claims another than turns.
    public var linkScheduling = LinkScheduling.turns
    /// The sleep clock accuracy it declares in CONNECT_IND, one of 20, 30, 50, 75, 100, 150, 250, 500 ppm.
    public var declaredClockPartsPerMillion = 20
    /// The error its clock really has, drawn per device from this range, parts per million.
    public var clockDrift: ClosedRange<Int> = 0...0
    /// Hundredths of dBm.
    public var transmitPower = 0
    /// The level at which a 37-octet PDU on LE 1M still comes through, hundredths of dBm.
    public var sensitivity = -9_500
    public var currents = Currents()
    public init() {}
  }

  /// What a radio draws from its supply in each state, nanoamperes.
  ///
  /// The values are typical ones of a chip that is well documented, nRF52832, at 3 V with its DC/DC converter and its
  /// 32 MHz crystal running (Product Specification v1.1, “Power and clock management”, electrical specification:
  /// IRADIO_TX0 7.1 mA, IRADIO_RX0 6.5 mA). What it draws asleep is a decision, of the size of that chip's with its
  /// real-time counter on, and so is that every phone draws the same: their makers publish nothing.
  public struct Currents: Hashable, Sendable {
    /// At 0 dBm; it does not follow the transmit power.
    public var transmit: Int64 = 7_100_000
    public var receive: Int64 = 6_500_000
    /// All the time in which the radio is neither on the air nor listening.
    public var sleep: Int64 = 1_900
    public init() {}

    /// What flows in a run of some length, nanocoulombs, rounded down.
    public func charge(_ times: RadioTimes, of run: SimDuration) -> Int64 {
      let receiving = times.receive + times.scan
      let sleeping = max(.zero, run - times.transmit - receiving)
      return Self.charge(transmit, times.transmit) + Self.charge(receive, receiving) + Self.charge(sleep, sleeping)
    }

    /// Nanoamperes times nanoseconds are 10⁻¹⁸ coulombs.
    private static func charge(_ current: Int64, _ span: SimDuration) -> Int64 {
      Int64(1_000_000_000).dividingFullWidth(current.multipliedFullWidth(by: span.nanoseconds)).quotient
    }
  }

  /// Advertising. Spec: Core v5.4, Vol 6, Part B, 4.4.2.
  public struct AdvertisingHabits: Hashable, Sendable {
    /// Units of 0.625 ms.
    public var interval: UInt16 = 160
    /// Bits 0, 1, 2: channel indices 37, 38, 39.
    public var channels: UInt8 = 0x07
    /// Which advertising PDUs it sends.
    public var kind = HCI.AdvertisingParameters.Kind.connectableUndirected
    /// How many advertising sets an app may have at the same time, 1 … 4, each with an address of its own.
    public var sets = 1
    /// It advertises, scans and connects by extended commands, and its apps have extended PDUs. No preset has: which
    /// phones do is known, and how their controllers share the radio between sets is not.
    public var isExtended = false
    /// Octets of advertising data an app may fill, of the 31 (the rest are flags and vendor structures).
    public var dataRoom = 28
    /// Octets of scan response data an app may fill, of the 31.
    public var responseRoom = 31
    /// What happens to a local name that does not fit.
    public var nameOverflow = NameOverflow.shorten
    /// Where the name goes first.
    public var namePlacement = NamePlacement.scanResponse
    /// Which kind of address it advertises with.
    public var addressKind = BluetoothAddress.Kind.random
    /// It changes to another resolvable private address every so often, at most (Vol 3, Part C, 10.7; T_GAP
    /// (private_addr_int), Appendix A, is 15 min); nil: it keeps its address.
    public var rotatesAddress: SimDuration?
    /// What its Flags structure says (Supplement, Part A, 1.3).
    public var flags: ADStructure.Flags = [.generalDiscoverable, .brEDRNotSupported]
    public init() {}
  }

  /// Peers whose services a client keeps from one link to the next.
  public enum ServiceCaching: String, Hashable, Sendable, CaseIterable {
    case never
    /// Those with which it has a bond (Vol 3, Part G, 2.5.2).
    case bonded
    case always
  }

  /// What a platform does with a local name for which there is no room.
  public enum NameOverflow: String, Hashable, Sendable {
    /// As a Shortened Local Name (AD type 0x08).
    case shorten
    /// It is left out.
    case drop
    /// The platform refuses to advertise at all.
    case refuse
  }

  public enum NamePlacement: String, Hashable, Sendable {
    /// Where it fits whole, the advertising data first; when it fits nowhere whole, where more of it fits.
    case advertisingDataFirst
    case scanResponse
  }

  /// Scanning. Spec: Core v5.4, Vol 6, Part B, 4.4.3.
  public struct ScanningHabits: Hashable, Sendable {
    /// Units of 0.625 ms; app in front.
    public var foreground = HCI.ScanParameters(isActive: true, interval: 96, window: 96)
    /// Same, app in background.
    public var background = HCI.ScanParameters(isActive: true, interval: 96, window: 96)
    /// Same, with the screen off; nil: as in background.
    public var screenOff: HCI.ScanParameters? = nil
    /// While a connection attempt runs (`LE_Scan_Interval`, `LE_Scan_Window` of `HCI_LE_Create_Connection`).
    public var connecting = HCI.ScanParameters(isActive: false, interval: 96, window: 96)
    /// Each advertiser is reported once per scan instead of at every advertising report.
    public var reportsEachAdvertiserOnce = false
    /// In front, a filtered scan also finds services in another's overflow area (`AdvertisingDataBuilder`).
    public var readsOverflowArea = false
    /// Scans that an app may begin within 30 s; a further one finds nothing. Nil: as many as it likes.
    public var startsPerHalfMinute: Int? = nil
    public init() {}
  }

  /// What a suspended app may still do.
  public struct BackgroundHabits: Hashable, Sendable {
    public var advertising = BackgroundAdvertising.continues
    /// Units of 0.625 ms, while in background.
    public var advertisingInterval: UInt16 = 160
    public var scanning = BackgroundScanning.continues
    /// The platform keeps the links and delivers their inputs to the suspended app.
    public var keepsLinks = true
    /// How long an app in background runs before it is suspended; nil: as long as it will.
    public var suspendsAfter: SimDuration?
    /// A suspended app runs for a while when Bluetooth has something for it; else all of it waits for the front.
    public var isWokenByBluetooth = true
    /// A suspended app runs for a while every so often; nil: not by the clock.
    public var wakesEvery: SimDuration?
    /// How long Bluetooth, or the clock, keeps a suspended app running.
    public var wakesFor = SimDuration.seconds(10)
    /// How long an app is in background before the system ends it; nil: it is not ended.
    public var endsAfter: SimDuration?
    /// How long after its launch, or after its person has done something, the screen goes off; nil: only by a step.
    public var screenOffAfter: SimDuration?
    /// How long the screen is off before the phone dozes; nil: it does not.
    public var dozesAfter: SimDuration?
    /// The system takes the sockets of an app back that was suspended for a minute.
    public var reclaimsSockets = false
    public init() {}
  }

  public enum BackgroundAdvertising: String, Hashable, Sendable, CaseIterable {
    case continues
    /// The name is dropped and the service UUIDs move to a vendor structure that others' scans do not show.
    case overflowArea = "overflow area"
    case stops
  }

  public enum BackgroundScanning: String, Hashable, Sendable, CaseIterable {
    case continues
    /// Only a scan with a service filter goes on.
    case filteredOnly = "filtered only"
    case stops
  }
}

extension PhonePreset {
  /// Every preset, in the order in which they are listed to people.
  public static let all: [PhonePreset] = [.ideal, .iphone, .android, .android7, .linux]

  /// The preset of a name, nil when there is none.
  public static func named(_ name: String) -> PhonePreset? { all.first { $0.name == name } }
}
