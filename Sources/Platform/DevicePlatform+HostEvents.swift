import AppSeam
import BluetoothWire
import VirtualRadio

/// What a host stack tells becomes what an app is told.
extension DevicePlatform {
  func translate(_ event: HostEvent) {
    switch event {
    case .poweredOn:
      isPoweredOn = true
      releaseHeld()
    case .controllerLost: controllerLost()
    case .advertisingStarted(let status):
      if status != .success {
        isAdvertising = false
        refusedAdvertising(status)
      }
      tell(.advertisingStarted(status == .success))
    case .advertisingStopped:
      // A connection ended it; phones go on advertising for their app, if others than its peer may answer.
      if isAdvertising, !phone.advertising.kind.isDirected {
        isAdvertising = false
        refreshAdvertising()
      }
    case .advertisingTimedOut:
      endDirectedAdvertising()
      surroundings.observe(
        PlatformRemark(.advertisingTimeout, nil, "directed advertising ended without a connection"), device: index)
    case .advertisingSetStarted(let number, let status): setStarted(number, status)
    case .advertisingSetEnded(let number): setEnded(number)
    case .extendedScanReport(let address, let data, let scanResponse, let rssi, let isConnectable, let extended):
      report(hear(address, data, scanResponse, rssi, isConnectable), extended)
    case .scanReport(let address, let data, let scanResponse, let rssi, let isConnectable):
      report(hear(address, data, scanResponse, rssi, isConnectable))
    case .directedReport(let address, let rssi):
      // It has no data that a filter could look at, and is meant for this device alone.
      report(
        HeardAdvertiser(Advertisement(address: address, localName: nil, serviceUUIDs: [], rssi: Int(rssi))),
        isDirected: true)
    case .connected(let handle, let connection):
      if connection.role == .peripheral, phone.advertising.kind.isDirected { endDirectedAdvertising() }
      connecting.removeAll { $0 == connection.peer }
      let link = addLink(handle, peer: connection.peer, role: connection.role)
      remark(
        link, interval: connection.interval, latency: connection.peripheralLatency,
        timeout: connection.supervisionTimeout)
      tell(.connected(link.id, peer: connection.peer))
      beginBond(link)
      restoreServices(link)
    case .connectFailed(let address, let reason):
      guard connecting.contains(address) else { return }
      if reason == .connectionLimitExceeded { return refuses(address) }
      connecting.removeAll { $0 == address }
      tell(.connectFailed(address, reason: reason))
    case .disconnected(let handle, let reason):
      guard let link = link(handle) else { return }
      endPairing(link)
      removeLink(handle)
      tell(.disconnected(link.id, reason: link.endReason ?? reason))
    default: translateGATT(event)
    }
  }

  /// Directed advertising has had its answer, or none in its time: it begins again when the app asks for it.
  private func endDirectedAdvertising() {
    advertisement = nil
    isAdvertising = false
  }

  /// For an app that is Bluetooth switched off, and it stays so until a controller is attached or somebody switches on.
  private func controllerLost() {
    surroundings.observe(PlatformRemark(.controllerFault, nil, "the controller is given up"), device: index)
    isRadioOn = false
    isPoweredOn = false
    isAdvertising = false
    forgetWants()
    removeAllLinks()
    forgetAttempts()
    tell(.radioPower(false))
  }

