extension LL {
  /// `CONNECT_IND`: the PDU with which an initiator becomes central of a new connection.
  ///
  /// Spec: Core v5.4, Vol 6, Part B, 2.3.3.1.
  /// Layout: `Header: 2 | InitA: 6 | AdvA: 6 | AA: 4 | CRCInit: 3 | WinSize: 1 | WinOffset: 2 | Interval: 2 | Latency:
  /// 2 | Timeout: 2 | ChM: 5 | Hop: 5 bits, SCA: 3 bits`.
  public struct ConnectInd: Hashable, Sendable {
    public var initiator: BluetoothAddress
    public var advertiser: BluetoothAddress
    /// `ChSel`: the initiator can use channel selection algorithm #2.
    public var channelSelectionAlgorithm2: Bool
    public var accessAddress: UInt32
    /// 24 bits.
    public var crcInit: UInt32
    /// Units of 1.25 ms.
    public var windowSize: UInt8
    public var windowOffset: UInt16
    public var interval: UInt16
    public var latency: UInt16
    /// Units of 10 ms.
    public var timeout: UInt16
    /// 40 bits as they came, of which 37 count.
    public var channelMap: UInt64
    /// Hop increment, 5 … 16 in a valid PDU; 5 bits.
    public var hop: UInt8
    /// 0 … 7, from 500 ppm to 20 ppm (Table 2.12); 3 bits.
    public var sleepClockAccuracy: UInt8

    public init(
      initiator: BluetoothAddress, advertiser: BluetoothAddress, channelSelectionAlgorithm2: Bool,
      accessAddress: UInt32, crcInit: UInt32, windowSize: UInt8, windowOffset: UInt16, interval: UInt16,
      latency: UInt16, timeout: UInt16, channelMap: UInt64, hop: UInt8, sleepClockAccuracy: UInt8
    ) {
      self.initiator = initiator
      self.advertiser = advertiser
      self.channelSelectionAlgorithm2 = channelSelectionAlgorithm2
      self.accessAddress = accessAddress
      self.crcInit = crcInit
      self.windowSize = windowSize
      self.windowOffset = windowOffset
      self.interval = interval
      self.latency = latency
      self.timeout = timeout
      self.channelMap = channelMap
      self.hop = hop
      self.sleepClockAccuracy = sleepClockAccuracy
    }

    /// Octets of payload, always.
    public static let payloadLength = 34
  }
}

extension LL.ConnectInd {
  /// Decodes the whole PDU, header included.
  ///
  /// Values are taken as they come; whether they are acceptable is the advertiser's decision.
  /// Refuses: another PDU type (unknown type at 0), a length field other than 34, truncated, trailing octets.
  public init(decoding pdu: [UInt8]) throws(WireError) {
    guard case .connectInd(let request) = try LL.AdvertisingPDU(decoding: pdu) else {
      throw WireError(.unknownType, at: 0)
    }
    self = request
  }

  /// The whole PDU, header included.
  public var octets: [UInt8] { LL.AdvertisingPDU.connectInd(self).octets }

  init(reading reader: inout OctetReader, header: LL.AdvertisingHeader) throws(WireError) {
    initiator = try reader.address(header.txAddress)
    advertiser = try reader.address(header.rxAddress)
    channelSelectionAlgorithm2 = header.chSel
    accessAddress = try reader.u32()
    crcInit = try reader.u24()
    windowSize = try reader.u8()
    windowOffset = try reader.u16()
    interval = try reader.u16()
    latency = try reader.u16()
    timeout = try reader.u16()
    channelMap = try reader.unsigned(5)
    let last = try reader.u8()
    hop = last & 0x1F
    sleepClockAccuracy = last >> 5
  }

  func append(to octets: inout [UInt8]) {
    octets += initiator.octets
    octets += advertiser.octets
    octets.append(littleEndian: accessAddress)
    octets.append(littleEndian: UInt64(crcInit), count: 3)
    octets.append(windowSize)
    for field in [windowOffset, interval, latency, timeout] { octets.append(littleEndian: field) }
    octets.append(littleEndian: channelMap, count: 5)
    octets.append(hop & 0x1F | sleepClockAccuracy << 5)
  }
}
