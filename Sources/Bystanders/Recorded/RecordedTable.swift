import AppSeam
import BluetoothWire
import CaptureCheck

/// The attributes of a recorded device as a phone publishes them, and what of them the capture does not show.
struct RecordedTable {
  private(set) var services: [LocalService] = []
  private(set) var notes: [String] = []
  private var places: [ATT.Handle: RecordedPlace] = [:]

  /// Services that each phone has itself.
  private static let own: [BluetoothUUID] = [.genericAccess, .genericAttribute]

  init(_ map: AttributeMap, _ follower: RecordingFollower) {
    var known: Set<ATT.Handle> = []
    for service in map.services {
      let range = service.start...service.end
      let characteristics = map.characteristics.filter { range.contains($0.value) }
      known.formUnion(characteristics.map(\.value))
      if Self.own.contains(service.uuid) {
        known.formUnion(follower.used.all.filter { range.contains($0) })
        continue
      }
      var local = LocalService(key: ServiceKey(Int(service.start)), uuid: service.uuid, characteristics: [])
      for (index, characteristic) in characteristics.enumerated() {
        let end =
          index + 1 < characteristics.count ? max(characteristics[index + 1].declaration, 1) - 1 : service.end
        let descriptors = map.descriptors.filter { $0.handle > characteristic.value && $0.handle <= end }
        known.formUnion(descriptors.map(\.handle))
        local.characteristics.append(Self.characteristic(characteristic, descriptors, follower))
      }
      if characteristics.isEmpty {
        notes.append("the capture does not show what is in its service \(service.uuid)")
      }
      services.append(local)
    }
    let lost = map.characteristics.filter { !known.contains($0.value) && map.service(holding: $0.value) == nil }
    known.formUnion(lost.map(\.value))
    if !lost.isEmpty {
      notes.append(
        "the capture does not show in which services these are, which are not played: "
          + Self.list(lost.map { "\($0.uuid)" }))
    }
    let told = follower.notified.union(follower.indicated)
    let odd = follower.used.all.filter { handle in
      told.contains(handle) && known.contains(handle) && !map.characteristics.contains { $0.value == handle }
    }
    if !odd.isEmpty {
      notes.append(
        "it tells values of attributes that are no characteristics, which are not played: " + Self.list(odd))
    }
    let unknown = follower.used.all.filter { !known.contains($0) }
    if !unknown.isEmpty {
      notes.append(
        "the capture does not show what these handles are, which are not played: "
          + Self.list(unknown)
          + "; a capture from the first connection with the device, or after it was forgotten, has its discovery")
    }
    let unasked = services.flatMap(\.characteristics).filter { characteristic in
      follower.unasked.contains(ATT.Handle(truncatingIfNeeded: characteristic.key.rawValue))
    }
    if !unasked.isEmpty {
      notes.append(
        "the capture does not show who subscribed to these, and here somebody must: "
          + Self.list(unasked.map { "\($0.uuid)" }))
    }
    number()
  }

  /// Nil: it is no value of its services.
  func place(of handle: ATT.Handle) -> RecordedPlace? { places[handle] }

  private mutating func number() {
    var counts: [BluetoothUUID: Int] = [:]
    for characteristic in services.flatMap(\.characteristics) {
      let number = counts[characteristic.uuid, default: 0]
      counts[characteristic.uuid] = number + 1
      places[ATT.Handle(truncatingIfNeeded: characteristic.key.rawValue)] = RecordedPlace(
        uuid: characteristic.uuid, number: number)
    }
  }

  private static func characteristic(
    _ known: AttributeMap.Characteristic, _ descriptors: [(handle: ATT.Handle, uuid: BluetoothUUID)],
    _ follower: RecordingFollower
  ) -> LocalCharacteristic {
    let handle = known.value
    var properties = known.properties
    if properties.isEmpty {
      if follower.reads[handle] != nil || follower.shown[handle] != nil { properties.insert(.read) }
      if follower.written.contains(handle) { properties.formUnion([.write, .writeWithoutResponse]) }
      if follower.notified.contains(handle) { properties.insert(.notify) }
      if follower.indicated.contains(handle) { properties.insert(.indicate) }
    }
    var permissions: AttributePermissions = []
    if properties.contains(.read) || follower.reads[handle] != nil { permissions.insert(.read) }
    if !properties.isDisjoint(with: [.write, .writeWithoutResponse]) || follower.written.contains(handle) {
      permissions.insert(.write)
    }
    if let code = follower.configurationErrors[handle].map({ ATT.ErrorCode($0) }),
      [.insufficientAuthentication, .insufficientEncryption].contains(code)
    {
      permissions.insert(.configureEncrypted)
    }
    let others = descriptors.filter { $0.uuid != .clientCharacteristicConfiguration }
    return LocalCharacteristic(
      key: AttributeKey(Int(handle)), uuid: known.uuid, properties: properties.rawValue, permissions: permissions,
      descriptors: others.map { descriptor in
        let read = follower.reads[descriptor.handle]?.first { $0.error == nil }?.octets
        return LocalDescriptor(
          key: AttributeKey(Int(descriptor.handle)), uuid: descriptor.uuid,
          value: Array((read ?? follower.shown[descriptor.handle] ?? []).prefix(ATT.longestValue)))
      })
  }

  private static func list(_ handles: [ATT.Handle]) -> String {
    list(handles.map { "0x" + String(hexadecimal: $0, digits: 4, uppercase: true) })
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(12).joined(separator: ", ") + (names.count > 12 ? " and others" : "")
  }
}
