import BluetoothWire

/// What the controller knows of a command apart from what it does.
struct CommandEntry {
  /// Legacy and extended advertising commands, which a host must not mix (Vol 4, Part E, 3.1.1).
  enum Kind {
    case other, legacy, extended
    /// Asks about advertising of that kind without beginning to use it.
    case legacyQuestion, extendedQuestion
  }

  var opcode: HCI.Opcode
  /// Where `HCI_Read_Local_Supported_Commands` has its bit (Vol 4, Part E, 6.27); nil for that command, which has none.
  var octet: Int?
  var bit: UInt8 = 0
  /// The answer is Command Status rather than Command Complete.
  var answersWithStatus = false
  /// Octets after the status in Command Complete; a failed command has them too, as zeros.
  var returns = 0
  /// The first of them are the connection handle of the command.
  var returnsHandle = false
  var kind = Kind.other
  /// Bits of LE features, without any of which a controller does not have it (Vol 6, Part B, 4.6); none: it always has
  /// it.
  var features: [Int] = []

  func belongs(to features: UInt64) -> Bool {
    self.features.isEmpty || self.features.contains { features >> UInt64($0) & 1 == 1 }
  }
}

/// The commands that the controller executes. One that is not here is an Unknown HCI Command, so the bits of
/// `HCI_Read_Local_Supported_Commands` cannot say anything else.
enum CommandTable {
  static func entry(_ opcode: HCI.Opcode) -> CommandEntry? {
    guard let place = index[opcode.rawValue] else { return nil }
    return entries[place]
  }

  /// The 64 octets of `HCI_Read_Local_Supported_Commands`.
  static func supportedCommands(_ features: UInt64) -> [UInt8] {
    var octets = [UInt8](repeating: 0, count: 64)
    for entry in entries where entry.belongs(to: features) {
      if let octet = entry.octet { octets[octet] |= 1 << entry.bit }
    }
    return octets
  }

  static let entries =
    general + host + legacyLE + links + security + privacy + extended + periodic + subrating
    + syncTransfer + subevents + clocks + power + streams

  private static let index = {
    var places: [UInt16: Int] = [:]
    for (place, entry) in entries.enumerated() { places[entry.opcode.rawValue] = place }
    return places
  }()

  private static func sync(
    _ opcode: HCI.Opcode, _ octet: Int, _ bit: UInt8, returns: Int = 0, _ kind: CommandEntry.Kind = .other,
    features: Int...
  ) -> CommandEntry {
    CommandEntry(opcode: opcode, octet: octet, bit: bit, returns: returns, kind: kind, features: features)
  }

  private static func ofLink(
    _ opcode: HCI.Opcode, _ octet: Int, _ bit: UInt8, returns: Int = 2, features: Int...
  ) -> CommandEntry {
    CommandEntry(opcode: opcode, octet: octet, bit: bit, returns: returns, returnsHandle: true, features: features)
  }

  private static func async(
    _ opcode: HCI.Opcode, _ octet: Int, _ bit: UInt8, _ kind: CommandEntry.Kind = .other, features: Int...
  ) -> CommandEntry {
    CommandEntry(opcode: opcode, octet: octet, bit: bit, answersWithStatus: true, kind: kind, features: features)
  }

  private static let general = [
    sync(.setEventMask, 5, 6), sync(.reset, 5, 7), sync(.setEventMaskPage2, 22, 2),
    sync(.readLocalVersionInformation, 14, 3, returns: 8),
    CommandEntry(opcode: .readLocalSupportedCommands, returns: 64),
    sync(.readLocalSupportedFeatures, 14, 5, returns: 8), sync(.readLocalExtendedFeatures, 14, 6, returns: 10),
    sync(.readBufferSize, 14, 7, returns: 7), sync(.readBDADDR, 15, 1, returns: 6),
    sync(.readLocalSupportedCodecs, 29, 5, returns: 2),
    sync(.leSetEventMask, 25, 0), sync(.leReadBufferSize, 25, 1, returns: 3),
    sync(.leReadLocalSupportedFeatures, 25, 2, returns: 8), sync(.leReadSupportedStates, 28, 3, returns: 8),
    sync(.leReadSuggestedDefaultDataLength, 33, 7, returns: 4), sync(.leWriteSuggestedDefaultDataLength, 34, 0),
    sync(.leReadMaximumDataLength, 35, 3, returns: 8), sync(.leSetDefaultPHY, 35, 5),
    sync(.leReadTransmitPower, 38, 7, returns: 2),
  ]

