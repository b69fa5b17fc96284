public import BluetoothWire
public import SimKernel

/// One connection as one capture shows it. The same connection in two captures is two of these.
public final class TrafficLink {
  /// Where the capture was taken.
  public enum Viewpoint: Hashable, Sendable {
    /// At the HCI of one of the two ends.
    case host(HCI.Role)
    /// At the HCI of a device whose role on this link the capture does not show.
    case hostOfUnknownRole
    case air
  }

  /// What changed. With `role`, the captured device turned out to be the peripheral, or the central: until then it is
  /// taken for the central, so that every `fromCentral` before may be the wrong way round.
  public enum Change: Hashable, Sendable {
    case parameters, dataLength, phy, attMTU, encryption, role, addresses
  }

  /// Dense, over all captures, in the order of appearance.
  public let index: Int
  /// Dense among the links that are up, from 1, and used again: what observers remember of living links is bounded.
  @exclusivity(unchecked) var slot = 0
  /// Index of the capture.
  public let file: Int
  /// The connection handle, or nil on the air.
  public let handle: HCI.ConnectionHandle?
  public let adapter: TrafficAdapter?
  public let accessAddress: UInt32?
  public internal(set) var viewpoint: Viewpoint { didSet { isHostPeripheral = viewpoint == .host(.peripheral) } }
  /// The identity address where a controller resolved or used one, else what was on the air; nil when the capture does
  /// not show it.
  @exclusivity(unchecked) public internal(set) var central: BluetoothAddress?
  @exclusivity(unchecked) public internal(set) var peripheral: BluetoothAddress?
  /// What was on the air, as far as it is not the address above: the resolvable private address.
  @exclusivity(unchecked) public internal(set) var centralPrivate: BluetoothAddress?
  @exclusivity(unchecked) public internal(set) var peripheralPrivate: BluetoothAddress?
  /// Whether the capture has the connection's beginning; else ATT_MTU, parameters and attributes may be unknown.
  public let isFromStart: Bool
  public let openedAt: SimInstant
  public let openedBy: PacketPlace
  @exclusivity(unchecked) public internal(set) var closedAt: SimInstant?
  /// The last packet of its capture, of a link that was up then; other captures may go on.
  @exclusivity(unchecked) var captureEnd: SimInstant?

  /// Units of 1.25 ms; nil: unknown.
  @exclusivity(unchecked) public internal(set) var interval: UInt16?
  @exclusivity(unchecked) public internal(set) var peripheralLatency: UInt16?
  /// Units of 10 ms; nil: unknown.
  @exclusivity(unchecked) public internal(set) var supervisionTimeout: UInt16?
  /// From LE Data Length Change or LL_LENGTH_RSP; octets of LL payload.
  @exclusivity(unchecked) public internal(set) var maxTxOctets: UInt16?
  @exclusivity(unchecked) public internal(set) var maxRxOctets: UInt16?
  /// 1 (LE 1M), 2 (LE 2M) or 3 (LE Coded); nil: unknown, or not the same both ways.
  @exclusivity(unchecked) public internal(set) var phy: UInt8?
  @exclusivity(unchecked) public internal(set) var isEncrypted = false
  /// What only a capture of the air shows; nil of others.
  @exclusivity(unchecked) public internal(set) var air: AirConnection?

  /// The ATT_MTU in force: 23 from the start of a link that the capture has whole, nil until an exchange on others.
  @exclusivity(unchecked) public internal(set) var attMTU: Int?
  /// The values of the newest exchange.
  @exclusivity(unchecked) public internal(set) var clientRxMTU: Int?
  @exclusivity(unchecked) public internal(set) var serverRxMTU: Int?
  /// Whose ends are known because the capture has their set-up; at most `TrafficLimits.channels`.
  @exclusivity(unchecked) public internal(set) var creditBasedChannels: [CreditBasedChannel] = []

  /// What handles mean at the server that the peripheral, or the central, is. Links to the same server share it.
  @exclusivity(unchecked) public private(set) var attributesOfPeripheral: AttributeMap
  @exclusivity(unchecked) public private(set) var attributesOfCentral: AttributeMap

  /// Octets of it are missing from the capture, between its beginning and its end there.
  @exclusivity(unchecked) public internal(set) var hasGaps = false
  /// An L2CAP frame came whole.
  @exclusivity(unchecked) var hasFrames = false
  /// Frames that are being put together, by direction.
  @exclusivity(unchecked) var fromCentral = FrameAssembly()
  @exclusivity(unchecked) var fromPeripheral = FrameAssembly()
  /// Requests that wait for their answer, by who sent them.
  @exclusivity(unchecked) var requestOfCentral = PendingRequest()
  @exclusivity(unchecked) var requestOfPeripheral = PendingRequest()
  @exclusivity(unchecked) var openingChannels: [CreditBasedChannel.Opening] = []
  @exclusivity(unchecked) private(set) var isHostPeripheral: Bool

