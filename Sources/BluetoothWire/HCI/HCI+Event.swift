extension HCI {
  /// The events that a LE controller sends and this bench models. Spec: Core v5.4, Vol 4, Part E, 7.7.
  public enum Event: Hashable, Sendable {
    /// `HCI_Command_Complete`; `returnParameters` are the octets after the status.
    case commandComplete(Opcode, status: ErrorCode, returnParameters: [UInt8])
    /// `HCI_Command_Status`.
    case commandStatus(Opcode, status: ErrorCode)
    case disconnectionComplete(ConnectionHandle, status: ErrorCode, reason: ErrorCode)
    /// `HCI_Number_Of_Completed_Packets`: buffers that are free again, per handle.
    case numberOfCompletedPackets([CompletedPackets])
    case hardwareError(UInt8)
    case readRemoteVersionInformationComplete(
      ConnectionHandle, status: ErrorCode, version: UInt8, company: UInt16, subversion: UInt16)
    case leConnectionComplete(ConnectionComplete)
    case leAdvertisingReport(AdvertisingReport)
    /// Interval in units of 1.25 ms, timeout in units of 10 ms.
    case leConnectionUpdateComplete(
      ConnectionHandle, status: ErrorCode, interval: UInt16, peripheralLatency: UInt16, supervisionTimeout: UInt16)
    case leReadRemoteFeaturesComplete(ConnectionHandle, status: ErrorCode, features: UInt64)
    case leRemoteConnectionParameterRequest(ConnectionHandle, ConnectionParameters)
    case leDataLengthChange(
      ConnectionHandle, maxTxOctets: UInt16, maxTxTime: UInt16, maxRxOctets: UInt16, maxRxTime: UInt16)
    case lePHYUpdateComplete(ConnectionHandle, status: ErrorCode, tx: PHY, rx: PHY)
    /// 0 is channel selection algorithm #1, 1 is #2.
    case leChannelSelectionAlgorithm(ConnectionHandle, algorithm: UInt8)
    /// Latency in subrated events, timeout in units of 10 ms (7.7.65.35).
    case leSubrateChange(
      ConnectionHandle, status: ErrorCode, factor: UInt16, peripheralLatency: UInt16, continuationNumber: UInt16,
      supervisionTimeout: UInt16)
    case encryption(EncryptionEvent)
    case extended(ExtendedEvent)
    case periodic(PeriodicEvent)
    case link(LinkEvent)
    /// An event this bench does not model, code and parameters as they came.
    case other(code: UInt8, parameters: [UInt8])
  }

  /// One entry of `HCI_Number_Of_Completed_Packets`.
  public struct CompletedPackets: Hashable, Sendable {
    public var handle: ConnectionHandle
    public var count: UInt16
    public init(handle: ConnectionHandle, count: UInt16) {
      self.handle = handle
      self.count = count
    }
  }

  /// `HCI_LE_Connection_Complete` (Vol 4, Part E, 7.7.65.1).
  public struct ConnectionComplete: Hashable, Sendable {
    public var status: ErrorCode
    public var handle: ConnectionHandle
    public var role: Role
    public var peer: BluetoothAddress
    /// Whether the controller resolved a private address to this identity (address types 2 and 3).
    public var peerIsIdentity = false
    /// Units of 1.25 ms.
    public var interval: UInt16
    public var peripheralLatency: UInt16
    /// Units of 10 ms.
    public var supervisionTimeout: UInt16
    /// 0 … 7, from 500 ppm to 20 ppm.
    public var centralClockAccuracy: UInt8

    public init(
      status: ErrorCode, handle: ConnectionHandle, role: Role, peer: BluetoothAddress, interval: UInt16,
      peripheralLatency: UInt16, supervisionTimeout: UInt16, centralClockAccuracy: UInt8
    ) {
      self.status = status
      self.handle = handle
      self.role = role
      self.peer = peer
      self.interval = interval
      self.peripheralLatency = peripheralLatency
      self.supervisionTimeout = supervisionTimeout
      self.centralClockAccuracy = centralClockAccuracy
    }
  }

  /// `HCI_LE_Advertising_Report`, one report per event (Vol 4, Part E, 7.7.65.2); `ToHost.messages(h4:)` takes several.
  public struct AdvertisingReport: Hashable, Sendable {
    public enum Kind: UInt8, Hashable, Sendable {
      case advInd = 0
      case advDirectInd = 1
      case advScanInd = 2
      case advNonconnInd = 3
      case scanRsp = 4

      /// Whether CONNECT_IND may answer it (Vol 6, Part B, 2.3.1); a scan response does not say.
      public var isConnectable: Bool { self == .advInd || self == .advDirectInd }
    }

    public var kind: Kind
    public var address: BluetoothAddress
    /// Whether the controller resolved a private address to this identity (address types 2 and 3).
    public var isIdentity = false
    /// AD structures, at most 31 octets.
    public var data: [UInt8]
    /// dBm, −127 … +20.
    public var rssi: Int8

    public init(kind: Kind, address: BluetoothAddress, data: [UInt8], rssi: Int8) {
      self.kind = kind
      self.address = address
      self.data = data
      self.rssi = rssi
    }
  }

  /// `HCI ACL Data packet` (Vol 4, Part E, 5.4.2).
  public struct ACLData: Hashable, Sendable {
    public enum Boundary: UInt8, Hashable, Sendable {
      case firstNonFlushable = 0b00
      case continuing = 0b01
      case firstFlushable = 0b10
    }

    public var handle: ConnectionHandle
    public var boundary: Boundary
    public var octets: [UInt8]

    public init(handle: ConnectionHandle, boundary: Boundary, octets: [UInt8]) {
      self.handle = handle
      self.boundary = boundary
      self.octets = octets
    }
  }

  /// What a controller sends up to a host: an event, ACL data or isochronous data.
  public enum ToHost: Hashable, Sendable {
    case event(Event)
    case acl(ACLData)
    case iso(ISOData)
  }

  /// What a host sends down to a controller: a command, ACL data or isochronous data.
  public enum ToController: Hashable, Sendable {
    case command(Command)
    case acl(ACLData)
    case iso(ISOData)
  }
}

/// The controller's side of the HCI seam, as a host stack sees it.
///
/// All calls take effect at once; what they cause comes back later through the host's `receive`.
public protocol HCIDoor: AnyObject {
  func submit(_ command: HCI.Command)
  func submit(_ data: consuming HCI.ACLData)
  func submit(_ data: consuming HCI.ISOData)
}
