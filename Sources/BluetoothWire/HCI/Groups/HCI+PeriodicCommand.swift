extension HCI {
  /// Periodic advertising: trains, and synchronisation with them (Core v5.4, Vol 4, Part E, 7.8.61 … 7.8.63, 7.8.67 …
  /// 7.8.73, 7.8.88 … 7.8.92, 7.8.125 … 7.8.127).
  public enum PeriodicCommand: Hashable, Sendable {
    case leSetPeriodicAdvertisingParameters(PeriodicAdvertisingParameters)
    /// At most 252 octets.
    case leSetPeriodicAdvertisingData(AdvertisingHandle, AdvertisingDataFragment.Operation, [UInt8])
    case leSetPeriodicAdvertisingEnable(PeriodicEnable, AdvertisingHandle)
    case lePeriodicAdvertisingCreateSync(PeriodicSyncCreation)
    case lePeriodicAdvertisingCreateSyncCancel
    case lePeriodicAdvertisingTerminateSync(SyncHandle)
    case leAddDeviceToPeriodicAdvertiserList(PeriodicAdvertiser)
    case leRemoveDeviceFromPeriodicAdvertiserList(PeriodicAdvertiser)
    case leClearPeriodicAdvertiserList
    case leReadPeriodicAdvertiserListSize
    case leSetPeriodicAdvertisingReceiveEnable(SyncHandle, PeriodicEnable)
    /// Tells the peer of a train that the controller is synchronised with.
    case lePeriodicAdvertisingSyncTransfer(ConnectionHandle, serviceData: UInt16, SyncHandle)
    /// Tells the peer of a train of the controller itself.
    case lePeriodicAdvertisingSetInfoTransfer(ConnectionHandle, serviceData: UInt16, AdvertisingHandle)
    case leSetPeriodicAdvertisingSyncTransferParameters(ConnectionHandle, SyncTransferParameters)
    case leSetDefaultPeriodicAdvertisingSyncTransferParameters(SyncTransferParameters)
    /// With subevents and slots for responses.
    case leSetPeriodicAdvertisingParametersV2(PeriodicAdvertisingParameters, SubeventParameters)
    /// 1 … 15 of them; those that do not fit into a command are left out.
    case leSetPeriodicAdvertisingSubeventData(AdvertisingHandle, [SubeventData])
    case leSetPeriodicAdvertisingResponseData(SubeventAnswer)
    case leSetPeriodicSyncSubevent(SubeventChoice)
  }

  /// What a controller does with trains that a peer tells it of (Core v5.4, Vol 4, Part E, 7.8.91, 7.8.92).
  public struct SyncTransferParameters: Hashable, Sendable {
    /// 0: nothing; 1: synchronises, without reports; 2: with reports; 3: with reports and without duplicates.
    public var mode: UInt8
    /// Periodic advertising events that may be left out after one that was received, 0 … 499.
    public var skip: UInt16
    /// Units of 10 ms, 0x000A … 0x4000.
    public var timeout: UInt16
    /// As in `PeriodicSyncCreation`.
    public var cteType: UInt8 = 0

    public init(mode: UInt8, skip: UInt16 = 0, timeout: UInt16) {
      self.mode = mode
      self.skip = skip
      self.timeout = timeout
    }
  }

  /// A controller's number of a train that it is synchronised with, 0x0000 … 0x0EFF.
  public typealias SyncHandle = UInt16

  /// `Enable` of a train, or of its reports. Reserved bits survive.
  public struct PeriodicEnable: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let on = PeriodicEnable(rawValue: 1 << 0)
    /// ADI in AUX_SYNC_IND; of reports: no duplicates by it.
    public static let dataInfo = PeriodicEnable(rawValue: 1 << 1)
  }

  /// `HCI_LE_Set_Periodic_Advertising_Parameters` [v1] (Core v5.4, Vol 4, Part E, 7.8.61).
  public struct PeriodicAdvertisingParameters: Hashable, Sendable {
    public var set: AdvertisingHandle
    /// Units of 1.25 ms, 0x0006 … 0xFFFF.
    public var intervalMinimum: UInt16
    public var intervalMaximum: UInt16
    /// Bit 6: TxPower is included.
    public var properties: UInt16 = 0

    public init(set: AdvertisingHandle, intervalMinimum: UInt16, intervalMaximum: UInt16) {
      self.set = set
      self.intervalMinimum = intervalMinimum
      self.intervalMaximum = intervalMaximum
    }

    public var includesTxPower: Bool { properties & 1 << 6 != 0 }
  }

  /// A set of another device, as the Periodic Advertiser List has it (Core v5.4, Vol 4, Part E, 7.8.70).
  public struct PeriodicAdvertiser: Hashable, Sendable {
    /// An identity address has the type of the address that it is.
    public var address: BluetoothAddress
    /// Advertising set identifier, 0x00 … 0x0F.
    public var sid: UInt8

    public init(address: BluetoothAddress, sid: UInt8) {
      self.address = address
      self.sid = sid
    }
  }

  /// `HCI_LE_Periodic_Advertising_Create_Sync` (Core v5.4, Vol 4, Part E, 7.8.67).
  public struct PeriodicSyncCreation: Hashable, Sendable {
    public struct Options: OptionSet, Hashable, Sendable {
      public let rawValue: UInt8
      public init(rawValue: UInt8) { self.rawValue = rawValue }

      /// The Periodic Advertiser List counts, in place of the advertiser.
      public static let usesList = Options(rawValue: 1 << 0)
      public static let reportsNothing = Options(rawValue: 1 << 1)
      public static let filtersDuplicates = Options(rawValue: 1 << 2)
    }

    public var options: Options = []
    public var advertiser: PeriodicAdvertiser
    /// Periodic advertising events that may be left out after one that was received, 0 … 499.
    public var skip: UInt16 = 0
    /// Units of 10 ms, 0x000A … 0x4000.
    public var timeout: UInt16
    /// Bits 0 … 4: trains with a Constant Tone Extension of a type, or with none, are left out.
    public var cteType: UInt8 = 0

    public init(advertiser: PeriodicAdvertiser, timeout: UInt16) {
      self.advertiser = advertiser
      self.timeout = timeout
    }
  }
}

