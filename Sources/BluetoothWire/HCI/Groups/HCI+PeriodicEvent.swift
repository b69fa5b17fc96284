extension HCI {
  /// Events of periodic advertising (Core v5.4, Vol 4, Part E, 7.7.65.14 … 7.7.65.16, 7.7.65.24, 7.7.65.36,
  /// 7.7.65.37): version 1, and version 2 with subevents.
  public enum PeriodicEvent: Hashable, Sendable {
    case lePeriodicAdvertisingSyncEstablished(PeriodicSyncEstablished)
    case lePeriodicAdvertisingReport(PeriodicAdvertisingReport)
    case lePeriodicAdvertisingSyncLost(SyncHandle)
    case lePeriodicAdvertisingSyncTransferReceived(SyncTransferReceived)
    case lePeriodicAdvertisingSyncEstablishedV2(PeriodicSyncEstablished, SubeventTiming)
    case lePeriodicAdvertisingReportV2(SubeventReport)
    case lePeriodicAdvertisingSyncTransferReceivedV2(SyncTransferReceived, SubeventTiming)
    /// The data of as many subevents are wanted; after the last subevent comes the first one.
    case lePeriodicAdvertisingSubeventDataRequest(AdvertisingHandle, first: UInt8, count: UInt8)
    case lePeriodicAdvertisingResponseReport(SubeventResponses)
  }

  /// `HCI_LE_Periodic_Advertising_Sync_Transfer_Received` [v1]: a peer has told of a train.
  public struct SyncTransferReceived: Hashable, Sendable {
    public var connection: ConnectionHandle
    /// As the peer's host gave it.
    public var serviceData: UInt16
    public var sync: PeriodicSyncEstablished

    public init(connection: ConnectionHandle, serviceData: UInt16, sync: PeriodicSyncEstablished) {
      self.connection = connection
      self.serviceData = serviceData
      self.sync = sync
    }
  }

  /// `HCI_LE_Periodic_Advertising_Sync_Established` [v1]; without success only the status counts.
  public struct PeriodicSyncEstablished: Hashable, Sendable {
    public var status: ErrorCode
    public var handle: SyncHandle = 0
    public var sid: UInt8 = 0
    public var address: PeerAddress
    public var phy = AdvertisingPHY.le1M
    /// Units of 1.25 ms.
    public var interval: UInt16 = 0
    /// 0 … 7, from 500 ppm to 20 ppm.
    public var clockAccuracy: UInt8 = 0

    public init(status: ErrorCode, address: PeerAddress) {
      self.status = status
      self.address = address
    }
  }

  /// `HCI_LE_Periodic_Advertising_Report` [v1].
  public struct PeriodicAdvertisingReport: Hashable, Sendable {
    /// Octets of data of one report.
    public static let maximumLength = 247
    /// What `cteType` holds without a Constant Tone Extension.
    public static let noCTE: UInt8 = 0xFF

    /// Open: unknown numbers survive.
    public struct Status: RawRepresentable, Hashable, Sendable {
      public let rawValue: UInt8
      public init(rawValue: UInt8) { self.rawValue = rawValue }

      public static let complete = Status(rawValue: 0)
      /// More data come in another report.
      public static let incomplete = Status(rawValue: 1)
      /// The rest was not received.
      public static let truncated = Status(rawValue: 2)
      /// Nothing was received; version 2 only.
      public static let missed = Status(rawValue: 0xFF)
    }

    public var handle: SyncHandle
    /// dBm; 127: not known.
    public var txPower: Int8 = 127
    /// dBm; 127: not known.
    public var rssi: Int8
    public var cteType = noCTE
    public var status: Status
    /// At most 247 octets.
    public var data: [UInt8]

    public init(handle: SyncHandle, rssi: Int8, status: Status, data: [UInt8]) {
      self.handle = handle
      self.rssi = rssi
      self.status = status
      self.data = data
    }
  }
}

extension HCI.PeriodicAdvertisingReport.Status: WireNumber {}

extension HCI.PeriodicEvent: FormedPDU {
  typealias Code = HCI.EventCode

  static let blanks: [Self] = [
    .lePeriodicAdvertisingSyncEstablished(.blank), .lePeriodicAdvertisingReport(.blank),
    .lePeriodicAdvertisingSyncLost(0), .lePeriodicAdvertisingSyncTransferReceived(.blank),
    .lePeriodicAdvertisingSyncEstablishedV2(.blank, .blank), .lePeriodicAdvertisingReportV2(.blank),
    .lePeriodicAdvertisingSyncTransferReceivedV2(.blank, .blank),
    .lePeriodicAdvertisingSubeventDataRequest(0, first: 0, count: 0), .lePeriodicAdvertisingResponseReport(.blank),
  ]

  func declare(_ form: inout PDUForm<Self>) {
    switch self {
    case .lePeriodicAdvertisingSyncEstablished(let sync):
      form(0x3E0E, Self.lePeriodicAdvertisingSyncEstablished, sync)
    case .lePeriodicAdvertisingReport(let report): form(0x3E0F, Self.lePeriodicAdvertisingReport, report)
    case .lePeriodicAdvertisingSyncLost(let sync): form(0x3E10, Self.lePeriodicAdvertisingSyncLost, sync)
    case .lePeriodicAdvertisingSyncTransferReceived(let received):
      form(0x3E18, Self.lePeriodicAdvertisingSyncTransferReceived, received)
    case .lePeriodicAdvertisingSyncEstablishedV2(let sync, let timing):
      form(0x3E24, Self.lePeriodicAdvertisingSyncEstablishedV2, sync, timing)
    case .lePeriodicAdvertisingReportV2(let report): form(0x3E25, Self.lePeriodicAdvertisingReportV2, report)
    case .lePeriodicAdvertisingSyncTransferReceivedV2(let received, let timing):
      form(0x3E26, Self.lePeriodicAdvertisingSyncTransferReceivedV2, received, timing)
    case .lePeriodicAdvertisingSubeventDataRequest(let set, let first, let count):
      form(
        0x3E27, { .lePeriodicAdvertisingSubeventDataRequest($0, first: $1, count: $2) }, set, first, count)
    case .lePeriodicAdvertisingResponseReport(let responses):
      form(0x3E28, Self.lePeriodicAdvertisingResponseReport, responses)
    }
  }
}

extension HCI.PeriodicSyncEstablished: WireRecord {
  static let blank = Self(status: .success, address: HCI.PeerAddress(.blank))

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.field(&status)
    try train(&pass)
  }

  /// What the event of a transfer has as well.
  fileprivate mutating func train<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&handle, &sid, &address)
    try pass.fields(&phy, &interval, &clockAccuracy)
  }
}

extension HCI.PeriodicAdvertisingReport: WireRecord {
  static let blank = Self(handle: 0, rssi: 0, status: .complete, data: [])

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&handle, &txPower, &rssi)
    try pass.fields(&cteType, &status)
    try pass.field(&data, as: CountedOctets<247>.init, \.value)
  }
}

extension HCI.SyncTransferReceived: WireRecord {
  static let blank = Self(connection: 0, serviceData: 0, sync: .blank)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&sync.status, &connection, &serviceData)
    try sync.train(&pass)
  }
}
