import AppSeam
import BluetoothWire

@testable import CoreBluetooth

/// Attributes and channels.
extension Room {
  func perform(_ effect: GATTEffect, of device: RoomDevice) {
    switch effect {
    case .publish(let record):
      device.table.publish(record)
      tell(device, .published(record.key, error: nil))
    case .unpublish(let key):
      guard let found = device.table.unpublish(key) else { return }
      for link in device.links {
        tell(link.peer, .servicesChanged(link.peerID, start: found.start, end: found.end))
      }
    case .answer(let request, let value, let error): answer(request, value, error, of: device)
    case .notify(let id, let key, let type, let octets):
      let isTaken = device.takes()
      tell(device, .notifySubmitted(id, key, type: type, accepted: isTaken))
      if isTaken, let link = device.link(id), let source = device.table.characteristic(key) {
        notify(octets, source, link, from: device)
      }
    default: ask(effect, of: device)
    }
  }

  func perform(_ effect: ChannelEffect, of device: RoomDevice) {
    switch effect {
    case .publish: tell(device, .published(psm: 0x80, isRefused: false))
    case .unpublish(let psm): tell(device, .unpublished(psm: psm))
    case .open(let id, let psm): open(id, psm, of: device)
    case .send(let id, let octets):
      guard let channel = device.channels.first(where: { $0.id == id }) else { return }
      tell(channel.peer, .received(channel.peerID, octets: octets))
    case .close(let id):
      guard let channel = device.channels.first(where: { $0.id == id }) else { return }
      tell(device, .closed(id))
      tell(channel.peer, .closed(channel.peerID))
    }
  }

  private func open(_ id: LinkID, _ psm: UInt16, of device: RoomDevice) {
    guard let link = device.link(id), psm == 0x80 else { return tell(device, .opened(id, psm: psm, nil)) }
    let here = ChannelID(channelCount)
    let there = ChannelID(channelCount + 1)
    channelCount += 2
    device.channels.append((here, link.peer, there))
    link.peer.channels.append((there, device, here))
    tell(link.peer, .opened(link.peerID, psm: psm, there))
    tell(device, .opened(id, psm: psm, here))
  }

  private func ask(_ effect: GATTEffect, of device: RoomDevice) {
    switch effect {
    case .discoverServices(let id, let types):
      let all = device.link(id)?.peer.table.services.map(\.found) ?? []
      tell(device, .services(id, all.filter { $0.isPrimary && (types.isEmpty || types.contains($0.uuid)) }, error: nil))
    case .discoverIncluded(let id, let service):
      let table = device.link(id)?.peer.table
      let keys = table?.services.first { $0.found == service }?.included ?? []
      let found = keys.compactMap { key in table?.services.first { $0.key == key }?.found }
      tell(device, .included(id, of: service, found, error: nil))
    case .discoverCharacteristics(let id, let service):
      let all = device.link(id)?.peer.table.services.first { $0.found == service }?.characteristics ?? []
      let found = all.map {
        FoundCharacteristic(uuid: $0.uuid, properties: $0.properties, value: $0.value, end: $0.end)
      }
      tell(device, .characteristics(id, of: service, found, error: nil))
    case .discoverDescriptors(let id, let characteristic):
      let all = device.link(id)?.peer.table.characteristic(characteristic.value)?.descriptors ?? []
      tell(
        device,
        .descriptors(
          id, of: characteristic, all.map { FoundDescriptor(uuid: $0.uuid, handle: $0.handle) }, error: nil))
    case .read(let id, let handle, _): read(id, handle, of: device)
    case .write(let id, let handle, _, let octets): write(id, handle, octets, needsAnswer: true, of: device)
    case .writeWithoutResponse(let id, let handle, let type, let octets):
      let isTaken = device.takes()
      tell(device, .submitted(id, handle, type: type, accepted: isTaken))
      if isTaken { write(id, handle, octets, needsAnswer: false, of: device) }
    case .configure(let id, let handle, let type, let isOn):
      guard let link = device.link(id), let target = link.peer.table.characteristic(handle) else { return }
      subscribe(link, target, isOn, of: device)
      tell(device, .configured(id, handle, type: type, isOn, error: nil))
    case .readRSSI(let id): tell(device, .rssi(id, -61))
    default: break
    }
  }

  private func read(_ id: LinkID, _ handle: ATT.Handle, of device: RoomDevice) {
    guard let link = device.link(id) else { return }
    if let descriptor = link.peer.table.descriptor(handle) {
      return tell(device, .valueRead(id, handle, type: descriptor.uuid, octets: descriptor.value, error: nil))
    }
    guard let target = link.peer.table.characteristic(handle) else {
      return tell(device, .valueRead(id, handle, type: BluetoothUUID(0), octets: [], error: 0x01))
    }
    if let octets = target.octets {
      tell(device, .valueRead(id, handle, type: target.uuid, octets: octets, error: nil))
    } else if target.permissions.isDisjoint(with: [.read, .readEncrypted]) {
      tell(device, .valueRead(id, handle, type: target.uuid, octets: [], error: 0x02))
    } else {
      let request = nextRequest()
      link.peer.questions.append(
        RoomQuestion(request: request, client: device, link: id, handle: handle, type: target.uuid, isRead: true))
      tell(link.peer, .readAsked(request, link.peerID, target.key, type: target.uuid, offset: 0))
    }
  }

  private func write(
    _ id: LinkID, _ handle: ATT.Handle, _ octets: [UInt8], needsAnswer: Bool, of device: RoomDevice
  ) {
    guard let link = device.link(id), let target = link.peer.table.characteristic(handle) else { return }
    guard !target.permissions.isDisjoint(with: [.write, .writeEncrypted]) else {
      if needsAnswer { tell(device, .valueWritten(id, handle, type: target.uuid, error: 0x03)) }
      return
    }
    let request = nextRequest()
    if needsAnswer {
      link.peer.questions.append(
        RoomQuestion(request: request, client: device, link: id, handle: handle, type: target.uuid, isRead: false))
    }
    // Vol 3, Part G, 4.9.4: prepared writes of ATT_MTU − 5 octets each.
    let size = octets.count > link.attMTU - 3 ? link.attMTU - 5 : max(1, octets.count)
    let parts = stride(from: 0, to: max(1, octets.count), by: size).map { offset in
      WritePart(attribute: target.key, offset: offset, octets: Array(octets.dropFirst(offset).prefix(size)))
    }
    tell(link.peer, .writesAsked(request, link.peerID, type: target.uuid, parts, needsAnswer: needsAnswer))
  }

  private func answer(_ request: RequestID, _ value: [UInt8], _ error: UInt8?, of device: RoomDevice) {
    guard let index = device.questions.firstIndex(where: { $0.request == request }) else { return }
    var question = device.questions.remove(at: index)
    guard question.isRead else {
      return tell(question.client, .valueWritten(question.link, question.handle, type: question.type, error: error))
    }
    guard let link = question.client.link(question.link) else { return }
    question.soFar += value.prefix(link.attMTU - 1)
    // A full PDU: Read Blob asks for the rest (Vol 3, Part G, 4.8.3).
    if error == nil, value.count >= link.attMTU - 1, let key = device.table.characteristic(question.handle)?.key {
      question.request = nextRequest()
      device.questions.append(question)
      tell(
        device,
        .readAsked(
          question.request, link.peerID, key, type: question.type, offset: question.soFar.count))
      return
    }
    tell(
      question.client,
      .valueRead(
        question.link, question.handle, type: question.type, octets: question.soFar, error: error))
  }

  private func nextRequest() -> RequestID {
    requestCount += 1
    return RequestID(requestCount)
  }
}
