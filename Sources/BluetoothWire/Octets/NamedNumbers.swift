// Fields that are a number with a name of its own.

extension BluetoothAddress.Kind: WireChoice {}

extension HCI.Opcode: WireNumber {}
extension HCI.Role: WireChoice {}
extension HCI.OwnAddressType: WireChoice {}
extension HCI.PrivacyMode: WireChoice {}
extension HCI.PHYMask: WireNumber {}
extension HCI.PHYOptions: WireNumber {}
extension HCI.AdvertisingParameters.Kind: WireChoice {}
extension HCI.AdvertisingReport.Kind: WireChoice {}
extension HCI.AdvertisingEventProperties: WireNumber {}
extension HCI.AdvertisingDataFragment.Operation: WireChoice {}
extension HCI.ExtendedScanEnable.DuplicateFilter: WireChoice {}
extension HCI.ExtendedAdvertisingReport.EventType: WireNumber {}

extension HCI.ErrorCode: WireNumber {
  init(rawValue: UInt8) { self.init(rawValue) }
}

extension HCI.AdvertisingPHY: WireNumber {
  init(rawValue: UInt8) { self.init(rawValue) }
}

extension HCI.PeerAddress.Kind: WireNumber {
  init(rawValue: UInt8) { self.init(rawValue) }
}

/// A PHY that is not modelled makes the packet a strange one.
extension HCI.PHY: WireValue {
  init(reading reader: inout OctetReader) throws(WireError) {
    let position = reader.offset
    guard let phy = Self(rawValue: try reader.u8()) else { throw reader.strange(at: position) }
    self = phy
  }

  func append(to octets: inout [UInt8]) { octets.append(rawValue) }
}

extension L2CAP.ChannelID: WireNumber {}
extension L2CAP.RejectReason: WireNumber {}
extension L2CAP.ConnectionResult: WireNumber {}

extension SMP.IOCapability: WireNumber {}
extension SMP.AuthenticationRequirements: WireNumber {}
extension SMP.KeyDistribution: WireNumber {}
extension SMP.FailureReason: WireNumber {}
extension SMP.Keypress: WireNumber {}

extension ATT.Opcode: WireNumber {}

extension ATT.ErrorCode: WireNumber {
  init(rawValue: UInt8) { self.init(rawValue) }
}