  private static let host = [
    sync(.writeLocalName, 7, 0), sync(.readLocalName, 7, 1, returns: 248),
    sync(.setControllerToHostFlowControl, 10, 5), sync(.hostBufferSize, 10, 6),
    sync(.hostNumberOfCompletedPackets, 10, 7), sync(.readSimplePairingMode, 17, 5, returns: 1),
    sync(.writeSimplePairingMode, 17, 6), sync(.readLEHostSupport, 24, 5, returns: 2), sync(.writeLEHostSupport, 24, 6),
  ]

  private static let legacyLE = [
    sync(.leSetRandomAddress, 25, 4), sync(.leSetAdvertisingParameters, 25, 5, .legacy),
    sync(.leReadAdvertisingPhysicalChannelTxPower, 25, 6, returns: 1, .legacyQuestion),
    sync(.leSetAdvertisingData, 25, 7, .legacy), sync(.leSetScanResponseData, 26, 0, .legacy),
    sync(.leSetAdvertisingEnable, 26, 1, .legacy), sync(.leSetScanParameters, 26, 2, .legacy),
    sync(.leSetScanEnable, 26, 3, .legacy), async(.leCreateConnection, 26, 4, .legacy),
    sync(.leCreateConnectionCancel, 26, 5), sync(.leReadFilterAcceptListSize, 26, 6, returns: 1),
    sync(.leClearFilterAcceptList, 26, 7), sync(.leAddDeviceToFilterAcceptList, 27, 0),
    sync(.leRemoveDeviceFromFilterAcceptList, 27, 1), sync(.leSetHostChannelClassification, 27, 3),
  ]

  private static let links = [
    async(.disconnect, 0, 5), async(.readRemoteVersionInformation, 2, 7), ofLink(.readRSSI, 15, 5, returns: 3),
    ofLink(.readTransmitPowerLevel, 10, 2, returns: 3), ofLink(.readAuthenticatedPayloadTimeout, 32, 4, returns: 4),
    ofLink(.writeAuthenticatedPayloadTimeout, 32, 5), async(.leConnectionUpdate, 27, 2),
    ofLink(.leReadChannelMap, 27, 4, returns: 7), async(.leReadRemoteFeatures, 27, 5),
    ofLink(.leRemoteConnectionParameterRequestReply, 33, 4),
    ofLink(.leRemoteConnectionParameterRequestNegativeReply, 33, 5), ofLink(.leSetDataLength, 33, 6),
    ofLink(.leReadPHY, 35, 4, returns: 4), async(.leSetPHY, 35, 6),
  ]

  private static let security = [
    sync(.leEncrypt, 27, 6, returns: 16), sync(.leRand, 27, 7, returns: 8), async(.leEnableEncryption, 28, 0),
    ofLink(.leLongTermKeyRequestReply, 28, 1), ofLink(.leLongTermKeyRequestNegativeReply, 28, 2),
    async(.leReadLocalP256PublicKey, 34, 1), async(.leGenerateDHKey, 34, 2), async(.leGenerateDHKeyV2, 41, 2),
  ]

  private static let privacy = [
    sync(.leAddDeviceToResolvingList, 34, 3), sync(.leRemoveDeviceFromResolvingList, 34, 4),
    sync(.leClearResolvingList, 34, 5), sync(.leReadResolvingListSize, 34, 6, returns: 1),
    sync(.leReadPeerResolvableAddress, 34, 7, returns: 6), sync(.leReadLocalResolvableAddress, 35, 0, returns: 6),
    sync(.leSetAddressResolutionEnable, 35, 1), sync(.leSetResolvablePrivateAddressTimeout, 35, 2),
    sync(.leSetPrivacyMode, 39, 2),
  ]

  private static let extended = [
    sync(.leSetAdvertisingSetRandomAddress, 36, 1, .extended),
    sync(.leSetExtendedAdvertisingParameters, 36, 2, returns: 1, .extended),
    sync(.leSetExtendedAdvertisingData, 36, 3, .extended), sync(.leSetExtendedScanResponseData, 36, 4, .extended),
    sync(.leSetExtendedAdvertisingEnable, 36, 5, .extended),
    sync(.leReadMaximumAdvertisingDataLength, 36, 6, returns: 2, .extendedQuestion),
    sync(.leReadNumberOfSupportedAdvertisingSets, 36, 7, returns: 1, .extendedQuestion),
    sync(.leRemoveAdvertisingSet, 37, 0, .extended), sync(.leClearAdvertisingSets, 37, 1, .extended),
    sync(.leSetExtendedScanParameters, 37, 5, .extended), sync(.leSetExtendedScanEnable, 37, 6, .extended),
    async(.leExtendedCreateConnection, 37, 7, .extended),
  ]

