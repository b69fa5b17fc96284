/// What a sniffer knows about one PDU on the air: the ten octets in front of the access address in link type 256.
///
/// Format: tcpdump.org, LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR.
/// Layout: `RF Channel: 1 | Signal Power: 1 | Noise Power: 1 | Access Address Offenses: 1 | Reference Access Address:
/// 4 | Flags: 2`, little-endian. After it: access address (4 octets), on LE Coded the Coding Indicator (1 octet), PDU,
/// CRC (3 octets).
public struct LEPseudoHeader: Hashable, Sendable {
  /// Who speaks, as far as the sniffer knows.
  public enum PDUType: UInt16, Hashable, Sendable {
    /// Advertising, or data whose direction is not known.
    case advertisingOrUnknown = 0
    case auxiliaryAdvertising = 1
    case centralToPeripheral = 2
    case peripheralToCentral = 3
    /// A connected isochronous stream's.
    case streamFromCentral = 4
    case streamFromPeripheral = 5
    /// A broadcast isochronous group's.
    case broadcast = 6
  }

  /// 2402 + 2 k MHz, k in 0 … 39.
  public var rfChannel: UInt8
  /// dBm; nil: not measured.
  public var signalPower: Int8?
  /// dBm; nil: not measured.
  public var noisePower: Int8?
  /// The access address that the sniffer was looking for; nil: none.
  public var referenceAccessAddress: UInt32?
  public var pduType: PDUType
  /// LE 2M instead of LE 1M.
  public var isLE2M: Bool
  /// LE Coded instead of LE 1M, and how.
  public var coding: LECoding?
  /// nil: not checked.
  public var isCRCValid: Bool?
  /// The channel is not sure.
  var isAliased = false
  var isDecrypted = false
  /// The MIC of a decrypted PDU was right; nil: not checked.
  var isMICValid: Bool?
  /// Which auxiliary PDU it is, for that type.
  package var auxiliary: AuxiliaryKind?

  public init(
    rfChannel: UInt8, signalPower: Int8?, noisePower: Int8? = nil, referenceAccessAddress: UInt32?, pduType: PDUType,
    isLE2M: Bool, isCRCValid: Bool?
  ) {
    self.rfChannel = rfChannel
    self.signalPower = signalPower
    self.noisePower = noisePower
    self.referenceAccessAddress = referenceAccessAddress
    self.pduType = pduType
    self.isLE2M = isLE2M
    self.isCRCValid = isCRCValid
  }

  /// Octets of the header.
  static let length = 10

  private enum Flag {
    static let dewhitened: UInt16 = 0x0001
    static let signalPowerValid: UInt16 = 0x0002
    static let noisePowerValid: UInt16 = 0x0004
    static let decrypted: UInt16 = 0x0008
    static let referenceAccessAddressValid: UInt16 = 0x0010
    static let aliased: UInt16 = 0x0040
    static let crcChecked: UInt16 = 0x0400
    static let crcValid: UInt16 = 0x0800
    /// These two of data only.
    static let micChecked: UInt16 = 0x1000
    static let micValid: UInt16 = 0x2000
    static let le2M: UInt16 = 0x4000
    static let leCoded: UInt16 = 0x8000
  }

