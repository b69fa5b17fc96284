import BluetoothWire
import LinkCrypto
import SimKernel

/// What a scanner tells its host (Vol 4, Part E, 7.7.65.2, 11, 13, 17).
extension Controller {
  func scanningBegins() {
    radio.scanner.reported.removeAll(keepingCapacity: true)
    radio.scanner.reportedSets.removeAll(keepingCapacity: true)
    scanResponses.removeAll(keepingCapacity: true)
  }

  func scanTimedOut() { emit(.extended(.leScanTimeout)) }

  /// Whether there is no need to ask an advertiser again.
  func hasScanResponse(of address: BluetoothAddress) -> Bool {
    radio.scanner.filtersDuplicates && scanResponses.contains(address)
  }

  /// Reports an advertising PDU.
  /// - Returns: false when the filter policy does not want its sender.
  func advertisingReport(from set: Advertiser, _ peer: PeerIdentity) -> Bool {
    if radio.scanner.setup.filterPolicy & 1 == 1, !filterAcceptList.contains(peer.address) { return false }
    let kind: HCI.AdvertisingReport.Kind =
      switch set.setup.kind {
      case .connectableUndirected: .advInd
      case .connectableDirectedHighDuty, .connectableDirectedLowDuty: .advDirectInd
      case .scannableUndirected: .advScanInd
      case .nonConnectableUndirected: .advNonconnInd
      }
    guard kind == .advDirectInd else {
      report(kind, peer, set.data, set)
      return true
    }
    if isOwn(set.target, as: radio.scanner.setup.ownAddress, peer: peer.address) {
      report(kind, peer, [], set)
    } else if radio.scanner.setup.filterPolicy & 2 == 2, ResolvableAddress.isResolvable(set.target) {
      report(kind, peer, [], set, isUnresolved: true)
    } else {
      return false
    }
    return true
  }

  func scanResponseReport(from set: Advertiser) {
    guard let peer = identify(set.address) else { return }
    if !scanResponses.contains(peer.address) {
      if scanResponses.count == 64 { scanResponses.removeFirst() }
      scanResponses.append(peer.address)
    }
    report(.scanRsp, peer, set.scanResponse, set)
  }

  /// With duplicate filtering each (kind, address, data) is reported once per scan.
  private func report(
    _ kind: HCI.AdvertisingReport.Kind, _ peer: PeerIdentity, _ data: [UInt8], _ set: Advertiser,
    isUnresolved: Bool = false
  ) {
    let entry = HCI.AdvertisingReport(kind: kind, address: peer.address, data: data, rssi: 0)
    if radio.scanner.filtersDuplicates {
      if radio.scanner.reported.contains(entry) { return }
      if radio.scanner.reported.count == 64 { radio.scanner.reported.removeFirst() }
      radio.scanner.reported.append(entry)
    }
    let rssi = atAntenna(world.rssi(from: set.radio.index, to: radio.index))
    if advertisingCommands == .extended {
      emit(.extended(.leExtendedAdvertisingReport(extendedReport(kind, peer, data, set, rssi, isUnresolved))))
    } else if isUnresolved {
      emit(directedReport(peer, set, rssi))
    } else {
      var report = HCI.AdvertisingReport(kind: kind, address: peer.address, data: data, rssi: rssi)
      report.isIdentity = peer.resolved != nil
      emit(.leAdvertisingReport(report))
    }
  }

  private func extendedReport(
    _ kind: HCI.AdvertisingReport.Kind, _ peer: PeerIdentity, _ data: [UInt8], _ set: Advertiser, _ rssi: Int8,
    _ isUnresolved: Bool
  ) -> HCI.ExtendedAdvertisingReport {
    let type: HCI.ExtendedAdvertisingReport.EventType =
      switch kind {
      case .advInd: .advInd
      case .advDirectInd: .advDirectInd
      case .advScanInd: .advScanInd
      case .advNonconnInd: .advNonconnInd
      case .scanRsp: set.setup.kind == .scannableUndirected ? .scanRspToAdvScanInd : .scanRspToAdvInd
      }
    var report = HCI.ExtendedAdvertisingReport(type: type, address: HCI.PeerAddress(peer), rssi: rssi, data: data)
    if kind == .advDirectInd {
      report.target =
        isUnresolved ? HCI.PeerAddress(kind: .unresolved, bits: set.target.bits) : ownTarget(set.target)
    }
    return report
  }

  /// `Direct_Address` for this device; when it was resolved, the identity that it belongs to.
  func ownTarget(_ target: BluetoothAddress) -> HCI.PeerAddress {
    let own = ownAddress(radio.scanner.setup.ownAddress, peer: .none)
    return HCI.PeerAddress(own, isIdentity: own != target)
  }

  /// `HCI_LE_Directed_Advertising_Report` (7.7.65.11): a target that cannot be resolved here.
  private func directedReport(_ peer: PeerIdentity, _ set: Advertiser, _ rssi: Int8) -> HCI.Event {
    let address = HCI.PeerAddress(peer)
    return .other(
      code: 0x3E,
      parameters: [0x0B, 1, 0x01, address.kind.rawValue] + little(address.bits, octets: 6)
        + [0x01] + set.target.octets + [UInt8(bitPattern: rssi)])
  }
}
