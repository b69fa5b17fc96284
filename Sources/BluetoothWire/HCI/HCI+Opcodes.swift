extension HCI.Opcode {
  public init(ogf: UInt16, ocf: UInt16) { self.init(rawValue: ogf << 10 | ocf & 0x3FF) }

  // Link control, OGF 0x01 (Core v5.4, Vol 4, Part E, 7.1).
  public static let disconnect = HCI.Opcode(ogf: 0x01, ocf: 0x06)
  public static let readRemoteVersionInformation = HCI.Opcode(ogf: 0x01, ocf: 0x1D)
  // Controller and baseband, OGF 0x03 (7.3).
  public static let setEventMask = HCI.Opcode(ogf: 0x03, ocf: 0x01)
  public static let reset = HCI.Opcode(ogf: 0x03, ocf: 0x03)
  // Informational parameters, OGF 0x04 (7.4).
  public static let readLocalVersionInformation = HCI.Opcode(ogf: 0x04, ocf: 0x01)
  public static let readLocalSupportedCommands = HCI.Opcode(ogf: 0x04, ocf: 0x02)
  public static let readLocalSupportedFeatures = HCI.Opcode(ogf: 0x04, ocf: 0x03)
  public static let readBDADDR = HCI.Opcode(ogf: 0x04, ocf: 0x09)
  // Status parameters, OGF 0x05 (7.5).
  public static let readRSSI = HCI.Opcode(ogf: 0x05, ocf: 0x05)
  // LE controller, OGF 0x08 (7.8).
  public static let leSetEventMask = HCI.Opcode(ogf: 0x08, ocf: 0x01)
  public static let leReadBufferSize = HCI.Opcode(ogf: 0x08, ocf: 0x02)
  public static let leReadLocalSupportedFeatures = HCI.Opcode(ogf: 0x08, ocf: 0x03)
  public static let leSetRandomAddress = HCI.Opcode(ogf: 0x08, ocf: 0x05)
  public static let leSetAdvertisingParameters = HCI.Opcode(ogf: 0x08, ocf: 0x06)
  public static let leSetAdvertisingData = HCI.Opcode(ogf: 0x08, ocf: 0x08)
  public static let leSetScanResponseData = HCI.Opcode(ogf: 0x08, ocf: 0x09)
  public static let leSetAdvertisingEnable = HCI.Opcode(ogf: 0x08, ocf: 0x0A)
  public static let leSetScanParameters = HCI.Opcode(ogf: 0x08, ocf: 0x0B)
  public static let leSetScanEnable = HCI.Opcode(ogf: 0x08, ocf: 0x0C)
  public static let leCreateConnection = HCI.Opcode(ogf: 0x08, ocf: 0x0D)
  public static let leCreateConnectionCancel = HCI.Opcode(ogf: 0x08, ocf: 0x0E)
  public static let leReadFilterAcceptListSize = HCI.Opcode(ogf: 0x08, ocf: 0x0F)
  public static let leClearFilterAcceptList = HCI.Opcode(ogf: 0x08, ocf: 0x10)
  public static let leAddDeviceToFilterAcceptList = HCI.Opcode(ogf: 0x08, ocf: 0x11)
  public static let leRemoveDeviceFromFilterAcceptList = HCI.Opcode(ogf: 0x08, ocf: 0x12)
  public static let leConnectionUpdate = HCI.Opcode(ogf: 0x08, ocf: 0x13)
  public static let leSetHostChannelClassification = HCI.Opcode(ogf: 0x08, ocf: 0x14)
  public static let leReadChannelMap = HCI.Opcode(ogf: 0x08, ocf: 0x15)
  public static let leReadRemoteFeatures = HCI.Opcode(ogf: 0x08, ocf: 0x16)
  public static let leRemoteConnectionParameterRequestReply = HCI.Opcode(ogf: 0x08, ocf: 0x20)
  public static let leRemoteConnectionParameterRequestNegativeReply = HCI.Opcode(ogf: 0x08, ocf: 0x21)
  public static let leSetDataLength = HCI.Opcode(ogf: 0x08, ocf: 0x22)
  public static let leReadSuggestedDefaultDataLength = HCI.Opcode(ogf: 0x08, ocf: 0x23)
  public static let leWriteSuggestedDefaultDataLength = HCI.Opcode(ogf: 0x08, ocf: 0x24)
  public static let leReadMaximumDataLength = HCI.Opcode(ogf: 0x08, ocf: 0x2F)
  public static let leReadPHY = HCI.Opcode(ogf: 0x08, ocf: 0x30)
  public static let leSetDefaultPHY = HCI.Opcode(ogf: 0x08, ocf: 0x31)
  public static let leSetPHY = HCI.Opcode(ogf: 0x08, ocf: 0x32)
}
