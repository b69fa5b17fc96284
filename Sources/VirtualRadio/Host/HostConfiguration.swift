public import BluetoothWire
public import SimKernel

/// How a host stack behaves where the Core Specification leaves it the choice; a phone preset fills it.
///
/// What depends on a GAP role is here for both roles, and each link takes the values of its own role: one device can be
/// a peripheral for some peers and a central for others at the same time. The initial values are those of an
/// ideal device: they ask for the most that the specification allows.
public struct HostConfiguration: Sendable, Hashable {
  public var address: BluetoothAddress
  /// Value of the Device Name characteristic (0x2A00).
  public var deviceName: String
  /// The Rx MTU, 23 … 517, on links on which this device is the peripheral, where it serves.
  public var serverATTMTU = 517
  /// The Rx MTU, 23 … 517, on links on which this device is the central, where it is the client.
  public var clientATTMTU = 517
  /// As a central, exchange the ATT_MTU right after connecting.
  public var exchangesMTUAutomatically = false
  /// ATT values that may wait in the host for one link on which this device is the peripheral, beyond the controller's
  /// buffers.
  public var notificationQueueDepth = 16
  /// The same for one link on which this device is the central.
  public var writeCommandQueueDepth = 16
  /// Connections as a peripheral; at the limit, advertising is not begun, and a connection that a peer makes is ended.
  public var linksAsPeripheral = 8
  /// Connections as a central; at the limit, further ones are not begun.
  public var linksAsCentral = 8
  /// `txOctets` of the LE Set Data Length that follows a connection, 27 … 251; nil never asks.
  public var requestedDataLength: UInt16? = 251
  /// As a central, ask for LE 2M in both directions after connecting. The first connection attempt makes LE 2M the
  /// controller's default preference, which holds for links in both roles from then on (Vol 4, Part E, 7.8.48).
  public var requested2M = false
  /// Advertises, scans and connects by the extended commands, which the controller must have.
  public var usesExtendedAdvertising = false
  /// The controller has LE 2M.
  public var has2M = true
  /// The controller has LE Coded: the time of a data length update is the longest there, not on LE 1M.
  public var hasCoded = false
  /// As a central, ask for LE Coded in both directions after connecting; in both roles prefer this coding there.
  public var requestedCoding: LL.Coding?
  /// Asked for as a central, units of 1.25 ms, 6 … 3200.
  public var connectionInterval: ClosedRange<UInt16> = 24...40
  public var peripheralLatency: UInt16 = 0
  /// Units of 10 ms, 10 … 3200.
  public var supervisionTimeout: UInt16 = 400
  /// Units of 0.625 ms.
  public var scanInterval: UInt16 = 48
  public var scanWindow: UInt16 = 48
  /// Units of 0.625 ms, while a connection is being made; nil: as for scanning.
  public var initiatingScan: HCI.ScanParameters? = nil
  public var activeScan = true
  /// Units of 0.625 ms, 0x0020 … 0x4000.
  public var advertisingInterval: ClosedRange<UInt16> = 160...160
  /// Bits 0, 1, 2: channel indices 37, 38, 39.
  public var advertisingChannels: UInt8 = 0x07
  public var advertisingKind = HCI.AdvertisingParameters.Kind.connectableUndirected
  /// The device at which directed advertising is directed; needed by the directed kinds, ignored by the others.
  public var advertisingTarget: BluetoothAddress? = nil
  /// As a peripheral, asked for by an L2CAP Connection Parameter Update Request, `parameterUpdateDelay` after
  /// connecting.
  public var peripheralPreferredParameters: HCI.ConnectionParameters? = nil
  /// T_GAP(conn_pause_peripheral), Vol 3, Part C, Appendix A.
  public var parameterUpdateDelay = SimDuration.seconds(5)
  /// As a central, parameter requests with an interval bound outside are rejected; units of 1.25 ms.
  public var acceptableInterval: ClosedRange<UInt16> = 6...3200
  /// As a central, a bound of an interval below that is raised to it.
  public var raisesShortIntervals = false
  /// As a central, parameter requests with a greater peripheral latency are rejected; connection events.
  public var acceptableLatency: UInt16 = 499
  /// As a central, parameter requests with another supervision timeout are rejected; units of 10 ms.
  public var acceptableTimeout: ClosedRange<UInt16> = 10...3200
  /// As a central, how long after a link is up its first ATT request goes out.
  public var requestsAfter = SimDuration.zero
  /// As a central, the connection interval of a link while something is discovered on it, units of 1.25 ms; nil: its
  /// own. It has its own again `discoveryPause` after the last discovery.
  ///
  /// Not modelled: requests of the peripheral meanwhile, which phones refuse.
  public var discoveryInterval: UInt16? = nil
  public var discoveryPause = SimDuration.milliseconds(100)
  /// A connection attempt older than this is cancelled and reported as failed with 0x08; nil never gives up.
  public var connectionAttemptTimeout: SimDuration? = .seconds(30)
  /// What is offered and allowed on LE credit based channels.
  public var channels = HostChannelConfiguration()
  /// The Generic Attribute service has Service Changed (Vol 3, Part G, 7.1).
  public var hasServiceChanged = true
  /// Pairing and encryption; nil refuses to pair (Pairing Not Supported) and has no keys.
  public var security: SecurityConfiguration? = nil

  public init(address: BluetoothAddress, deviceName: String) {
    self.address = address
    self.deviceName = deviceName
  }

  /// Rx MTU of links in a role.
  func attMTU(as role: HCI.Role) -> Int { role == .central ? clientATTMTU : serverATTMTU }

  /// ATT values that may wait for one link in a role.
  func queueDepth(as role: HCI.Role) -> Int { role == .central ? writeCommandQueueDepth : notificationQueueDepth }

  /// Links that there may be in a role.
  func maximumLinks(as role: HCI.Role) -> Int { role == .central ? linksAsCentral : linksAsPeripheral }
}
