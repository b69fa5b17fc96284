import BluetoothWire
import SimKernel

/// Answers to AUX_ADV_IND: AUX_SCAN_RSP and its chain, and AUX_CONNECT_RSP, with which a connection begins (Vol 6, Part
/// B, 4.4.2.5, 4.4.2.7, 4.5).
extension RadioWorld {
  /// AUX_SCAN_REQ and AUX_CONNECT_REQ are over: at most one got through.
  func auxiliaryResponse(_ set: Advertiser) {
    set.handle = nil
    set.answerDue = nil
    let responses = set.responses
    set.responses.removeAll(keepingCapacity: true)
    guard let accepted = accepted(of: responses, set), set.isEnabled else {
      set.radio.busyUntil = min(set.radio.busyUntil, timeline.now)
      return auxiliaryOver(set)
    }
    let start = max(timeline.now, accepted.end + Self.interFrameSpace)
    set.auxiliary.followers.removeAll { $0.radio != accepted.radio }
    if let connect = accepted.heardConnect {
      sendConnectResponse(set, connect, to: accepted, at: start)
    } else {
      if set.setup.reportsScanRequests { set.radio.controller.scanRequested(set, by: accepted.address) }
      sendScanResponse(set, to: accepted, at: start)
    }
  }

  private func sendConnectResponse(
    _ set: Advertiser, _ connect: LL.ConnectInd, to request: Advertiser.Response, at start: SimInstant
  ) {
    var pdu = LL.ExtendedPDU()
    pdu.isConnectResponse = true
    pdu.advertiser = set.address
    pdu.target = connect.initiator
    set.auxiliary.kind = .auxConnectRsp
    set.auxiliary.continues = false
    set.auxiliary.request = request
    transmit(pdu, set, at: start, to: request.radio)
  }

  private func sendScanResponse(_ set: Advertiser, to request: Advertiser.Response, at start: SimInstant) {
    guard let extended = set.setup.extended else { return }
    set.auxiliary.kind = .auxScanRsp
    set.auxiliary.rest = set.scanResponse
    transmit(nextAuxiliary(set, extended, at: start), set, at: start, to: request.radio)
  }

  /// AUX_CONNECT_RSP is over: the advertiser has a connection, and the initiator too when it has heard it.
  func connect(_ set: Advertiser, _ listener: Radio, _ pdu: LL.ExtendedPDU?) {
    guard let request = set.auxiliary.request, var connect = request.heardConnect else { return }
    set.auxiliary.request = nil
    let phy = set.phy
    // There is no other algorithm on a link that begins so (4.5.8.1), and the PDU has no ChSel.
    connect.channelSelectionAlgorithm2 = true
    let isHeard = pdu.map { $0.advertiser == connect.advertiser && $0.target == connect.initiator } ?? false
    let initiation = isHeard && request.connect != nil ? listener.scanner.initiation : nil
    if initiation != nil { listener.scanner.initiation = nil }
    stopAdvertising(set)
    makeConnection(
      connect, central: listener, by: initiation?.on(phy), peripheral: set, heard: true,
      anchorWithin: request.anchorWithin, earliest: request.end + Self.auxiliaryWindowDelay(phy),
      phy: phy.phy)
  }
}