  private func translateGATT(_ event: HostEvent) {
    switch event {
    case .attMTU(let handle, let mtu):
      guard let link = link(handle) else { return }
      link.attMTU = mtu
      link.hasExchangedMTU = true
      link.end(.attMTU)
      tell(.attMTU(link.id, mtu))
    case .servicesDiscovered(let handle, let service, let characteristics):
      guard let link = link(handle), !isOwnAnswer(link, service: service, characteristics) else { return }
      link.end(.discovery)
      let found = characteristics.map {
        ServiceDefinition.Characteristic(
          uuid: $0.uuid, properties: ServiceDefinition.Properties(rawValue: $0.properties.rawValue),
          instance: $0.instance)
      }
      if !found.isEmpty {
        keep(.byType(service), of: link, characteristics, byHandle: false) {
          .servicesDiscovered($0, service: service, characteristics: found)
        }
      }
      tell(.servicesDiscovered(link.id, service: service, characteristics: found))
    case .subscriptionChanged(let handle, let characteristic, let isOn):
      guard let link = link(handle) else { return }
      tell(.subscribed(link.id, characteristic: characteristic, isOn))
    case .subscribeCompleted(let handle, let characteristic, let isOn, let error):
      guard let link = link(handle), characteristic != .serviceChanged else { return }
      link.end(.subscription)
      noticeStaleCache(link, error)
      tell(.subscribed(link.id, characteristic: characteristic, isOn && error == nil))
    case .valueWritten(let handle, let characteristic, let value, _):
      arrived(value, characteristic, on: handle)
    case .valueNotified(let handle, let characteristic, let value):
      arrived(value, characteristic, on: handle)
    case .readCompleted(let handle, let characteristic, let value, let error):
      guard let link = link(handle) else { return }
      link.end(.read)
      noticeStaleCache(link, error)
      tell(.valueRead(link.id, characteristic: characteristic, octets: error == nil ? value : nil))
    case .writeCompleted(let handle, _, let error):
      guard let link = link(handle) else { return }
      writeCompleted(link, error: error)
    case .readyToSend(let handle):
      if let link = link(handle) { tell(.readyToSend(link.id)) }
    case .indicationConfirmed(let handle, let attribute, let characteristic):
      guard let link = link(handle), let own = attributes[attribute] else { return }
      tell(.gatt(.confirmed(link.id, own.key, type: characteristic)))
    case .transactionTimeout(let handle):
      observe(.transactionTimeout, link(handle)?.id, "no answer within 30 s, the link carries no more ATT")
      if phone.att.timeoutEndsLink { host.disconnect(handle) }
    case .connectionParameters(let handle, let interval, let latency, let timeout):
      guard let link = link(handle) else { return }
      observe(
        .linkParameters, link.id,
        "connection interval \(Self.milliseconds(ofInterval: interval)) ms, peripheral latency \(latency),"
          + " supervision timeout \(Int(timeout) * 10) ms")
      remark(link, interval: interval, latency: latency, timeout: timeout)
      if watches.links {
        tell(.gap(.parameters(link.id, interval: interval, latency: latency, timeout: timeout)))
      }
    case .parameterUpdateAnswered(let handle, accepted: false):
      observe(
        .parametersRefused, link(handle)?.id, "the phone of the central refuses the connection parameters asked for")
    default:
      if translateAttribute(event) || translateSecurity(event) || translateChannel(event) || translatePHY(event) {
        return
      }
      if let remark = remark(on: event) { surroundings.observe(remark, device: index) }
    }
  }

  /// - Parameter interval: in units of 1.25 ms.
  private static func milliseconds(ofInterval interval: UInt16) -> String {
    "\(Int(interval) * 5 / 4)" + ["", ".25", ".5", ".75"][Int(interval) * 5 % 4]
  }

  /// Says what is out of the ordinary about the parameters of a link.
  private func remark(_ link: AppLink, interval: UInt16, latency: UInt16, timeout: UInt16) {
    let units = Int(interval) * (1 + Int(latency))
    let text =
      "connection interval \(Self.milliseconds(ofInterval: interval)) ms"
      + (latency > 0 ? ", peripheral latency \(latency)" : "")
    // In units of 1.25 ms: 300 ms.
    if units >= 240 { observe(.slowLink, link.id, "\(text), so that it listens every \(units * 5 / 4) ms only") }
    if timeout <= 20 || Int(timeout) * 8 < units * 6 {
      observe(.shortTimeout, link.id, "its supervision timeout is \(Int(timeout) * 10) ms, at a \(text)")
    }
    if timeout >= 1_000 { observe(.longTimeout, link.id, "its supervision timeout is \(Int(timeout) * 10) ms") }
  }

  /// Says why advertising was refused.
  func refusedAdvertising(_ status: HCI.ErrorCode) {
    guard status == .connectionLimitExceeded else {
      return observe(.advertisingRefused, nil, "the controller refused it: \(status.reasonText)")
    }
    let inUse = links.count { $0.role == .peripheral }
    let most = phone.connection.linksAsPeripheral
    observe(
      .noRoomForLinks, nil,
      inUse >= most
        ? "\(inUse) of \(most) links as peripheral are in use"
        : "\(links.count) of \(phone.connection.links) links are in use")
  }

  func observe(_ kind: PlatformRemark.Kind, _ link: LinkID?, _ text: String) {
    surroundings.observe(PlatformRemark(kind, link, text), device: index)
  }

  /// What a host stack noticed and no app is told; nil for events that are nothing out of the ordinary.
  private func remark(on event: HostEvent) -> PlatformRemark? {
    switch event {
    case .controllerFault(let text): PlatformRemark(.controllerFault, nil, text)
    case .protocolViolation(let handle, let text): PlatformRemark(.protocolViolation, link(handle)?.id, text)
    case .valueTruncated(let handle, _, let offered, let sent):
      PlatformRemark(.valueTruncated, link(handle)?.id, "\(offered) octets offered, \(sent) sent")
    default: nil
    }
  }
}
