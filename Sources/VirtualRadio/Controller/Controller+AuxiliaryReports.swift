import BluetoothWire
import LinkCrypto
import SimKernel

/// What a scanner tells its host of one advertisement with extended PDUs (Vol 4, Part E, 7.7.65.13).
struct AuxiliaryReport {
  /// What is a duplicate of what: set and data of an advertiser, by ADI (Vol 6, Part B, 4.3.3).
  struct Key: Equatable {
    var address: HCI.PeerAddress
    var dataInfo: LL.ExtendedPDU.DataInfo?
    var isScanResponse = false
  }

  enum Status {
    case complete
    /// More of it comes, or may come.
    case incomplete
    /// More of it does not come.
    case truncated
  }

  /// Without data.
  var head: HCI.ExtendedAdvertisingReport
  var key: Key
  /// Not a duplicate of what was reported before.
  var isNew = true

  /// The answer to the same advertisement.
  mutating func becomesScanResponse() {
    head.type.insert(.scanResponse)
    head.txPower = HCI.ExtendedAdvertisingReport.noPower
    key.isScanResponse = true
    isNew = true
  }
}

extension Controller {
  /// What there is to report of an ADV_EXT_IND without AuxPtr, or of an AUX_ADV_IND and the ADV_EXT_IND that led to it;
  /// nil when a filter policy does not want it.
  func auxiliaryReport(
    _ pdu: LL.ExtendedPDU, _ announcement: LL.ExtendedPDU, _ primaryPHY: HCI.PHY, on phy: HCI.PHY?, rssi: Int8
  ) -> AuxiliaryReport? {
    var address = HCI.PeerAddress(kind: .anonymous, bits: 0)
    var peer: PeerIdentity?
    if let sender = pdu.advertiser ?? announcement.advertiser {
      guard let known = identify(sender) else { return nil }
      address = HCI.PeerAddress(known)
      peer = known
    }
    if radio.scanner.setup.filterPolicy & 1 == 1 {
      guard let peer, filterAcceptList.contains(peer.address) else { return nil }
    }
    var head = HCI.ExtendedAdvertisingReport(type: [], address: address, rssi: rssi, data: [])
    if pdu.mode == .connectable { head.type.insert(.connectable) }
    if pdu.mode == .scannable { head.type.insert(.scannable) }
    if let target = pdu.target ?? announcement.target {
      guard let shown = self.target(target, from: peer) else { return nil }
      head.type.insert(.directed)
      head.target = shown
    }
    head.primaryPHY = HCI.AdvertisingPHY(primaryPHY.rawValue)
    head.secondaryPHY = phy.map { HCI.AdvertisingPHY($0.rawValue) } ?? .none
    head.sid = (pdu.dataInfo ?? announcement.dataInfo)?.sid ?? HCI.ExtendedAdvertisingReport.noSID
    head.txPower = pdu.txPower ?? announcement.txPower ?? HCI.ExtendedAdvertisingReport.noPower
    head.periodicInterval = pdu.syncInfo?.interval ?? 0
    let key = AuxiliaryReport.Key(address: address, dataInfo: pdu.dataInfo ?? announcement.dataInfo)
    return AuxiliaryReport(head: head, key: key, isNew: !hasReported(key))
  }

  /// `Direct_Address` for a TargetA; nil: that of somebody else.
  private func target(_ target: BluetoothAddress, from peer: PeerIdentity?) -> HCI.PeerAddress? {
    if isOwn(target, as: radio.scanner.setup.ownAddress, peer: peer?.address ?? .none) { return ownTarget(target) }
    guard radio.scanner.setup.filterPolicy & 2 == 2, ResolvableAddress.isResolvable(target) else { return nil }
    return HCI.PeerAddress(kind: .unresolved, bits: target.bits)
  }

  func hasReported(_ key: AuxiliaryReport.Key) -> Bool {
    radio.scanner.filtersDuplicates && radio.scanner.reportedSets.contains(key)
  }

  /// Tells the host of the data of one PDU, in as many events as they need.
  func emit(_ report: AuxiliaryReport, _ data: [UInt8], _ status: AuxiliaryReport.Status) {
    var rest = data[...]
    repeat {
      var part = report.head
      part.data = Array(rest.prefix(Self.mostReported))
      rest = rest.dropFirst(Self.mostReported)
      switch rest.isEmpty ? status : .incomplete {
      case .complete: break
      case .incomplete: part.type.insert(.incomplete)
      case .truncated: part.type.insert(.truncated)
      }
      emit(.extended(.leExtendedAdvertisingReport(part)))
    } while !rest.isEmpty
    guard status == .complete, radio.scanner.filtersDuplicates, !hasReported(report.key) else { return }
    if radio.scanner.reportedSets.count == 64 { radio.scanner.reportedSets.removeFirst() }
    radio.scanner.reportedSets.append(report.key)
  }

  /// Octets of data of one report.
  private static let mostReported = 229
}
