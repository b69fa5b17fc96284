import AppSeam
import BluetoothWire

@testable import CoreBluetooth

/// Links, advertising and scanning.
extension Room {
  func perform(_ effect: AppEffect, of device: RoomDevice) {
    switch effect {
    case .advertise(let request):
      device.advertised = device.mayAdvertise ? request : nil
      tell(device, .advertisingStarted(device.mayAdvertise))
      if device.mayAdvertise { for other in devices where other !== device { meet(device, other) } }
    case .stopAdvertising: device.advertised = nil
    case .gap(.scan(let request)):
      device.scan = request.services
      for other in devices where other !== device { show(other, to: device) }
    case .stopScanning: device.scan = nil
    case .connect(let address):
      if device.links.contains(where: { $0.peer.address == address }) {
        return tell(device, .connectFailed(address, reason: .connectionAlreadyExists))
      }
      device.connecting.append(address)
      if let other = self.device(address) { meet(other, device) }
    case .cancelConnect(let address): device.connecting.removeAll { $0 == address }
    case .disconnect(let id): end(id, of: device, here: .connectionTerminatedByLocalHost)
    case .exchangeMTU(let id, let wish): exchange(id, wish, of: device)
    default: break
    }
  }

  private func meet(_ advertiser: RoomDevice, _ other: RoomDevice) {
    guard advertiser.advertised != nil else { return }
    show(advertiser, to: other)
    if other.connecting.contains(advertiser.address) { link(other, advertiser) }
  }

  private func show(_ advertiser: RoomDevice, to scanner: RoomDevice) {
    guard let request = advertiser.advertised, let filter = scanner.scan else { return }
    guard filter.isEmpty || request.serviceUUIDs.contains(where: filter.contains) else { return }
    tell(
      scanner,
      .discovered(
        Advertisement(
          address: advertiser.address, localName: request.localName.isEmpty ? nil : request.localName,
          serviceUUIDs: request.serviceUUIDs, rssi: -50)))
  }

  func link(_ central: RoomDevice, _ peripheral: RoomDevice) {
    central.connecting.removeAll { $0 == peripheral.address }
    let here = LinkID(central.linkCount)
    let there = LinkID(peripheral.linkCount)
    central.linkCount += 1
    peripheral.linkCount += 1
    central.links.append(RoomLink(id: here, peer: peripheral, peerID: there))
    peripheral.links.append(RoomLink(id: there, peer: central, peerID: here))
    tell(central, .connected(here, peer: peripheral.address))
    tell(peripheral, .connected(there, peer: central.address))
  }

  func end(
    _ id: LinkID, of device: RoomDevice, here: HCI.ErrorCode, there: HCI.ErrorCode = .remoteUserTerminatedConnection
  ) {
    guard let link = device.link(id) else { return }
    device.links.removeAll { $0.id == id }
    link.peer.links.removeAll { $0.id == link.peerID }
    tell(device, .disconnected(id, reason: here))
    tell(link.peer, .disconnected(link.peerID, reason: there))
  }

  private func exchange(_ id: LinkID, _ wish: Int, of device: RoomDevice) {
    guard let link = device.link(id), let other = link.peer.link(link.peerID) else { return }
    link.attMTU = min(wish, attMTU)
    other.attMTU = link.attMTU
    tell(device, .attMTU(id, link.attMTU))
    tell(link.peer, .attMTU(link.peerID, link.attMTU))
  }

  func subscribe(_ link: RoomLink, _ target: RoomTable.Characteristic, _ isOn: Bool, of device: RoomDevice) {
    let server = link.peer
    server.link(link.peerID)?.subscriptions.removeAll { $0 == target.value }
    if isOn { server.link(link.peerID)?.subscriptions.append(target.value) }
    tell(server, .subscription(link.peerID, target.key, type: target.uuid, isOn))
  }

  func notify(_ octets: [UInt8], _ source: RoomTable.Characteristic, _ link: RoomLink, from device: RoomDevice) {
    guard link.subscriptions.contains(source.value) else { return }
    tell(link.peer, .notified(link.peerID, source.value, type: source.uuid, octets: octets))
  }

  /// The stack of a phone has room for so many values, and says so.
  func makeRoom(_ phone: VirtualPhone, _ count: Int?) {
    let device = device(phone)
    device.room = count
    for link in device.links { tell(device, .readyToSend(link.id)) }
    run()
  }

  func power(_ phone: VirtualPhone, _ isOn: Bool) {
    let device = device(phone)
    if !isOn {
      device.advertised = nil
      device.scan = nil
      device.connecting = []
      for link in device.links {
        link.peer.links.removeAll { $0.id == link.peerID }
        tell(link.peer, .disconnected(link.peerID, reason: .remoteDeviceTerminatedDueToPowerOff))
      }
      device.links = []
    }
    give(phone, .radioPower(isOn))
  }
}