  /// What the header says, and whether the PDU is on LE Coded, where an octet lies between access address and PDU; nil
  /// when there are fewer than ten octets.
  ///
  /// A sniffer that does not mark its PDUs as dewhitened is taken to have dewhitened them.
  static func read(_ octets: ArraySlice<UInt8>) -> (air: AirHeader, isCoded: Bool)? {
    guard octets.count >= length else { return nil }
    let flags: UInt16 = octets.little(8)
    var air = AirHeader(accessAddress: 0)
    let start = octets.startIndex
    air.rfChannel = octets[start] < 40 && flags & Flag.aliased == 0 ? octets[start] : nil
    if flags & Flag.signalPowerValid != 0 { air.signalPower = Int8(bitPattern: octets[start + 1]) }
    if flags & Flag.noisePowerValid != 0 { air.noisePower = Int8(bitPattern: octets[start + 2]) }
    if flags & Flag.crcChecked != 0 { air.isCRCValid = flags & Flag.crcValid != 0 }
    air.isLE2M = flags & Flag.le2M != 0
    if flags & Flag.decrypted != 0 {
      air.isDecrypted = true
      air.isEncrypted = true
    }
    switch PDUType(rawValue: flags >> 7 & 7) {
    case .centralToPeripheral: air.isFromCentral = true
    case .peripheralToCentral: air.isFromCentral = false
    case .streamFromCentral, .streamFromPeripheral: air.stream = .connectedIsochronous
    case .broadcast: air.stream = .broadcastIsochronous
    // With another access address than that of advertising it is periodic: whoever asks knows it.
    case .auxiliaryAdvertising:
      air.auxiliary = AuxiliaryKind(rawValue: UInt8(flags >> 12 & 3))
      air.stream = .periodicAdvertising
    case .advertisingOrUnknown: break
    case nil: air.stream = .reserved
    }
    if air.isDecrypted, air.isFromCentral != nil, flags & Flag.micChecked != 0 {
      air.isMICValid = flags & Flag.micValid != 0
    }
    return (air, flags & Flag.leCoded != 0)
  }

  /// The flags of a PDU whose whitening has been taken off.
  public var flags: UInt16 {
    var flags = Flag.dewhitened | pduType.rawValue << 7
    if signalPower != nil { flags |= Flag.signalPowerValid }
    if noisePower != nil { flags |= Flag.noisePowerValid }
    if referenceAccessAddress != nil { flags |= Flag.referenceAccessAddressValid }
    if let isCRCValid { flags |= Flag.crcChecked | (isCRCValid ? Flag.crcValid : 0) }
    if isLE2M { flags |= Flag.le2M }
    if coding != nil { flags |= Flag.leCoded }
    if isAliased { flags |= Flag.aliased }
    if isDecrypted { flags |= Flag.decrypted }
    if let isMICValid, isDecrypted, pduType == .centralToPeripheral || pduType == .peripheralToCentral {
      flags |= Flag.micChecked | (isMICValid ? Flag.micValid : 0)
    }
    if let auxiliary, pduType == .auxiliaryAdvertising { flags |= UInt16(auxiliary.numbered.rawValue) << 12 }
    return flags
  }

  /// What another sniffer said. A channel that is not known is written as 0 and marked as aliased.
  init(_ air: AirHeader) {
    self.init(
      rfChannel: air.rfChannel ?? 0, signalPower: air.signalPower, noisePower: air.noisePower,
      referenceAccessAddress: air.accessAddress,
      pduType: Self.pduType(of: air),
      isLE2M: air.isLE2M, isCRCValid: air.isCRCValid)
    coding = air.coding
    isAliased = air.rfChannel == nil
    isDecrypted = air.isDecrypted
    isMICValid = air.isMICValid
    auxiliary = air.auxiliary
  }

  private static func pduType(of air: AirHeader) -> PDUType {
    switch air.stream {
    case .connectedIsochronous: .streamFromCentral
    case .broadcastIsochronous: .broadcast
    case .periodicAdvertising: .auxiliaryAdvertising
    case nil where air.auxiliary != nil: .auxiliaryAdvertising
    case .reserved, nil:
      air.isFromCentral.map { $0 ? .centralToPeripheral : .peripheralToCentral } ?? .advertisingOrUnknown
    }
  }

  func append(to octets: inout AirHeader.Prefix) {
    octets.append(rfChannel)
    octets.append(UInt8(bitPattern: signalPower ?? Int8.min))
    octets.append(UInt8(bitPattern: noisePower ?? Int8.min))
    octets.append(0)
    octets.append(little: referenceAccessAddress ?? 0)
    octets.append(little: UInt32(flags), 2)
  }

  /// Appends the ten octets; powers that were not measured are −128, as the common sniffers write them.
  public func append(to octets: inout [UInt8]) {
    octets.append(rfChannel)
    octets.append(UInt8(bitPattern: signalPower ?? Int8.min))
    octets.append(UInt8(bitPattern: noisePower ?? Int8.min))
    octets.append(0)
    octets.append(little: UInt64(referenceAccessAddress ?? 0), 4)
    octets.append(little: UInt64(flags), 2)
  }
}
