extension LL {
  /// A PDU of the primary advertising channels, header included.
  ///
  /// Spec: Core v5.4, Vol 6, Part B, 2.3. Layout: `Type: 4 bits, RFU, ChSel, TxAdd, RxAdd | Length: 1 | Payload`.
  /// ADV_EXT_IND and its family are `LL.ExtendedPDU`, and survive as `other` here.
  public enum AdvertisingPDU: Hashable, Sendable {
    /// `ADV_IND`, connectable and scannable. `chSel`: the advertiser can use channel selection algorithm #2.
    case advInd(advertiser: BluetoothAddress, data: [UInt8], chSel: Bool)
    case advDirectInd(advertiser: BluetoothAddress, target: BluetoothAddress, chSel: Bool)
    case advNonconnInd(advertiser: BluetoothAddress, data: [UInt8])
    case advScanInd(advertiser: BluetoothAddress, data: [UInt8])
    case scanReq(scanner: BluetoothAddress, advertiser: BluetoothAddress)
    case scanRsp(advertiser: BluetoothAddress, data: [UInt8])
    case connectInd(ConnectInd)
    /// A PDU type that is not modelled: its first header octet and its payload of at most 255 octets.
    case other(header: UInt8, payload: [UInt8])
  }

  /// The PDU types, as the low four bits of the first octet carry them (Table 2.3).
  public enum AdvertisingType {
    public static let advInd: UInt8 = 0b0000
    public static let advDirectInd: UInt8 = 0b0001
    public static let advNonconnInd: UInt8 = 0b0010
    public static let scanReq: UInt8 = 0b0011
    public static let scanRsp: UInt8 = 0b0100
    public static let connectInd: UInt8 = 0b0101
    public static let advScanInd: UInt8 = 0b0110
  }

  /// The first octet of the header, taken apart.
  struct AdvertisingHeader {
    var type: UInt8
    var chSel = false
    var txAddress = BluetoothAddress.Kind.publicDevice
    var rxAddress = BluetoothAddress.Kind.publicDevice

    init(_ octet: UInt8) {
      type = octet & 0x0F
      chSel = octet & 0x20 != 0
      txAddress = octet & 0x40 != 0 ? .random : .publicDevice
      rxAddress = octet & 0x80 != 0 ? .random : .publicDevice
    }

    init(type: UInt8, chSel: Bool = false, tx: BluetoothAddress, rx: BluetoothAddress? = nil) {
      self.type = type
      self.chSel = chSel
      txAddress = tx.kind
      rxAddress = rx?.kind ?? .publicDevice
    }

    var octet: UInt8 {
      type | (chSel ? 0x20 : 0) | (txAddress == .random ? 0x40 : 0) | (rxAddress == .random ? 0x80 : 0)
    }
  }
}

extension LL.AdvertisingPDU {
  /// Decodes a whole PDU: header of 2 octets and payload.
  ///
  /// Header bits that are reserved for a type are ignored.
  /// Refuses: truncated; trailing octets; a length field that its type does not allow (length mismatch at 1).
  public init(decoding pdu: [UInt8]) throws(WireError) {
    var reader = OctetReader(pdu)
    let first = try reader.u8()
    let length = Int(try reader.u8())
    try reader.require(length)
    if reader.remaining > length { throw WireError(.trailingOctets, at: 2 + length) }
    let header = LL.AdvertisingHeader(first)
    if let allowed = Self.payloadLengths(header.type), !allowed.contains(length) {
      throw WireError(.lengthMismatch, at: 1)
    }
    self = try Self.decode(header, &reader) ?? .other(header: first, payload: reader.rest())
  }

  /// The payload lengths of a type, nil for the types that are not modelled.
  private static func payloadLengths(_ type: UInt8) -> ClosedRange<Int>? {
    switch type {
    case LL.AdvertisingType.advInd, LL.AdvertisingType.advNonconnInd, LL.AdvertisingType.advScanInd,
      LL.AdvertisingType.scanRsp:
      6...(6 + LL.maximumAdvertisingData)
    case LL.AdvertisingType.advDirectInd, LL.AdvertisingType.scanReq: 12...12
    case LL.AdvertisingType.connectInd: LL.ConnectInd.payloadLength...LL.ConnectInd.payloadLength
    default: nil
    }
  }

