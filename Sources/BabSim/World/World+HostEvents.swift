import BluetoothWire
import SimKernel
import VirtualRadio

/// What a host stack tells becomes what an app is told.
extension World {
  func translate(_ event: HostEvent, _ node: DeviceNode) {
    switch event {
    case .poweredOn:
      node.isPoweredOn = true
      releaseHeld(node)
    case .controllerLost: controllerLost(node)
    case .advertisingStarted(let status):
      if status != .success { node.isAdvertising = false }
      tell(node, .advertisingStarted(status == .success))
    case .advertisingStopped:
      // A connection ended it; phones go on advertising for their app.
      if node.isAdvertising {
        node.isAdvertising = false
        refreshAdvertising(node)
      }
    case .scanReport(let address, let data, let scanResponse, let rssi):
      var advertisement = Advertisement(address: address, data: data, scanResponse: scanResponse, rssi: Int(rssi))
      if node.device.phone.background.advertising == .overflowArea, !node.isInBackground {
        // Only the platform that writes the overflow area reads it, and only for the services it looks for.
        advertisement.serviceUUIDs += (node.scanFilter ?? []).filter {
          !advertisement.serviceUUIDs.contains($0) && AdvertisingDataBuilder.overflowArea(in: data, mayHold: $0)
        }
      }
      report(advertisement, node)
    case .connected(let handle, let connection):
      node.connecting.removeAll { $0 == connection.peer }
      let link = node.addLink(
        handle, peer: connection.peer, peerDevice: peerDevice(node, handle, connection.peer), role: connection.role)
      tell(node, .connected(link.id, peer: connection.peer))
    case .connectFailed(let address, let reason):
      guard node.connecting.contains(address) else { return }
      node.connecting.removeAll { $0 == address }
      tell(node, .connectFailed(address, reason: reason))
    case .disconnected(let handle, let reason):
      guard let link = node.link(handle) else { return }
      node.removeLink(handle)
      tell(node, .disconnected(link.id, reason: reason))
    default: translateGATT(event, node)
    }
  }

  /// For an app that is Bluetooth switched off, and it stays so until a controller is attached or somebody switches on.
  private func controllerLost(_ node: DeviceNode) {
    record(.platform(PlatformRemark(.controllerFault, nil, "the controller is given up")), node.index)
    node.isRadioOn = false
    node.isPoweredOn = false
    node.isAdvertising = false
    node.removeAllLinks()
    node.connecting.removeAll()
    tell(node, .radioPower(false))
  }

  private func translateGATT(_ event: HostEvent, _ node: DeviceNode) {
    switch event {
    case .attMTU(let handle, let mtu):
      guard let link = node.link(handle) else { return }
      link.attMTU = mtu
      tell(node, .attMTU(link.id, mtu))
    case .servicesDiscovered(let handle, let service, let characteristics):
      guard let link = node.link(handle) else { return }
      tell(
        node,
        .servicesDiscovered(
          link.id, service: service,
          characteristics: characteristics.map {
            ServiceDefinition.Characteristic(
              uuid: $0.uuid, properties: ServiceDefinition.Properties(rawValue: $0.properties.rawValue))
          }))
    case .subscriptionChanged(let handle, let characteristic, let isOn):
      guard let link = node.link(handle) else { return }
      tell(node, .subscribed(link.id, characteristic: characteristic, isOn))
    case .subscribeCompleted(let handle, let characteristic, let isOn, let error):
      guard let link = node.link(handle) else { return }
      tell(node, .subscribed(link.id, characteristic: characteristic, isOn && error == nil))
    case .valueWritten(let handle, let characteristic, let value, _),
      .valueNotified(let handle, let characteristic, let value):
      guard let link = node.link(handle) else { return }
      arrived(Value(link: link.id, characteristic: characteristic, octets: value), node)
    case .readCompleted(let handle, let characteristic, let value, let error):
      guard let link = node.link(handle) else { return }
      tell(node, .valueRead(link.id, characteristic: characteristic, octets: error == nil ? value : nil))
    case .writeCompleted(let handle, let characteristic, let error):
      guard let link = node.link(handle), link.writes.isEmpty || link.writes.removeFirst() else { return }
      tell(node, .writeCompleted(link.id, characteristic: characteristic, error: error?.rawValue))
    case .readyToSend(let handle):
      if let link = node.link(handle) { tell(node, .readyToSend(link.id)) }
    default: if let remark = remark(on: event, node) { record(.platform(remark), node.index) }
    }
  }

  /// What a host stack noticed and no app is told; nil for events that are nothing out of the ordinary.
  private func remark(on event: HostEvent, _ node: DeviceNode) -> PlatformRemark? {
    switch event {
    case .controllerFault(let text): PlatformRemark(.controllerFault, nil, text)
    case .protocolViolation(let handle, let text): PlatformRemark(.protocolViolation, node.link(handle)?.id, text)
    case .transactionTimeout(let handle):
      PlatformRemark(.transactionTimeout, node.link(handle)?.id, "no answer within 30 s, the link carries no more ATT")
    case .valueTruncated(let handle, _, let offered, let sent):
      PlatformRemark(.valueTruncated, node.link(handle)?.id, "\(offered) octets offered, \(sent) sent")
    default: nil
    }
  }

  /// Tells an app of an advertiser if its scan asks for it.
  private func report(_ advertisement: Advertisement, _ node: DeviceNode) {
    guard let filter = node.scanFilter else { return }
    guard filter.isEmpty || advertisement.serviceUUIDs.contains(where: filter.contains) else { return }
    tell(node, .discovered(advertisement))
  }
}

extension Advertisement {
  /// Merges advertising data and scan response as platforms do; what cannot be read is left out.
  init(address: BluetoothAddress, data: [UInt8], scanResponse: [UInt8], rssi: Int) {
    self.init(address: address, localName: nil, serviceUUIDs: [], rssi: rssi)
    for structure in ADStructure.readable(in: data) + ADStructure.readable(in: scanResponse) {
      switch structure {
      case .serviceUUIDs16(let list, _): serviceUUIDs += list.map { BluetoothUUID($0) }
      case .serviceUUIDs128(let list, _): serviceUUIDs += list
      case .localName(let name, let isComplete):
        if isComplete || localName == nil { localName = name }
      default: break
      }
    }
  }
}
