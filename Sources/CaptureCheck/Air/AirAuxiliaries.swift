import BluetoothWire
import CaptureFormats

/// Which PDU of extended advertising an auxiliary one is, where the sniffer does not say: all four have one PDU type.
///
/// Spec: Core v5.4, Vol 6, Part B, 2.3.1 and 2.3.4. The AuxPtr of ADV_EXT_IND leads to AUX_ADV_IND, that of an
/// auxiliary PDU to AUX_CHAIN_IND; what follows AUX_SCAN_REQ is AUX_SCAN_RSP. Where nothing led to it, what it holds
/// decides: AUX_CHAIN_IND has neither an address nor SyncInfo.
struct AirAuxiliaries {
  private struct Pointer {
    var file: Int
    var rfChannel: UInt8
    var from: Int64
    var to: Int64
    var isOfPrimary: Bool
  }

  private static let limit = 16
  /// What sniffers' times are off by.
  private static let slack: Int64 = 5_000_000
  private static let longestAnswer: Int64 = 3_000_000
  private var pointers: [Pointer] = []
  /// The newest AUX_SCAN_REQ.
  private var request: (file: Int, rfChannel: UInt8, at: Int64)?
  /// Takes a whole advertising PDU, or one of a train.
  /// - Returns: what an auxiliary one with the common header is; nil of others.
  mutating func follow(
    _ octets: ArraySlice<UInt8>, _ stated: AirHeader, at start: Int64, file: Int, isOfTrain: Bool = false
  ) -> AuxiliaryKind? {
    guard let first = octets.first, octets.count >= 2 else { return nil }
    let isPrimary = stated.rfChannel.map { LL.isPrimary(rfChannel: $0) } ?? true
    if first & 0x0F == LL.AdvertisingType.scanReq, !isPrimary, let channel = stated.rfChannel {
      request = (file, channel, start)
    }
    guard first & 0x0F == LL.AdvertisingType.extended, let pdu = try? LL.ExtendedPDU(decoding: Array(octets)) else {
      return first & 0x0F == LL.AdvertisingType.extended && !isPrimary ? stated.auxiliary : nil
    }
    let kind =
      isPrimary && stated.auxiliary == nil ? nil : stated.auxiliary ?? self.kind(pdu, stated, start, file, isOfTrain)
    point(pdu, isOfPrimary: kind == nil, at: start, file: file)
    return kind
  }

  private mutating func kind(
    _ pdu: LL.ExtendedPDU, _ stated: AirHeader, _ start: Int64, _ file: Int, _ isOfTrain: Bool
  ) -> AuxiliaryKind {
    let channel = stated.rfChannel
    if let request, request.file == file, request.rfChannel == channel,
      (0...Self.longestAnswer).contains(start - request.at)
    {
      self.request = nil
      return .scanRsp
    }
    let found = pointers.lastIndex {
      $0.file == file && $0.rfChannel == channel && $0.from <= start && start <= $0.to
    }
    if let found { return pointers.remove(at: found).isOfPrimary ? .advInd : .chainInd }
    if isOfTrain { return .syncInd }
    let isFirst = pdu.mode != .neither || pdu.advertiser != nil || pdu.target != nil || pdu.syncInfo != nil
    return isFirst ? .advInd : .chainInd
  }

  /// Remembers where the next PDU is (2.3.4.5).
  private mutating func point(_ pdu: LL.ExtendedPDU, isOfPrimary: Bool, at start: Int64, file: Int) {
    guard let pointer = pdu.pointer else { return }
    let next = start + Int64(pointer.offset) * pointer.unit
    if pointers.count == Self.limit { pointers.removeFirst() }
    pointers.append(
      Pointer(
        file: file, rfChannel: LL.rfChannel(dataChannelIndex: pointer.channelIndex), from: next - Self.slack,
        to: next + pointer.unit + Self.slack, isOfPrimary: isOfPrimary))
  }
}