  private static func decode(_ header: LL.AdvertisingHeader, _ reader: inout OctetReader) throws(WireError)
    -> LL.AdvertisingPDU?
  {
    switch header.type {
    case LL.AdvertisingType.advInd:
      .advInd(advertiser: try reader.address(header.txAddress), data: reader.rest(), chSel: header.chSel)
    case LL.AdvertisingType.advDirectInd:
      .advDirectInd(
        advertiser: try reader.address(header.txAddress), target: try reader.address(header.rxAddress),
        chSel: header.chSel)
    case LL.AdvertisingType.advNonconnInd:
      .advNonconnInd(advertiser: try reader.address(header.txAddress), data: reader.rest())
    case LL.AdvertisingType.scanReq:
      .scanReq(scanner: try reader.address(header.txAddress), advertiser: try reader.address(header.rxAddress))
    case LL.AdvertisingType.scanRsp:
      .scanRsp(advertiser: try reader.address(header.txAddress), data: reader.rest())
    case LL.AdvertisingType.connectInd: .connectInd(try LL.ConnectInd(reading: &reader, header: header))
    case LL.AdvertisingType.advScanInd:
      .advScanInd(advertiser: try reader.address(header.txAddress), data: reader.rest())
    default: nil
    }
  }

  /// The whole PDU. Data beyond 31 octets (`other`: payload beyond 255) is cut, because a PDU cannot carry it.
  public var octets: [UInt8] {
    switch self {
    case .advInd(let advertiser, let data, let chSel):
      Self.pdu(.init(type: LL.AdvertisingType.advInd, chSel: chSel, tx: advertiser), advertiser, data)
    case .advNonconnInd(let advertiser, let data):
      Self.pdu(.init(type: LL.AdvertisingType.advNonconnInd, tx: advertiser), advertiser, data)
    case .advScanInd(let advertiser, let data):
      Self.pdu(.init(type: LL.AdvertisingType.advScanInd, tx: advertiser), advertiser, data)
    case .scanRsp(let advertiser, let data):
      Self.pdu(.init(type: LL.AdvertisingType.scanRsp, tx: advertiser), advertiser, data)
    case .advDirectInd(let advertiser, let target, let chSel):
      Self.pdu(
        .init(type: LL.AdvertisingType.advDirectInd, chSel: chSel, tx: advertiser, rx: target), advertiser,
        target.octets)
    case .scanReq(let scanner, let advertiser):
      Self.pdu(
        .init(type: LL.AdvertisingType.scanReq, tx: scanner, rx: advertiser), scanner, advertiser.octets)
    case .connectInd(let request): Self.pdu(request)
    case .other(let header, let payload):
      [header, UInt8(min(payload.count, 255))] + payload.prefix(255)
    }
  }

  private static func pdu(_ header: LL.AdvertisingHeader, _ address: BluetoothAddress, _ data: [UInt8]) -> [UInt8] {
    let data = data.prefix(LL.maximumAdvertisingData)
    var octets: [UInt8] = []
    octets.reserveCapacity(8 + data.count)
    octets += [header.octet, UInt8(6 + data.count)]
    octets += address.octets
    octets += data
    return octets
  }

  private static func pdu(_ request: LL.ConnectInd) -> [UInt8] {
    let header = LL.AdvertisingHeader(
      type: LL.AdvertisingType.connectInd, chSel: request.channelSelectionAlgorithm2, tx: request.initiator,
      rx: request.advertiser)
    var octets: [UInt8] = []
    octets.reserveCapacity(2 + LL.ConnectInd.payloadLength)
    octets += [header.octet, UInt8(LL.ConnectInd.payloadLength)]
    request.append(to: &octets)
    return octets
  }
}