  init(
    index: Int, file: Int, handle: HCI.ConnectionHandle?, adapter: TrafficAdapter?, accessAddress: UInt32?,
    viewpoint: Viewpoint, central: BluetoothAddress?, peripheral: BluetoothAddress?, isFromStart: Bool,
    openedAt: SimInstant, openedBy: PacketPlace, attributesOfPeripheral: AttributeMap = AttributeMap(),
    attributesOfCentral: AttributeMap = AttributeMap()
  ) {
    self.index = index
    self.file = file
    self.handle = handle
    self.adapter = adapter
    self.accessAddress = accessAddress
    self.viewpoint = viewpoint
    isHostPeripheral = viewpoint == .host(.peripheral)
    self.central = central
    self.peripheral = peripheral
    self.isFromStart = isFromStart
    self.openedAt = openedAt
    self.openedBy = openedBy
    self.attributesOfPeripheral = attributesOfPeripheral
    self.attributesOfCentral = attributesOfCentral
    attMTU = isFromStart ? ATT.defaultMTU : nil
  }

  public var isUp: Bool { closedAt == nil }

  /// What is taken for plain may be ciphertext: the capture begins in the middle of the link, or lacks PDUs that may
  /// have started encryption.
  var mayBeEncrypted: Bool { !isFromStart || air?.encryption == .unknown }

  /// What handles mean at the server that the central, or the peripheral, is.
  public func attributes(ofCentral: Bool) -> AttributeMap { ofCentral ? attributesOfCentral : attributesOfPeripheral }

  /// What the handles in an ATT PDU mean: requests, commands and confirmations name those of the server that they go
  /// to, everything else those of its sender.
  public func attributes(namedBy opcode: ATT.Opcode, fromCentral: Bool) -> AttributeMap {
    switch opcode.kind {
    case .request, .command, .confirmation, .unknownCommand, .unknown: attributes(ofCentral: !fromCentral)
    case .response, .notification, .indication: attributes(ofCentral: fromCentral)
    }
  }

  /// The captured device is the peripheral, though it was taken for the central: turns everything round.
  func turnRound() {
    swap(&central, &peripheral)
    swap(&centralPrivate, &peripheralPrivate)
    swap(&attributesOfCentral, &attributesOfPeripheral)
    swap(&fromCentral, &fromPeripheral)
    swap(&requestOfCentral, &requestOfPeripheral)
    for index in creditBasedChannels.indices { creditBasedChannels[index].turnRound() }
    for index in openingChannels.indices { openingChannels[index].isFromCentral.toggle() }
  }

  /// Lets go of what only a living link needs.
  func shrink() {
    fromCentral = FrameAssembly()
    fromPeripheral = FrameAssembly()
    openingChannels = []
  }
}

/// A controller whose HCI a capture shows: the device at which it was taken.
public final class TrafficAdapter {
  public let file: Int
  /// Its number in captures of several.
  public let number: UInt16
  /// Its public address, its random addresses, and what a monitor says of it; newest last, at most 16.
  @exclusivity(unchecked) public internal(set) var addresses: [BluetoothAddress] = []
  /// From Read BD_ADDR, or from a monitor.
  @exclusivity(unchecked) public internal(set) var publicAddress: BluetoothAddress?
  /// The newest that the controller took from LE Set Random Address.
  @exclusivity(unchecked) public internal(set) var randomAddress: BluetoothAddress?
  @exclusivity(unchecked) public internal(set) var name: String?
  /// ACL packets on their way from the host.
  @exclusivity(unchecked) var flow = ACLFlow()
  /// How often records were cut, were there twice or were not in their order: what it had under way was not known then.
  @exclusivity(unchecked) var disturbances = 0
  /// Some were cut.
  @exclusivity(unchecked) var hasLosses = false

  init(file: Int, number: UInt16) {
    self.file = file
    self.number = number
  }

  /// Remembers an address that this device uses itself.
  func learn(_ address: BluetoothAddress) {
    if address.bits == 0 || addresses.last == address { return }
    addresses.removeAll { $0 == address }
    if addresses.count == 16 { addresses.removeFirst() }
    addresses.append(address)
  }
}