extension HCI.Opcode {
  public static let leSetPeriodicAdvertisingParameters = HCI.Opcode(ogf: 0x08, ocf: 0x3E)
  public static let leSetPeriodicAdvertisingData = HCI.Opcode(ogf: 0x08, ocf: 0x3F)
  public static let leSetPeriodicAdvertisingEnable = HCI.Opcode(ogf: 0x08, ocf: 0x40)
  public static let lePeriodicAdvertisingCreateSync = HCI.Opcode(ogf: 0x08, ocf: 0x44)
  public static let lePeriodicAdvertisingCreateSyncCancel = HCI.Opcode(ogf: 0x08, ocf: 0x45)
  public static let lePeriodicAdvertisingTerminateSync = HCI.Opcode(ogf: 0x08, ocf: 0x46)
  public static let leAddDeviceToPeriodicAdvertiserList = HCI.Opcode(ogf: 0x08, ocf: 0x47)
  public static let leRemoveDeviceFromPeriodicAdvertiserList = HCI.Opcode(ogf: 0x08, ocf: 0x48)
  public static let leClearPeriodicAdvertiserList = HCI.Opcode(ogf: 0x08, ocf: 0x49)
  public static let leReadPeriodicAdvertiserListSize = HCI.Opcode(ogf: 0x08, ocf: 0x4A)
  public static let leSetPeriodicAdvertisingReceiveEnable = HCI.Opcode(ogf: 0x08, ocf: 0x59)
  public static let lePeriodicAdvertisingSyncTransfer = HCI.Opcode(ogf: 0x08, ocf: 0x5A)
  public static let lePeriodicAdvertisingSetInfoTransfer = HCI.Opcode(ogf: 0x08, ocf: 0x5B)
  public static let leSetPeriodicAdvertisingSyncTransferParameters = HCI.Opcode(ogf: 0x08, ocf: 0x5C)
  public static let leSetDefaultPeriodicAdvertisingSyncTransferParameters = HCI.Opcode(ogf: 0x08, ocf: 0x5D)
}

extension HCI.PeriodicCommand {
  /// The connection this command is about.
  var connectionHandle: HCI.ConnectionHandle? {
    switch self {
    case .lePeriodicAdvertisingSyncTransfer(let handle, _, _), .lePeriodicAdvertisingSetInfoTransfer(let handle, _, _),
      .leSetPeriodicAdvertisingSyncTransferParameters(let handle, _):
      handle
    default: nil
    }
  }
}

extension HCI.PeriodicEnable: WireNumber {}
extension HCI.PeriodicSyncCreation.Options: WireNumber {}

extension HCI.PeriodicCommand: FormedPDU {
  typealias Code = HCI.Opcode

  static let blanks: [Self] = [
    .leSetPeriodicAdvertisingParameters(.blank), .leSetPeriodicAdvertisingData(0, .complete, []),
    .leSetPeriodicAdvertisingEnable([], 0), .lePeriodicAdvertisingCreateSync(.blank),
    .lePeriodicAdvertisingCreateSyncCancel, .lePeriodicAdvertisingTerminateSync(0),
    .leAddDeviceToPeriodicAdvertiserList(.blank), .leRemoveDeviceFromPeriodicAdvertiserList(.blank),
    .leClearPeriodicAdvertiserList, .leReadPeriodicAdvertiserListSize, .leSetPeriodicAdvertisingReceiveEnable(0, []),
    .lePeriodicAdvertisingSyncTransfer(0, serviceData: 0, 0),
    .lePeriodicAdvertisingSetInfoTransfer(0, serviceData: 0, 0),
    .leSetPeriodicAdvertisingSyncTransferParameters(0, .blank),
    .leSetDefaultPeriodicAdvertisingSyncTransferParameters(.blank),
    .leSetPeriodicAdvertisingParametersV2(.blank, .blank), .leSetPeriodicAdvertisingSubeventData(0, []),
    .leSetPeriodicAdvertisingResponseData(.blank), .leSetPeriodicSyncSubevent(.blank),
  ]

