import AppSeam
import BluetoothWire

/// What the seam has told of the attributes at the other end of a link, with handles of our own making.
final class RemoteTable {
  let link: LinkID
  private(set) var services: [FoundService] = []
  private var characteristics: [(service: ATT.Handle, found: FoundCharacteristic)] = []
  private var nextHandle: ATT.Handle = 1
  var jobs: [DiscoveryJob] = []
  private var reads: [(uuid: BluetoothUUID, handle: ATT.Handle)] = []
  private var writes: [(uuid: BluetoothUUID, handle: ATT.Handle)] = []
  private var configurations: [(uuid: BluetoothUUID, handle: ATT.Handle, isOn: Bool)] = []
  /// Value handles whose notifications are on.
  private(set) var notifying: [ATT.Handle] = []

  /// A discovery that takes several questions.
  struct DiscoveryJob {
    var open: [BluetoothUUID]
    var found: [FoundService] = []
  }

  init(link: LinkID) { self.link = link }

  /// Enters a service; one that is known already keeps its handles.
  func enter(_ service: BluetoothUUID, _ list: [ServiceDefinition.Characteristic]) -> FoundService {
    if let known = services.first(where: { $0.uuid == service }), isSame(known, list) { return known }
    let start = nextHandle
    var handle = start
    for characteristic in list {
      let value = handle + 2
      let hasConfiguration = characteristic.properties.rawValue & 0x30 != 0
      let end = hasConfiguration ? value + 1 : value
      characteristics.append(
        (
          start,
          FoundCharacteristic(
            uuid: characteristic.uuid, properties: characteristic.properties.rawValue, value: value, end: end)
        ))
      handle = end
    }
    nextHandle = handle + 1
    let found = FoundService(uuid: service, start: start, end: handle)
    services.removeAll { $0.uuid == service }
    services.append(found)
    return found
  }

  private func isSame(_ service: FoundService, _ list: [ServiceDefinition.Characteristic]) -> Bool {
    let known = self.characteristics(of: service)
    return known.map(\.uuid) == list.map(\.uuid) && known.map(\.properties) == list.map(\.properties.rawValue)
  }

  func characteristics(of service: FoundService) -> [FoundCharacteristic] {
    characteristics.filter { $0.service == service.start }.map(\.found)
  }

  func uuid(_ handle: ATT.Handle) -> BluetoothUUID? { characteristics.first { $0.found.value == handle }?.found.uuid }

  /// How many characteristics of a type there are: the seam cannot tell them apart.
  func count(_ uuid: BluetoothUUID) -> Int { characteristics.count { $0.found.uuid == uuid } }

  func handle(_ uuid: BluetoothUUID) -> ATT.Handle? { characteristics.first { $0.found.uuid == uuid }?.found.value }

  func asked(read handle: ATT.Handle, _ uuid: BluetoothUUID) { reads.append((uuid, handle)) }
  func asked(write handle: ATT.Handle, _ uuid: BluetoothUUID) { writes.append((uuid, handle)) }
  func asked(configure handle: ATT.Handle, _ uuid: BluetoothUUID, _ isOn: Bool) {
    configurations.append((uuid, handle, isOn))
  }

  func takeRead(_ uuid: BluetoothUUID) -> ATT.Handle? {
    guard let index = reads.firstIndex(where: { $0.uuid == uuid }) else { return nil }
    return reads.remove(at: index).handle
  }

  func takeWrite(_ uuid: BluetoothUUID) -> ATT.Handle? {
    guard let index = writes.firstIndex(where: { $0.uuid == uuid }) else { return nil }
    return writes.remove(at: index).handle
  }

  /// - Returns: the handle, and what was asked for.
  func takeConfiguration(_ uuid: BluetoothUUID, _ isOn: Bool) -> (handle: ATT.Handle, asked: Bool)? {
    guard let index = configurations.firstIndex(where: { $0.uuid == uuid }) else { return nil }
    let first = configurations.remove(at: index)
    notifying.removeAll { $0 == first.handle }
    if isOn { notifying.append(first.handle) }
    return (first.handle, first.isOn)
  }
}
