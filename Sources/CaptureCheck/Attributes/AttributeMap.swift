public import BluetoothWire

/// What the handles of one server mean, as far as captures show it.
///
/// Filled from the answers of discovery (Core v5.4, Vol 3, Part G, 4.4 to 4.7). For a server whose discovery is not in
/// the capture nothing is known.
///
/// It holds at most `TrafficLimits.attributesOfServer` services, characteristics and descriptors each.
/// - Complexity: a question takes O(log n); learning takes O(1) in the order in which discovery goes.
public final class AttributeMap {
  public typealias Service = GATT.DiscoveredService

  public struct Characteristic: Hashable, Sendable {
    public var uuid: BluetoothUUID
    /// Empty when the capture shows the type of the value only, not its declaration.
    public var properties: GATT.Properties
    public var declaration: ATT.Handle
    public var value: ATT.Handle

    public init(uuid: BluetoothUUID, properties: GATT.Properties, declaration: ATT.Handle, value: ATT.Handle) {
      self.uuid = uuid
      self.properties = properties
      self.declaration = declaration
      self.value = value
    }
  }

  /// Sorted by `start`; they do not overlap.
  @exclusivity(unchecked) public private(set) var services: [Service] = []
  /// Sorted by `value`.
  @exclusivity(unchecked) public private(set) var characteristics: [Characteristic] = []
  /// Sorted by handle: types of descriptors.
  @exclusivity(unchecked) public private(set) var descriptors: [(handle: ATT.Handle, uuid: BluetoothUUID)] = []

  /// Links that are up to this server; and whether it waits among those that may be forgotten.
  @exclusivity(unchecked) var users = 0
  @exclusivity(unchecked) var isReleased = false
  /// Where the store keeps it.
  @exclusivity(unchecked) var address: BluetoothAddress?
  /// The last characteristic declaration that Find Information listed: the handle after it is a value.
  @exclusivity(unchecked) var listedDeclaration: ATT.Handle = 0

  public init() {}

  public var isEmpty: Bool { characteristics.isEmpty }
  /// Services, characteristics and descriptors.
  public var count: Int { services.count + characteristics.count + descriptors.count }

  /// The service that holds a handle.
  public func service(holding handle: ATT.Handle) -> Service? {
    let place = services.place { $0.start <= handle }
    guard place > 0, services[place - 1].end >= handle else { return nil }
    return services[place - 1]
  }

  /// The characteristic whose value a handle is.
  public func characteristic(value handle: ATT.Handle) -> Characteristic? {
    let place = characteristics.place { $0.value < handle }
    return place < characteristics.count && characteristics[place].value == handle ? characteristics[place] : nil
  }

  /// The characteristic that a descriptor's handle belongs to.
  public func characteristic(owning handle: ATT.Handle) -> Characteristic? {
    let place = characteristics.place { $0.declaration < handle }
    guard place > 0 else { return nil }
    // After the end of its service, a handle is no descriptor of it.
    if let service = service(holding: characteristics[place - 1].value), handle > service.end { return nil }
    return characteristics[place - 1]
  }

  public func descriptor(_ handle: ATT.Handle) -> BluetoothUUID? {
    let place = descriptors.place { $0.handle < handle }
    return place < descriptors.count && descriptors[place].handle == handle ? descriptors[place].uuid : nil
  }

  /// A service that overlaps others replaces them, with all that was known of their handles: the server has changed.
  /// A reversed range is nobody's and is not learned.
  public func learn(_ service: Service) {
    guard service.start > 0, service.start <= service.end else { return }
    let first = services.place { $0.end < service.start }
    let behind = services.place { $0.start <= service.end }
    if first + 1 == behind, services[first].start == service.start, services[first].uuid == service.uuid {
      services[first].end = service.end
      return
    }
    for old in services[first..<behind] { forgetInside(old.start...old.end) }
    services.removeSubrange(first..<behind)
    if services.count < TrafficLimits.attributesOfServer { services.insert(service, at: first) }
  }

  /// An inclusion only names a service that is elsewhere: it adds, and replaces nothing.
  func learnIncluded(_ service: Service) {
    guard self.service(holding: service.start) == nil, self.service(holding: service.end) == nil else { return }
    learn(service)
  }

  public func learn(_ characteristic: Characteristic) {
    guard characteristic.value > 0 else { return }
    forgetDescriptor(characteristic.value)
    let place = characteristics.place { $0.value < characteristic.value }
    if place < characteristics.count, characteristics[place].value == characteristic.value {
      let old = characteristics[place]
      // The type alone says less than the declaration did.
      if characteristic.properties.isEmpty && old.uuid == characteristic.uuid { return }
      characteristics[place] = characteristic
    } else if characteristics.count < TrafficLimits.attributesOfServer {
      characteristics.insert(characteristic, at: place)
    }
  }

  public func learn(descriptor uuid: BluetoothUUID, at handle: ATT.Handle) {
    guard handle > 0 else { return }
    let place = descriptors.place { $0.handle < handle }
    if place < descriptors.count, descriptors[place].handle == handle {
      descriptors[place].uuid = uuid
    } else if descriptors.count < TrafficLimits.attributesOfServer {
      descriptors.insert((handle, uuid), at: place)
    }
  }

  /// Forgets everything.
  public func forget() {
    services = []
    characteristics = []
    descriptors = []
    listedDeclaration = 0
  }

  /// Forgets what lies inside a range: the server said that its services changed.
  public func forget(_ range: ClosedRange<ATT.Handle>) {
    services.removeAll { $0.start <= range.upperBound && $0.end >= range.lowerBound }
    forgetInside(range)
    listedDeclaration = 0
  }

  private func forgetInside(_ range: ClosedRange<ATT.Handle>) {
    let first = characteristics.place { $0.value < range.lowerBound }
    let behind = characteristics.place { $0.value <= range.upperBound }
    characteristics.removeSubrange(first..<behind)
    let firstDescriptor = descriptors.place { $0.handle < range.lowerBound }
    let behindDescriptor = descriptors.place { $0.handle <= range.upperBound }
    descriptors.removeSubrange(firstDescriptor..<behindDescriptor)
  }

  private func forgetDescriptor(_ handle: ATT.Handle) {
    let place = descriptors.place { $0.handle < handle }
    if place < descriptors.count, descriptors[place].handle == handle { descriptors.remove(at: place) }
  }
}

extension Array {
  /// The first index whose element is not `before`; all that are come before those that are not.
  fileprivate func place(where before: (Element) -> Bool) -> Int {
    if let last, before(last) { return count }
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if before(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
