import BluetoothWire
import CaptureFormats

/// Which of the advertisers heard last can use channel selection algorithm #2.
struct AirAdvertisers {
  private var newest: [(file: Int, address: BluetoothAddress, chSel: Bool)] = []

  mutating func remember(_ address: BluetoothAddress, chSel: Bool, file: Int) {
    if let index = newest.firstIndex(where: { $0.address == address && $0.file == file }) {
      newest[index].chSel = chSel
      return
    }
    if newest.count == 16 { newest.removeFirst() }
    newest.append((file, address, chSel))
  }

  func chSel(_ address: BluetoothAddress, file: Int) -> Bool? {
    newest.first { $0.address == address && $0.file == file }?.chSel
  }
}

/// Advertising channel PDUs. Spec: Core v5.4, Vol 6, Part B, 2.3.
///
/// The common extended header of extended advertising is read; data of chained PDUs are not put together and say
/// nothing, and PDUs without AdvA give no advertisement.
extension AirFollower {
  func readAdvertising(_ octets: ArraySlice<UInt8>, _ header: AirHeader) {
    var header = header
    Self.checkCRC(of: octets, &header, initial: LL.advertisingCRCInit)
    if header.isCRCValid == false {
      noteDamage()
    } else {
      header.auxiliary = auxiliaries.follow(octets, header, at: now, file: output.viewpoint)
    }
    output.emit(.air) { .air(nil, header, octets) }
    guard header.isCRCValid != false, octets.count >= 2,
      octets.count == 2 + Int(octets[octets.startIndex + 1])
    else { return }
    let first = octets[octets.startIndex]
    let payload = octets.dropFirst(2)
    switch first & 0x0F {
    case LL.AdvertisingType.advInd, LL.AdvertisingType.advDirectInd:
      guard let address = address(payload, isRandom: first & 0x40 != 0) else { return }
      let hasData = first & 0x0F == LL.AdvertisingType.advInd
      advertisers.remember(address, chSel: first & 0x20 != 0, file: output.viewpoint)
      advertise(address, header, isConnectable: true, data: hasData ? payload.dropFirst(6) : payload.suffix(0))
    case LL.AdvertisingType.advNonconnInd, LL.AdvertisingType.advScanInd:
      guard let address = address(payload, isRandom: first & 0x40 != 0) else { return }
      advertise(address, header, isConnectable: false, data: payload.dropFirst(6))
    case LL.AdvertisingType.scanRsp:
      guard let address = address(payload, isRandom: first & 0x40 != 0) else { return }
      advertise(address, header, isConnectable: false, isScanResponse: true, data: payload.dropFirst(6))
    case LL.AdvertisingType.connectInd: readConnect(octets, header)
    case LL.AdvertisingType.extended: readExtended(octets, header)
    default: break
    }
  }

  /// A PDU of a train whose SyncInfo was read (2.3.1.7 … 2.3.1.10).
  /// - Returns: false when it is none, or its CRC is not known.
  func readTrain(_ octets: ArraySlice<UInt8>, _ header: AirHeader) -> Bool {
    guard let crcInit = streams.crcInit(header.accessAddress, file: output.viewpoint) else { return false }
    var header = header
    Self.checkCRC(of: octets, &header, initial: crcInit)
    if header.isCRCValid == false {
      noteDamage()
    } else {
      let kind = streams.kind(header.accessAddress, file: output.viewpoint)
      let form: LL.ExtendedPDU.Kind =
        switch kind {
        case .subeventInd: .auxSyncSubeventInd
        case .subeventRsp: .auxSyncSubeventRsp
        default: .auxSyncInd
        }
      guard (try? LL.ExtendedPDU(decoding: Array(octets), as: form)) != nil else { return false }
      header.auxiliary = auxiliaries.follow(octets, header, at: now, file: output.viewpoint, isOfTrain: true)
      if let kind { header.auxiliary = kind }
    }
    output.emit(.air) { .air(nil, header, octets) }
    return true
  }

  private func address(_ octets: ArraySlice<UInt8>, isRandom: Bool) -> BluetoothAddress? {
    guard octets.count >= 6 else { return nil }
    var bits: UInt64 = 0
    for octet in octets.prefix(6).reversed() { bits = bits << 8 | UInt64(octet) }
    return BluetoothAddress(kind: isRandom ? .random : .publicDevice, bits: bits)
  }

  private func advertise(
    _ address: BluetoothAddress, _ header: AirHeader, isConnectable: Bool, isScanResponse: Bool = false,
    isExtended: Bool = false, data: ArraySlice<UInt8>
  ) {
    output.emit(.advertisements) {
      .advertisement(
        TrafficAdvertisement(
          address: address, heardBy: nil, isConnectable: isConnectable, isScanResponse: isScanResponse, data: data,
          rssi: header.signalPower, isExtended: isExtended))
    }
  }

  /// CONNECT_IND, or AUX_CONNECT_REQ on a secondary channel, which has the same payload (2.3.3.1, 2.3.3.2).
  private func readConnect(_ octets: ArraySlice<UInt8>, _ header: AirHeader) {
    guard let request = try? LL.ConnectInd(decoding: Array(octets)) else { return }
    let isPrimary = header.rfChannel.map { LL.isPrimary(rfChannel: $0) } ?? true
    let selection: UInt8?
    if !isPrimary {
      selection = 2
    } else if !request.channelSelectionAlgorithm2 {
      selection = 1
    } else {
      selection = advertisers.chSel(request.advertiser, file: output.viewpoint).map { $0 ? 2 : 1 }
    }
    open(
      request, channelSelection: selection, windowDelayUnits: isPrimary ? 1 : header.phy.isCoded ? 3 : 2,
      phy: header.phy, end: now + LL.airTime(payloadLength: octets.count - 2, phy: header.phy))
  }

  private func readExtended(_ octets: ArraySlice<UInt8>, _ header: AirHeader) {
    guard let pdu = try? LL.ExtendedPDU(decoding: Array(octets)) else { return }
    if let syncInfo = pdu.syncInfo {
      streams.learn(syncInfo, LL.ResponseTiming(controllerData: pdu.controllerData), file: output.viewpoint)
    }
    guard let address = pdu.advertiser else { return }
    // A structure may go on in the PDU that AuxPtr leads to.
    advertise(
      address, header, isConnectable: pdu.mode == .connectable, isScanResponse: header.auxiliary == .scanRsp,
      isExtended: true, data: pdu.pointer == nil ? pdu.data[...] : [])
  }
}

extension AirHeader {
  /// How the PDU was sent.
  var phy: LL.AirPHY {
    switch coding {
    case nil: isLE2M ? .le2M : .le1M
    case .s8?: .codedS8
    case .s2?: .codedS2
    }
  }
}

extension LL {
  /// RF channels 0, 12 and 39 are the primary advertising channels 37, 38 and 39 (Core v5.4, Vol 6, Part B, 1.4.1).
  static func isPrimary(rfChannel: UInt8) -> Bool { rfChannel == 0 || rfChannel == 12 || rfChannel == 39 }
}
