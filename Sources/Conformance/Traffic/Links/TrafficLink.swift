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

  /// What changed.
  public enum Change: Hashable, Sendable {
    case parameters, dataLength, phy, attMTU, encryption, role
  }

  /// Dense, over all captures, in the order of appearance.
  public let index: Int
  /// Index of the capture.
  public let file: Int
  /// The connection handle, or nil on the air.
  public let handle: HCI.ConnectionHandle?
  public let adapter: TrafficAdapter?
  public let accessAddress: UInt32?
  public internal(set) var viewpoint: Viewpoint
  /// Nil when the capture does not show it.
  public internal(set) var central: BluetoothAddress?
  public internal(set) var peripheral: BluetoothAddress?
  /// Whether the capture has the connection's beginning; else ATT_MTU, parameters and attributes may be unknown.
  public let isFromStart: Bool
  public let openedAt: SimInstant
  public let openedBy: PacketPlace
  public internal(set) var closedAt: SimInstant?

  /// Units of 1.25 ms; nil: unknown.
  public internal(set) var interval: UInt16?
  public internal(set) var peripheralLatency: UInt16?
  /// Units of 10 ms; nil: unknown.
  public internal(set) var supervisionTimeout: UInt16?
  /// From LE Data Length Change or LL_LENGTH_RSP; octets of LL payload.
  public internal(set) var maxTxOctets: UInt16?
  public internal(set) var maxRxOctets: UInt16?
  /// 1 or 2; nil: unknown.
  public internal(set) var phy: UInt8?
  public internal(set) var isEncrypted = false
  /// What only a capture of the air shows; nil of others.
  public internal(set) var air: AirConnection?

  /// The ATT_MTU in force: 23 from the start of a link that the capture has whole, nil until an exchange on others.
  public internal(set) var attMTU: Int?
  public internal(set) var clientRxMTU: Int?
  public internal(set) var serverRxMTU: Int?

  /// What handles mean at the server that the peripheral, or the central, is.
  public let attributesOfPeripheral: AttributeMap
  public let attributesOfCentral: AttributeMap

  /// Frames that are being put together, by direction.
  var fromCentral = FrameAssembly()
  var fromPeripheral = FrameAssembly()

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

  /// What handles mean at the server that answers the requests of a side.
  public func attributes(ofCentral: Bool) -> AttributeMap { ofCentral ? attributesOfCentral : attributesOfPeripheral }
}

/// A controller whose HCI a capture shows: the device at which it was taken.
public final class TrafficAdapter {
  public let file: Int
  /// Its number in captures of several.
  public let number: UInt16
  /// Its public address, its newest random address, and what a monitor says of it; newest last.
  public internal(set) var addresses: [BluetoothAddress] = []
  public internal(set) var name: String?

  init(file: Int, number: UInt16) {
    self.file = file
    self.number = number
  }

  /// Remembers an address that this device uses itself.
  func learn(_ address: BluetoothAddress) {
    if address.bits == 0 || addresses.last == address { return }
    addresses.removeAll { $0 == address }
    addresses.append(address)
  }
}
