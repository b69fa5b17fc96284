extension HCI {
  /// The commands that a LE host sends and this bench models. Spec: Core v5.4, Vol 4, Part E, 7.
  public enum Command: Hashable, Sendable {
    case reset
    case setEventMask(UInt64)
    case leSetEventMask(UInt64)
    case readBDADDR
    case readLocalVersionInformation
    case readLocalSupportedCommands
    case readLocalSupportedFeatures
    case readRSSI(ConnectionHandle)
    case readRemoteVersionInformation(ConnectionHandle)
    case disconnect(ConnectionHandle, reason: ErrorCode)
    case leReadBufferSize
    case leReadLocalSupportedFeatures
    case leSetRandomAddress(BluetoothAddress)
    case leSetAdvertisingParameters(AdvertisingParameters)
    /// At most 31 octets.
    case leSetAdvertisingData([UInt8])
    /// At most 31 octets.
    case leSetScanResponseData([UInt8])
    case leSetAdvertisingEnable(Bool)
    case leSetScanParameters(ScanParameters)
    case leSetScanEnable(Bool, filterDuplicates: Bool)
    case leCreateConnection(CreateConnection)
    case leCreateConnectionCancel
    case leConnectionUpdate(ConnectionHandle, ConnectionParameters)
    case leRemoteConnectionParameterRequestReply(ConnectionHandle, ConnectionParameters)
    case leRemoteConnectionParameterRequestNegativeReply(ConnectionHandle, reason: ErrorCode)
    /// `txOctets` 27 … 251, `txTime` in microseconds 328 … 17040.
    case leSetDataLength(ConnectionHandle, txOctets: UInt16, txTime: UInt16)
    case leReadSuggestedDefaultDataLength
    case leWriteSuggestedDefaultDataLength(txOctets: UInt16, txTime: UInt16)
    case leReadMaximumDataLength
    case leReadPHY(ConnectionHandle)
    /// `nil` means no preference for that direction.
    case leSetDefaultPHY(tx: PHYMask?, rx: PHYMask?)
    case leSetPHY(ConnectionHandle, tx: PHYMask?, rx: PHYMask?, options: PHYOptions = .none)
    /// 37 bits, one per data channel index; a set bit is a channel that may be used.
    case leSetHostChannelClassification(UInt64)
    case leReadChannelMap(ConnectionHandle)
    case leReadRemoteFeatures(ConnectionHandle)
    case leReadFilterAcceptListSize
    case leClearFilterAcceptList
    case leAddDeviceToFilterAcceptList(BluetoothAddress)
    case leRemoveDeviceFromFilterAcceptList(BluetoothAddress)
    case general(GeneralCommand)
    case security(SecurityCommand)
    case privacy(PrivacyCommand)
    case extended(ExtendedCommand)
    case periodic(PeriodicCommand)
    case power(PowerCommand)
    case stream(StreamCommand)
    /// A command this bench does not model; the controller answers Unknown HCI Command (0x01).
    case other(Opcode, parameters: [UInt8])
  }

  /// `HCI_LE_Set_Advertising_Parameters` (Vol 4, Part E, 7.8.5).
  public struct AdvertisingParameters: Hashable, Sendable {
    public enum Kind: UInt8, Hashable, Sendable {
      case connectableUndirected = 0
      case connectableDirectedHighDuty = 1
      case scannableUndirected = 2
      case nonConnectableUndirected = 3
      case connectableDirectedLowDuty = 4

      /// ADV_DIRECT_IND: for one device, without data (Vol 6, Part B, 2.3.1.2).
      public var isDirected: Bool { self == .connectableDirectedHighDuty || self == .connectableDirectedLowDuty }
      public var isConnectable: Bool { self == .connectableUndirected || isDirected }
    }

    public var kind: Kind = .connectableUndirected
    /// Units of 0.625 ms, 0x0020 … 0x4000.
    public var intervalMinimum: UInt16
    public var intervalMaximum: UInt16
    public var ownAddressType: OwnAddressType = .random
    public var peerAddress: BluetoothAddress? = nil
    /// Bits 0, 1, 2: channel indices 37, 38, 39.
    public var channelMap: UInt8 = 0x07
    /// 0 … 3: who may scan and connect, by the filter accept list.
    public var filterPolicy: UInt8 = 0

    public init(intervalMinimum: UInt16, intervalMaximum: UInt16) {
      self.intervalMinimum = intervalMinimum
      self.intervalMaximum = intervalMaximum
    }
  }

  /// `HCI_LE_Set_Scan_Parameters` (Vol 4, Part E, 7.8.10).
  public struct ScanParameters: Hashable, Sendable {
    /// Active scanning sends SCAN_REQ.
    public var isActive: Bool
    /// Units of 0.625 ms, 0x0004 … 0x4000; window ≤ interval.
    public var interval: UInt16
    public var window: UInt16
    public var ownAddressType: OwnAddressType = .random
    public var filterPolicy: UInt8 = 0

    public init(isActive: Bool, interval: UInt16, window: UInt16) {
      self.isActive = isActive
      self.interval = interval
      self.window = window
    }
  }

  /// Connection parameters as `HCI_LE_Connection_Update` carries them (Vol 4, Part E, 7.8.18).
  public struct ConnectionParameters: Hashable, Sendable {
    /// Units of 1.25 ms, 6 … 3200.
    public var intervalMinimum: UInt16
    public var intervalMaximum: UInt16
    /// Connection events the peripheral may skip, 0 … 499.
    public var peripheralLatency: UInt16
    /// Units of 10 ms, 10 … 3200; more than (1 + latency) × interval × 2.
    public var supervisionTimeout: UInt16
    /// Units of 0.625 ms: how long a connection event is wanted to be, 0 for no wish. A hint to the controller, in
    /// commands only.
    public var eventLengthMinimum: UInt16 = 0
    public var eventLengthMaximum: UInt16 = 0

    public init(
      intervalMinimum: UInt16, intervalMaximum: UInt16, peripheralLatency: UInt16 = 0, supervisionTimeout: UInt16
    ) {
      self.intervalMinimum = intervalMinimum
      self.intervalMaximum = intervalMaximum
      self.peripheralLatency = peripheralLatency
      self.supervisionTimeout = supervisionTimeout
    }
  }

  /// `HCI_LE_Create_Connection` (Vol 4, Part E, 7.8.12).
  public struct CreateConnection: Hashable, Sendable {
    /// Units of 0.625 ms.
    public var scanInterval: UInt16
    public var scanWindow: UInt16
    /// Connect to a device of the filter accept list instead of `peer`.
    public var usesFilterAcceptList = false
    public var peer: BluetoothAddress
    /// Whether the type octet says that `peer` is an identity address (types 2 and 3).
    public var peerIsIdentity = false
    public var ownAddressType: OwnAddressType = .random
    public var parameters: ConnectionParameters

    public init(scanInterval: UInt16, scanWindow: UInt16, peer: BluetoothAddress, parameters: ConnectionParameters) {
      self.scanInterval = scanInterval
      self.scanWindow = scanWindow
      self.peer = peer
      self.parameters = parameters
    }
  }
}
