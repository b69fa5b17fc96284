import BluetoothWire

/// What a client has asked of the server at the other end of a link, and what it has found there.
struct ClientState {
  enum Procedure {
    case exchangeMTU(Int)
    case services(tag: Int)
    case service(BluetoothUUID)
    case included(ATT.HandleRange, tag: Int)
    case characteristics(ATT.HandleRange, tag: Int)
    case descriptors(ATT.HandleRange, tag: Int)
    case subscribe(Target, Bool)
    case read(Target)
    case write(Target, [UInt8])
    case prepareWrite(ATT.Handle, offset: Int, [UInt8], tag: Int)
    case executeWrites(Bool)

    /// Services, characteristics or descriptors.
    var isDiscovery: Bool {
      switch self {
      case .services, .service, .included, .characteristics, .descriptors: true
      default: false
      }
    }
  }

  /// How the owner named what a procedure is about.
  enum Target: Hashable {
    /// The first discovered characteristic of a type.
    case type(BluetoothUUID)
    /// The answer has the tag of the call.
    case attribute(ATT.Handle, tag: Int)
  }

  /// What the outstanding request is about. Spec: Core v5.4, Vol 3, Part G, 4.
  enum Step {
    case idle
    /// 4.3.1.
    case exchangingMTU
    /// 4.4.1; the next handle to ask from.
    case findingServices(next: ATT.Handle, found: [GATT.DiscoveredService], tag: Int)
    /// 4.4.2.
    case findingService(BluetoothUUID, next: ATT.Handle, found: [ATT.HandleRange])
    /// 4.6.1.
    case findingCharacteristics(Discovery)
    /// 4.7.1.
    case findingDescriptors(Discovery)
    /// 4.5.1.
    case findingIncluded(InclusionSearch)
    /// 4.7.1, for the owner.
    case listingDescriptors(ATT.HandleRange, next: ATT.Handle, found: [ATT.Information], tag: Int)
    case subscribing(Target, Bool)
    /// 4.8.1 and 4.8.3.
    case reading(Target, handle: ATT.Handle, value: [UInt8])
    /// 4.9.3.
    case writing(Target)
    /// 4.9.4; `part` ends before `value.count` until the last one.
    case preparing(Target, handle: ATT.Handle, value: [UInt8], part: Range<Int>)
    case executing(Target, error: ATT.ErrorCode?)
    /// 4.9.5, for the owner.
    case preparingPart(ATT.Handle, offset: Int, tag: Int)
    case executingParts
  }

  /// A discovery of one service's characteristics and their descriptors.
  struct Discovery {
    /// Nil: the owner asked for the range.
    var service: BluetoothUUID?
    /// One range per instance of the service.
    var ranges: [ATT.HandleRange]
    /// The range, later the characteristic, that is being asked about.
    var index = 0
    var next: ATT.Handle
    var found: [GATT.DiscoveredCharacteristic] = []
    var tag = 0
  }

  /// A search for included services; types of 128 bits are read from the declarations of the services.
  struct InclusionSearch {
    var range: ATT.HandleRange
    var tag: Int
    var next: ATT.Handle
    var found: [GATT.DiscoveredService] = []
    /// Places in `found` whose type is not known yet.
    var open: [Int] = []
    /// The list is complete; types are being read.
    var readsTypes = false
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
  /// The owner discovers by handles, and is told of values by handle.
  var namesHandles = false
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

  /// The discovered characteristic that is meant.
  func characteristic(_ target: Target) -> GATT.DiscoveredCharacteristic? {
    switch target {
    case .type(let uuid): characteristic(uuid)
    case .attribute(let handle, _): discovered.first { $0.value == handle }
    }
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

  /// Adds what was known of the peer on another link.
  mutating func learn(_ characteristics: [GATT.DiscoveredCharacteristic]) {
    let new = characteristics.filter { known in !discovered.contains { $0.value == known.value } }
    discovered.append(contentsOf: new)
    discovered.sort { $0.value < $1.value }
  }

  /// Replaces what was known of the ranges.
  mutating func learn(_ discovery: Discovery) {
    for range in discovery.ranges { forget(range) }
    discovered.append(contentsOf: discovery.found)
    discovered.sort { $0.value < $1.value }
  }
}
