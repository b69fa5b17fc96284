import AppSeam

/// The services that managers of a phone have published, by key.
struct LocalAttributes {
  final class Entry {
    let key: ServiceKey
    let service: CBMutableService
    let record: LocalService
    weak var manager: CBPeripheralManager?

    init(key: ServiceKey, service: CBMutableService, record: LocalService, manager: CBPeripheralManager) {
      self.key = key
      self.service = service
      self.record = record
      self.manager = manager
    }
  }

  private(set) var entries: [Entry] = []
  private var count = 0

  /// Goes on after the numbers of an earlier launch.
  mutating func beginNumbers(at number: Int) { count = number }

  /// The next number, which nobody has taken yet.
  var upcomingNumber: Int { count }

  mutating func nextNumber() -> Int {
    count += 1
    return count - 1
  }

  mutating func add(_ entry: Entry) { entries.append(entry) }
  mutating func remove(_ key: ServiceKey) { entries.removeAll { $0.key == key } }

  subscript(key: ServiceKey) -> Entry? { entries.first { $0.key == key } }

  func entry(of attribute: AttributeKey) -> Entry? {
    entries.first { entry in entry.record.characteristics.contains { $0.key == attribute } }
  }

  func owner(of key: ServiceKey) -> CBPeripheralManager? { self[key]?.manager }
  func owner(of attribute: AttributeKey) -> CBPeripheralManager? { entry(of: attribute)?.manager }

  func characteristic(_ attribute: AttributeKey) -> CBMutableCharacteristic? {
    for case let characteristic as CBMutableCharacteristic in entry(of: attribute)?.service.characteristics ?? []
    where characteristic.key == attribute { return characteristic }
    return nil
  }

}
