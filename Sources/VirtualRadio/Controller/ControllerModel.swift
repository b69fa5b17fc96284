import BluetoothWire

/// What a real controller says of itself, as a host reads it: version, commands, features, buffers, lists.
///
/// A host sees what the real one says, as far as ours keeps it: of its commands and features those that the controller
/// here has too. BR/EDR, ISO and vendor commands are left out (Docs/hci.md, “Real controllers”). Where nothing public
/// says a value, it is nil, and the controller's own holds.
public struct ControllerModel: Hashable, Sendable {
  /// What a scenario writes, for example `rtl8761bu`.
  public var name: String
  /// `HCI_Version` and `LMP_Version` (Assigned Numbers, 2.1).
  public var version: UInt8
  /// `HCI_Subversion`.
  public var hciSubversion: UInt16
  /// `LMP_Subversion`.
  public var lmpSubversion: UInt16
  /// Assigned Numbers, 7.1.
  public var company: UInt16
  /// The 64 octets of `HCI_Read_Local_Supported_Commands`.
  public var commands: [UInt8]
  /// `HCI_LE_Read_Local_Supported_Features`.
  public var features: UInt64
  /// LE_ACL_Data_Packet_Length and Total_Num_LE_ACL_Data_Packets; those of `HCI_Read_Buffer_Size` where shared.
  public var aclOctets: Int
  public var aclCount: Int
  /// LE has no buffers of its own: `HCI_LE_Read_Buffer_Size` answers zeros (Vol 4, Part E, 7.8.2).
  public var sharesBuffers = false
  public var filterAcceptListSize: Int?
  public var resolvingListSize: Int?
  /// More than our controller has are not told.
  public var advertisingSets: Int?
  /// Octets of advertising data in a set.
  public var advertisingData: Int?

  public init(
    name: String, version: UInt8, hciSubversion: UInt16, lmpSubversion: UInt16, company: UInt16, commands: [UInt8],
    features: UInt64, aclOctets: Int, aclCount: Int
  ) {
    self.name = name
    self.version = version
    self.hciSubversion = hciSubversion
    self.lmpSubversion = lmpSubversion
    self.company = company
    self.commands = commands
    self.features = features
    self.aclOctets = aclOctets
    self.aclCount = aclCount
  }

  /// Whether it has a feature of LE (Vol 6, Part B, 4.6).
  func has(feature bit: Int) -> Bool { features >> UInt64(bit) & 1 == 1 }

  func has(_ entry: CommandEntry) -> Bool {
    guard let octet = entry.octet, octet < commands.count else { return true }
    return commands[octet] >> entry.bit & 1 == 1
  }

  /// Octets from hexadecimal digits of a capture, in lines.
  static func octets(_ digits: String) -> [UInt8] { [UInt8](hexadecimalDigits: digits.filter { $0 != "\n" })! }
}

extension PhonePreset {
  /// Takes the controller of a model: its buffers and what its radio can do.
  public mutating func take(_ model: ControllerModel) {
    radio.controller = model
    buffers.aclCount = model.aclCount
    buffers.aclOctets = model.aclOctets
    radio.maximumDataOctets = model.has(feature: 5) ? 251 : 27
    radio.updatesDataLengthAutomatically = radio.updatesDataLengthAutomatically && model.has(feature: 5)
    radio.supports2M = model.has(feature: 8)
    radio.prefers2M = radio.prefers2M && model.has(feature: 8)
    radio.supportsCoded = model.has(feature: 11)
    radio.supportsChannelSelection2 = model.has(feature: 14)
  }
}

extension Controller {
  private var model: ControllerModel? { radio.configuration.model }

  /// Whether the controller knows a command of the table.
  func knows(_ entry: CommandEntry) -> Bool {
    entry.belongs(to: linkFeatures) && (model?.has(entry) ?? true)
  }

  /// `HCI_Read_Local_Supported_Commands`.
  var supportedCommands: [UInt8] {
    let own = CommandTable.supportedCommands(linkFeatures)
    return model.map { zip(own, $0.commands).map { $0 & $1 } } ?? own
  }

  /// `HCI_Read_Local_Version_Information`, without the status.
  var versionInformation: [UInt8] {
    guard let model else {
      return [Self.version] + little(Self.subversion) + [Self.version] + little(Self.companyIdentifier)
        + little(Self.subversion)
    }
    return [model.version] + little(model.hciSubversion) + [model.version] + little(model.company)
      + little(model.lmpSubversion)
  }

  /// As LL_VERSION_IND tells.
  var linkVersion: (version: UInt8, company: UInt16, subversion: UInt16) {
    model.map { ($0.version, $0.company, $0.lmpSubversion) } ?? (Self.version, Self.companyIdentifier, Self.subversion)
  }

  /// `HCI_LE_Read_Buffer_Size`, without the status.
  var bufferSize: [UInt8] {
    if model?.sharesBuffers == true { return [0, 0, 0] }
    return little(UInt16(radio.configuration.aclBufferLength)) + [UInt8(clamping: radio.configuration.aclBuffers)]
  }

  /// `HCI_LE_Read_Local_Supported_Features`.
  var hostFeatures: [UInt8] {
    let hostOnly = Self.hostVisibleFeatures & (model?.features ?? .max)
    return little(linkFeatures | hostOnly, octets: 8)
  }

  var filterAcceptListSize: Int { model?.filterAcceptListSize ?? Self.filterAcceptListSize }
  var resolvingListSize: Int { model?.resolvingListSize ?? ResolvingList.capacity }
  var maximumAdvertisingData: Int { model?.advertisingData ?? LL.maximumExtendedData }
  var advertisingSetCount: Int { min(model?.advertisingSets ?? .max, Radio.advertisingSets) }
}
