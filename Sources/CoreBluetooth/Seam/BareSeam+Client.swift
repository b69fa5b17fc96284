import AppSeam
import BluetoothWire

/// The client's half over the seam: a service at a time, characteristics by UUID.
extension BareSeam {
  func lowerClient(_ wish: PhoneWish) {
    switch wish {
    case .discoverServices(let id, let uuids): discover(id, uuids)
    case .discoverIncluded(let id, let service, _):
      remark(.seamIncluded, "the seam has no included services: none are found, and none are published")
      phone.take(.included(id, service, [], error: nil))
    case .discoverCharacteristics(let id, let service, let uuids):
      let all = table(id).characteristics(of: service)
      phone.take(.characteristics(id, service, all.filter { uuids?.contains($0.uuid) ?? true }, error: nil))
    case .discoverDescriptors(let id, let characteristic):
      remark(
        .seamDescriptors, "the seam has no descriptors: only the Client Characteristic Configuration is found")
      let own = characteristic.end > characteristic.value
      let found = FoundDescriptor(uuid: .clientCharacteristicConfiguration, handle: characteristic.value + 1)
      phone.take(.descriptors(id, characteristic, own ? [found] : [], error: nil))
    case .read(let id, let handle): read(id, handle)
    case .write(let id, let handle, let octets):
      guard let uuid = uuid(id, handle) else {
        phone.take(.valueWritten(id, handle, error: ATT.ErrorCode.writeNotPermitted.rawValue))
        return
      }
      table(id).asked(write: handle, uuid)
      phone.ask(.write(id, characteristic: uuid, octets: octets))
    case .writeWithoutResponse(let id, let handle, let octets):
      guard let uuid = uuid(id, handle) else {
        phone.take(.submitted(id, handle, accepted: true))
        return
      }
      submissions[id, default: []].append(.write(handle))
      phone.ask(.writeWithoutResponse(id, characteristic: uuid, octets: octets))
    case .configure(let id, let handle, let isOn):
      guard let uuid = uuid(id, handle) else { return }
      table(id).asked(configure: handle, uuid, isOn)
      phone.ask(.subscribe(id, characteristic: uuid, isOn))
    default: break
    }
  }

  private func read(_ id: LinkID, _ handle: ATT.Handle) {
    let table = table(id)
    if let uuid = uuid(id, handle) {
      table.asked(read: handle, uuid)
      phone.ask(.read(id, characteristic: uuid))
    } else {
      // The configuration, which is known without asking.
      let isOn = table.notifying.contains(handle - 1)
      phone.take(.valueRead(id, handle, [isOn ? 1 : 0, 0], error: nil))
    }
  }

  /// The type by which the seam finds the characteristic with this value handle.
  private func uuid(_ id: LinkID, _ handle: ATT.Handle) -> BluetoothUUID? {
    let table = table(id)
    guard let uuid = table.uuid(handle) else { return nil }
    if table.count(uuid) > 1 {
      remark(.seamDuplicateUUID, "the seam reaches only the first of several characteristics \(uuid)")
    }
    return uuid
  }

  private func discover(_ id: LinkID, _ uuids: [BluetoothUUID]?) {
    var wanted: [BluetoothUUID] = []
    if uuids == nil {
      remark(
        .discoverAll,
        "the seam cannot discover all services: those are asked for that the peer advertises or the app has named")
    }
    let peer = phone.link(id)?.peer
    let known = (peer.flatMap { phone.book[$0] }?.services ?? []) + phone.book.namedServices
    for uuid in uuids ?? known where !wanted.contains(uuid) { wanted.append(uuid) }
    guard !wanted.isEmpty else {
      phone.take(.services(id, [], error: nil))
      return
    }
    table(id).jobs.append(RemoteTable.DiscoveryJob(open: wanted))
    for uuid in wanted { phone.ask(.discover(id, service: uuid)) }
  }

  func discovered(
    _ id: LinkID, _ service: BluetoothUUID, _ characteristics: [ServiceDefinition.Characteristic]
  ) -> [PhoneFact] {
    let table = table(id)
    let found = characteristics.isEmpty ? nil : table.enter(service, characteristics)
    guard let index = table.jobs.firstIndex(where: { $0.open.contains(service) }) else { return [] }
    var job = table.jobs[index]
    job.open.remove(at: job.open.firstIndex(of: service)!)
    if let found { job.found.append(found) }
    guard job.open.isEmpty else {
      table.jobs[index] = job
      return []
    }
    table.jobs.remove(at: index)
    return [.services(id, job.found, error: nil)]
  }

  func subscribed(_ id: LinkID, _ uuid: BluetoothUUID, _ isOn: Bool) -> [PhoneFact] {
    if !phone.isToldApart, let answer = configured(id, uuid, isOn) { return [answer] }
    guard let record = phone.local.first(uuid) else { return [] }
    return [.subscription(id, record.key, isOn)]
  }

  /// The client's own configuration has its answer; nil: it waits for none.
  func configured(_ id: LinkID, _ uuid: BluetoothUUID, _ isOn: Bool) -> PhoneFact? {
    guard let answer = table(id).takeConfiguration(uuid, isOn) else { return nil }
    let error = answer.asked && !isOn ? ATT.ErrorCode.unlikelyError.rawValue : nil
    return .configured(id, answer.handle, isOn, error: error)
  }

  func received(_ id: LinkID, _ uuid: BluetoothUUID, _ octets: [UInt8]) -> [PhoneFact] {
    let table = table(id)
    let handle = phone.isToldApart ? nil : table.notifying.first { table.uuid($0) == uuid }
    let record = phone.local.first(uuid)
    if handle != nil, record != nil {
      remark(
        .seamAmbiguous,
        "the seam does not say whether a value of \(uuid) is a write or a notification on a link of both roles")
    }
    if let handle, record == nil || phone.link(id)?.isOurs == true { return [.notified(id, handle, octets)] }
    guard let record else { return [] }
    let part = WritePart(link: id, attribute: record.key, offset: 0, octets: octets)
    return [.writesAsked(nextRequest(), [part], needsAnswer: false)]
  }
}
