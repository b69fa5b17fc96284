import BluetoothWire

/// What a client has asked of the server at the other end of a link, and what it has found there.
struct ClientState {
  enum Procedure {
    case exchangeMTU(Int)
    case services
    case service(BluetoothUUID)
    case subscribe(BluetoothUUID, Bool)
    case read(BluetoothUUID)
    case write(BluetoothUUID, [UInt8])
  }

  /// What the outstanding request is about. Spec: Core v5.4, Vol 3, Part G, 4.
  enum Step {
    case idle
    /// 4.3.1.
    case exchangingMTU
    /// 4.4.1; the next handle to ask from.
    case findingServices(next: ATT.Handle, found: [GATT.DiscoveredService])
    /// 4.4.2.
    case findingService(BluetoothUUID, next: ATT.Handle, found: [ATT.HandleRange])
    /// 4.6.1.
    case findingCharacteristics(Discovery)
    /// 4.7.1.
    case findingDescriptors(Discovery)
    case subscribing(BluetoothUUID, Bool)
    /// 4.8.1 and 4.8.3.
    case reading(BluetoothUUID, handle: ATT.Handle, value: [UInt8])
    /// 4.9.3.
    case writing(BluetoothUUID)
    /// 4.9.4; `part` ends before `value.count` until the last one.
    case preparing(BluetoothUUID, handle: ATT.Handle, value: [UInt8], part: Range<Int>)
    case executing(BluetoothUUID, error: ATT.ErrorCode?)
  }

  /// A discovery of one service's characteristics and their descriptors.
  struct Discovery {
    var service: BluetoothUUID
    /// One range per instance of the service.
    var ranges: [ATT.HandleRange]
    /// The range, later the characteristic, that is being asked about.
    var index = 0
    var next: ATT.Handle
    var found: [GATT.DiscoveredCharacteristic] = []
  }

  /// The answer to a request.
  enum Answer {
    case response(ATT.PDU)
    case failure(ATT.ErrorCode)
  }

  /// Procedures that may wait on one link.
  static let procedureLimit = 64

  /// Services, and characteristics of one service, that a discovery takes; no real server has more.
  static let discoveryLimit = 1024

  var waiting: [Procedure] = []
  var step = Step.idle
  /// The opcode of the request that has no response yet.
  var request: ATT.Opcode?
  /// The ATT_MTU when it was sent.
  var requestMTU = ATT.defaultMTU
  /// Ordered by value handle.
  private(set) var discovered: [GATT.DiscoveredCharacteristic] = []
  private var lastFound = 0

  var isIdle: Bool { if case .idle = step { true } else { false } }

  func characteristic(_ uuid: BluetoothUUID) -> GATT.DiscoveredCharacteristic? {
    for characteristic in discovered where characteristic.uuid == uuid { return characteristic }
    return nil
  }

  /// The type of the characteristic whose value has this handle.
  mutating func type(of value: ATT.Handle) -> BluetoothUUID? {
    if lastFound < discovered.count, discovered[lastFound].value == value { return discovered[lastFound].uuid }
    for index in discovered.indices where discovered[index].value == value {
      lastFound = index
      return discovered[index].uuid
    }
    return nil
  }

  mutating func forget(_ range: ATT.HandleRange) {
    discovered.removeAll { range.start <= $0.value && $0.value <= range.end }
  }

  /// Replaces what was known of the ranges.
  mutating func learn(_ discovery: Discovery) {
    for range in discovery.ranges { forget(range) }
    discovered.append(contentsOf: discovery.found)
    discovered.sort { $0.value < $1.value }
  }
}
