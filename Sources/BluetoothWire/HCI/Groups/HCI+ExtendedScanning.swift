extension HCI {
  /// `HCI_LE_Set_Extended_Scan_Parameters` (Core v5.4, Vol 4, Part E, 7.8.64).
  public struct ExtendedScanParameters: Hashable, Sendable {
    /// How to scan on one PHY.
    public struct OnePHY: Hashable, Sendable {
      /// Active scanning sends SCAN_REQ.
      public var isActive: Bool
      /// Units of 0.625 ms, 0x0004 … 0xFFFF; window ≤ interval.
      public var interval: UInt16
      public var window: UInt16

      public init(isActive: Bool, interval: UInt16, window: UInt16) {
        self.isActive = isActive
        self.interval = interval
        self.window = window
      }
    }

    public var ownAddressType: OwnAddressType = .random
    public var filterPolicy: UInt8 = 0
    public var phys: PHYMask
    /// One entry for each bit of `phys`, lowest bit first.
    public var entries: [OnePHY]

    public init(phys: PHYMask, entries: [OnePHY]) {
      self.phys = phys
      self.entries = entries
    }

    /// The entry of one PHY; nil when it is not scanned.
    public func entry(for phy: PHYMask) -> OnePHY? {
      phys.place(of: phy).flatMap { entries.indices.contains($0) ? entries[$0] : nil }
    }
  }

  /// `HCI_LE_Set_Extended_Scan_Enable` (Core v5.4, Vol 4, Part E, 7.8.65).
  public struct ExtendedScanEnable: Hashable, Sendable {
    public enum DuplicateFilter: UInt8, Hashable, Sendable {
      case off = 0
      case on = 1
      /// Starts again with each period.
      case perPeriod = 2
    }

    public var isEnabled: Bool
    public var duplicateFilter: DuplicateFilter
    /// Units of 10 ms; 0 is until disabled.
    public var duration: UInt16
    /// Units of 1.28 s; 0 is once.
    public var period: UInt16

    public init(
      isEnabled: Bool, duplicateFilter: DuplicateFilter = .off, duration: UInt16 = 0, period: UInt16 = 0
    ) {
      self.isEnabled = isEnabled
      self.duplicateFilter = duplicateFilter
      self.duration = duration
      self.period = period
    }
  }

  /// `HCI_LE_Extended_Create_Connection` [v1] (Core v5.4, Vol 4, Part E, 7.8.66).
  public struct ExtendedCreateConnection: Hashable, Sendable {
    /// How to initiate on one PHY.
    public struct OnePHY: Hashable, Sendable {
      /// Units of 0.625 ms, 0x0004 … 0xFFFF; window ≤ interval.
      public var scanInterval: UInt16
      public var scanWindow: UInt16
      public var parameters: ConnectionParameters

      public init(scanInterval: UInt16, scanWindow: UInt16, parameters: ConnectionParameters) {
        self.scanInterval = scanInterval
        self.scanWindow = scanWindow
        self.parameters = parameters
      }
    }

    /// Connect to a device of the filter accept list instead of `peer`.
    public var usesFilterAcceptList = false
    public var ownAddressType: OwnAddressType = .random
    public var peer: BluetoothAddress
    /// Whether the type octet says that `peer` is an identity address (types 2 and 3).
    public var peerIsIdentity = false
    public var phys: PHYMask
    /// One entry for each bit of `phys`, lowest bit first.
    public var entries: [OnePHY]

    public init(peer: BluetoothAddress, phys: PHYMask, entries: [OnePHY]) {
      self.peer = peer
      self.phys = phys
      self.entries = entries
    }

    /// The entry of one PHY; nil when it is not used.
    public func entry(for phy: PHYMask) -> OnePHY? {
      phys.place(of: phy).flatMap { entries.indices.contains($0) ? entries[$0] : nil }
    }
  }
}

extension HCI.ExtendedScanParameters: WireRecord {
  static let blank = Self(phys: [], entries: [])

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&ownAddressType, &filterPolicy, &phys)
    try pass.list(&entries, count: phys.count)
  }
}

extension HCI.ExtendedScanParameters.OnePHY: WireRecord {
  static let blank = Self(isActive: false, interval: 0, window: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&isActive, &interval, &window)
  }
}

extension HCI.ExtendedScanEnable: WireRecord {
  static let blank = Self(isEnabled: false)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&isEnabled, &duplicateFilter, &duration, &period)
  }
}

extension HCI.ExtendedCreateConnection: WireRecord {
  static let blank = Self(peer: .blank, phys: [], entries: [])

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&usesFilterAcceptList, &ownAddressType)
    try pass.device(&peer, &peerIsIdentity)
    try pass.field(&phys)
    try pass.list(&entries, count: phys.count)
  }
}

extension HCI.ExtendedCreateConnection.OnePHY: WireRecord {
  static let blank = Self(scanInterval: 0, scanWindow: 0, parameters: .blank)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&scanInterval, &scanWindow)
    try parameters.fieldsWithEventLength(&pass)
  }
}