  private static let periodic = [
    sync(.leSetPeriodicAdvertisingParameters, 37, 2, .extended), sync(.leSetPeriodicAdvertisingData, 37, 3, .extended),
    sync(.leSetPeriodicAdvertisingEnable, 37, 4, .extended),
    async(.lePeriodicAdvertisingCreateSync, 38, 0, .extended),
    sync(.lePeriodicAdvertisingCreateSyncCancel, 38, 1, .extended),
    sync(.lePeriodicAdvertisingTerminateSync, 38, 2, .extended),
    sync(.leAddDeviceToPeriodicAdvertiserList, 38, 3, .extended),
    sync(.leRemoveDeviceFromPeriodicAdvertiserList, 38, 4, .extended),
    sync(.leClearPeriodicAdvertiserList, 38, 5, .extended),
    sync(.leReadPeriodicAdvertiserListSize, 38, 6, returns: 1, .extendedQuestion),
    sync(.leSetPeriodicAdvertisingReceiveEnable, 40, 5),
  ]

  private static let subrating = [
    sync(.leSetHostFeature, 44, 1, features: 37, 28, 29),
    sync(.leSetDefaultSubrate, 46, 0, features: 37),
    async(.leSubrateRequest, 46, 1, features: 37),
  ]

  private static let subevents = [
    sync(.leSetPeriodicAdvertisingSubeventData, 46, 5, returns: 1, .extended, features: 43),
    sync(.leSetPeriodicAdvertisingResponseData, 46, 6, returns: 2, features: 44),
    sync(.leSetPeriodicSyncSubevent, 46, 7, returns: 2, features: 44),
    sync(.leSetPeriodicAdvertisingParametersV2, 47, 1, returns: 1, .extended, features: 43),
  ]

  private static let clocks = [
    sync(.leModifySleepClockAccuracy, 41, 4, features: 26),
    async(.leRequestPeerSCA, 43, 2, features: 26),
  ]

  private static let power = [
    sync(.leReadRFPathCompensation, 39, 0, returns: 4), sync(.leWriteRFPathCompensation, 39, 1),
    ofLink(.leEnhancedReadTransmitPowerLevel, 44, 3, returns: 5, features: 33),
    async(.leReadRemoteTransmitPowerLevel, 44, 4, features: 33),
    ofLink(.leSetPathLossReportingParameters, 44, 5, features: 35),
    ofLink(.leSetPathLossReportingEnable, 44, 6, features: 35),
    ofLink(.leSetTransmitPowerReportingEnable, 44, 7, features: 33),
  ]

  private static let streams = [
    sync(.leReadBufferSizeV2, 41, 5, returns: 6, features: 28, 29),
    ofLink(.leReadISOTXSync, 41, 6, returns: 11, features: 28, 29),
    sync(.leSetCIGParameters, 41, 7, returns: 2, features: 28),
    sync(.leSetCIGParametersTest, 42, 0, returns: 2, features: 28), async(.leCreateCIS, 42, 1, features: 28),
    sync(.leRemoveCIG, 42, 2, returns: 1, features: 28), async(.leAcceptCISRequest, 42, 3, features: 29),
    ofLink(.leRejectCISRequest, 42, 4, features: 29), ofLink(.leSetupISODataPath, 43, 3, features: 28, 29),
    ofLink(.leRemoveISODataPath, 43, 4, features: 28, 29), ofLink(.leISOTransmitTest, 43, 5, features: 28, 29),
    ofLink(.leISOReceiveTest, 43, 6, features: 28, 29),
    ofLink(.leISOReadTestCounters, 43, 7, returns: 14, features: 28, 29),
    ofLink(.leISOTestEnd, 44, 0, returns: 14, features: 28, 29),
    ofLink(.leReadISOLinkQuality, 44, 2, returns: 30, features: 28, 29),
  ]

  private static let syncTransfer = [
    ofLink(.lePeriodicAdvertisingSyncTransfer, 40, 6, features: 24),
    ofLink(.lePeriodicAdvertisingSetInfoTransfer, 40, 7, features: 24),
    ofLink(.leSetPeriodicAdvertisingSyncTransferParameters, 41, 0, features: 25),
    sync(.leSetDefaultPeriodicAdvertisingSyncTransferParameters, 41, 1, features: 25),
  ]
}

extension HCI.Opcode {
  /// `HCI_Read_Local_Supported_Codecs` [v1]: there are none (Vol 4, Part E, 7.4.8).
  static let readLocalSupportedCodecs = HCI.Opcode(ogf: 0x04, ocf: 0x0B)
}