  func declare(_ form: inout PDUForm<Self>) {
    switch self {
    case .leSetPeriodicAdvertisingParameters(let parameters):
      form(.leSetPeriodicAdvertisingParameters, Self.leSetPeriodicAdvertisingParameters, parameters)
    case .leSetPeriodicAdvertisingData(let set, let operation, let data):
      form(
        .leSetPeriodicAdvertisingData, { .leSetPeriodicAdvertisingData($0, $1, $2.value) }, set, operation,
        CountedOctets<252>(data))
    case .leSetPeriodicAdvertisingEnable(let enable, let set):
      form(.leSetPeriodicAdvertisingEnable, Self.leSetPeriodicAdvertisingEnable, enable, set)
    case .lePeriodicAdvertisingCreateSync(let creation):
      form(.lePeriodicAdvertisingCreateSync, Self.lePeriodicAdvertisingCreateSync, creation)
    case .lePeriodicAdvertisingCreateSyncCancel: form(.lePeriodicAdvertisingCreateSyncCancel)
    case .lePeriodicAdvertisingTerminateSync(let sync):
      form(.lePeriodicAdvertisingTerminateSync, Self.lePeriodicAdvertisingTerminateSync, sync)
    case .leAddDeviceToPeriodicAdvertiserList(let advertiser):
      form(.leAddDeviceToPeriodicAdvertiserList, Self.leAddDeviceToPeriodicAdvertiserList, advertiser)
    case .leRemoveDeviceFromPeriodicAdvertiserList(let advertiser):
      form(.leRemoveDeviceFromPeriodicAdvertiserList, Self.leRemoveDeviceFromPeriodicAdvertiserList, advertiser)
    case .leClearPeriodicAdvertiserList: form(.leClearPeriodicAdvertiserList)
    case .leReadPeriodicAdvertiserListSize: form(.leReadPeriodicAdvertiserListSize)
    case .leSetPeriodicAdvertisingReceiveEnable(let sync, let enable):
      form(.leSetPeriodicAdvertisingReceiveEnable, Self.leSetPeriodicAdvertisingReceiveEnable, sync, enable)
    case .lePeriodicAdvertisingSyncTransfer(let handle, let service, let sync):
      form(.lePeriodicAdvertisingSyncTransfer, Self.lePeriodicAdvertisingSyncTransfer, handle, service, sync)
    case .lePeriodicAdvertisingSetInfoTransfer(let handle, let service, let set):
      form(.lePeriodicAdvertisingSetInfoTransfer, Self.lePeriodicAdvertisingSetInfoTransfer, handle, service, set)
    case .leSetPeriodicAdvertisingSyncTransferParameters(let handle, let parameters):
      form(
        .leSetPeriodicAdvertisingSyncTransferParameters, Self.leSetPeriodicAdvertisingSyncTransferParameters, handle,
        parameters)
    case .leSetDefaultPeriodicAdvertisingSyncTransferParameters(let parameters):
      form(
        .leSetDefaultPeriodicAdvertisingSyncTransferParameters,
        Self.leSetDefaultPeriodicAdvertisingSyncTransferParameters, parameters)
    case .leSetPeriodicAdvertisingParametersV2(let parameters, let subevents):
      form(
        .leSetPeriodicAdvertisingParametersV2, Self.leSetPeriodicAdvertisingParametersV2, parameters, subevents)
    case .leSetPeriodicAdvertisingSubeventData(let set, let list):
      form(
        .leSetPeriodicAdvertisingSubeventData, { .leSetPeriodicAdvertisingSubeventData($0, $1.value) }, set,
        FittingList<HCI.SubeventData, 253>(list))
    case .leSetPeriodicAdvertisingResponseData(let answer):
      form(.leSetPeriodicAdvertisingResponseData, Self.leSetPeriodicAdvertisingResponseData, answer)
    case .leSetPeriodicSyncSubevent(let choice):
      form(.leSetPeriodicSyncSubevent, Self.leSetPeriodicSyncSubevent, choice)
    }
  }
}

extension HCI.PeriodicAdvertisingParameters: WireRecord {
  static let blank = Self(set: 0, intervalMinimum: 0, intervalMaximum: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&set, &intervalMinimum, &intervalMaximum, &properties)
  }
}

extension HCI.PeriodicAdvertiser: WireRecord {
  static let blank = Self(address: .blank, sid: 0)
  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) { try pass.fields(&address, &sid) }
}

extension HCI.PeriodicSyncCreation: WireRecord {
  static let blank = Self(advertiser: .blank, timeout: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&options, &advertiser.sid, &advertiser.address)
    try pass.fields(&skip, &timeout, &cteType)
  }
}

extension HCI.SyncTransferParameters: WireRecord {
  static let blank = Self(mode: 0, timeout: 0)
  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&mode, &skip, &timeout, &cteType)
  }
}
