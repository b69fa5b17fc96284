import BluetoothWire

/// A server's attributes; handle n is at index n − 1. Spec: Core v5.4, Vol 3, Part G, 3.
struct AttributeDatabase {
  struct Attribute {
    enum Role {
      case serviceDeclaration
      case characteristicDeclaration
      /// The value of the characteristic of this index.
      case value(Int)
      /// The Client Characteristic Configuration of the characteristic of this index; its value is each link's own.
      case configuration(Int)
      case descriptor
    }

    var type: BluetoothUUID
    var value: [UInt8]
    var role: Role
    /// Last handle of the group that this attribute opens; its own handle when it opens none.
    var groupEnd: ATT.Handle
    var isReadable = true
    var isWritable = false
    var isWritableWithoutResponse = false
    var maximumLength = ATT.longestValue
    var answering = GATT.Answering.stored
    var readNeedsEncryption = false
    var writeNeedsEncryption = false
    /// The owner is asked for each part of a prepared write as it comes.
    var asksForParts = false
    /// Its service was taken back; the handle is not given out again.
    var isGone = false
  }

  struct Characteristic {
    var uuid: BluetoothUUID
    var properties: GATT.Properties
    var value: ATT.Handle
    /// Index into a link's configurations, or −1.
    var configuration: Int
    /// Belongs to the stack's own services; the owner gets no events about it.
    var isInternal: Bool
    /// The owner is told of it by handle.
    var isByHandle: Bool
  }

  private(set) var attributes: [Attribute] = []
  private(set) var characteristics: [Characteristic] = []
  private(set) var configurationCount = 0
  private var isBuildingOwn = true

  /// Begins with the Generic Access and Generic Attribute services (Vol 3, Part C, 12, and Part G, 7).
  init(deviceName: String, hasServiceChanged: Bool = true) {
    publish(
      GATT.Service(
        uuid: .genericAccess,
        characteristics: [
          GATT.Characteristic(uuid: .deviceName, properties: .read, value: Array(deviceName.utf8.prefix(248))),
          GATT.Characteristic(uuid: .appearance, properties: .read, value: [0, 0]),
        ]))
    publish(
      GATT.Service(
        uuid: .genericAttribute,
        characteristics: hasServiceChanged
          ? [GATT.Characteristic(uuid: .serviceChanged, properties: .indicate)] : []))
    isBuildingOwn = false
  }

  /// The attribute, unless nothing has this handle.
  subscript(handle: ATT.Handle) -> Attribute? {
    let index = Int(handle) - 1
    return attributes.indices.contains(index) && !attributes[index].isGone ? attributes[index] : nil
  }

  var lastHandle: ATT.Handle { ATT.Handle(attributes.count) }

  /// The first published characteristic of this type.
  func index(of uuid: BluetoothUUID) -> Int? {
    for index in characteristics.indices where characteristics[index].uuid == uuid {
      if !attributes[Int(characteristics[index].value) - 1].isGone { return index }
    }
    return nil
  }

  /// The characteristic whose value has this handle.
  func index(ofValue handle: ATT.Handle) -> Int? {
    guard case .value(let index)? = self[handle]?.role else { return nil }
    return index
  }

  /// Whether a handle is that of a Client Characteristic Configuration.
  func isConfiguration(_ handle: ATT.Handle) -> Bool {
    if case .configuration? = self[handle]?.role { true } else { false }
  }

  /// Adds a service after all others; nil when there are not enough handles left, and nothing was added.
  @discardableResult
  mutating func publish(_ service: GATT.Service) -> ATT.HandleRange? {
    let needed = service.characteristics.reduce(1 + service.included.count) { $0 + 3 + $1.descriptors.count }
    guard attributes.count + needed <= 0xFFFF else { return nil }
    let first = attributes.count
    append(
      service.isPrimary ? .primaryService : .secondaryService, service.uuid.octets, .serviceDeclaration)
    for included in service.included { append(included) }
    for characteristic in service.characteristics { append(characteristic) }
    assert(attributes.count <= first + needed, "there were enough handles for the service")
    attributes[first].groupEnd = lastHandle
    return ATT.HandleRange(start: ATT.Handle(first + 1), end: lastHandle)
  }

  /// The attributes of a range are gone; reads, writes and searches do not find them.
  mutating func remove(_ range: ATT.HandleRange) {
    for handle in range.start...range.end {
      attributes[Int(handle) - 1].isGone = true
      attributes[Int(handle) - 1].value = []
    }
  }

  /// Spec: Core v5.4, Vol 3, Part G, 3.2; only a type of 16 bits is part of the declaration.
  private mutating func append(_ included: GATT.DiscoveredService) {
    var value = [included.start, included.end].flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
    }
    if included.uuid.octets.count == 2 { value += included.uuid.octets }
    append(.include, value, .descriptor)
  }

  private mutating func append(_ characteristic: GATT.Characteristic) {
    let index = characteristics.count
    let properties = characteristic.properties
    let declaration = attributes.count
    let valueHandle = UInt16(truncatingIfNeeded: declaration + 2)
    append(
      .characteristic,
      [properties.rawValue, UInt8(truncatingIfNeeded: valueHandle), UInt8(truncatingIfNeeded: valueHandle >> 8)]
        + characteristic.uuid.octets, .characteristicDeclaration)
    append(characteristic.uuid, Array(characteristic.value.prefix(ATT.longestValue)), .value(index))
    let value = attributes.count - 1
    let access = characteristic.access
    attributes[value].isReadable =
      access.map { !$0.isDisjoint(with: [.read, .readEncrypted]) } ?? properties.contains(.read)
    attributes[value].isWritable =
      access.map { !$0.isDisjoint(with: [.write, .writeEncrypted]) } ?? properties.contains(.write)
    attributes[value].isWritableWithoutResponse =
      properties.contains(.writeWithoutResponse) && (access == nil || attributes[value].isWritable)
    attributes[value].readNeedsEncryption = access?.contains(.readEncrypted) ?? false
    attributes[value].writeNeedsEncryption = access?.contains(.writeEncrypted) ?? false
    attributes[value].answering = characteristic.answering
    let asksForParts = access?.contains(.asksForParts) ?? false
    attributes[value].asksForParts = asksForParts && characteristic.answering != .stored
    attributes[value].maximumLength = min(max(characteristic.maximumLength, 0), ATT.longestValue)
    let isConfigurable = !properties.isDisjoint(with: [.notify, .indicate])
    characteristics.append(
      Characteristic(
        uuid: characteristic.uuid, properties: properties, value: valueHandle,
        configuration: isConfigurable ? configurationCount : -1, isInternal: isBuildingOwn,
        isByHandle: characteristic.answering != .stored))
    // A configuration that the owner answers is one of its descriptors; any other comes by itself.
    let owned = isConfigurable ? characteristic.descriptors.firstIndex(where: \.isOwnedConfiguration) : nil
    let needsEncryption = access?.contains(.configureEncrypted) ?? false
    if isConfigurable, owned == nil { appendConfiguration(index, .stored, needsEncryption: needsEncryption) }
    for (place, descriptor) in characteristic.descriptors.enumerated() {
      if place == owned {
        appendConfiguration(index, .owner, needsEncryption: needsEncryption)
      } else {
        append(descriptor.uuid, Array(descriptor.value.prefix(ATT.longestValue)), .descriptor)
        attributes[attributes.count - 1].isWritable = descriptor.isWritable || descriptor.answering != .stored
        attributes[attributes.count - 1].answering = descriptor.answering
      }
      attributes[attributes.count - 1].asksForParts = asksForParts && descriptor.answering != .stored
    }
    attributes[declaration].groupEnd = UInt16(truncatingIfNeeded: attributes.count)
  }

  private mutating func appendConfiguration(_ index: Int, _ answering: GATT.Answering, needsEncryption: Bool) {
    append(.clientCharacteristicConfiguration, [], .configuration(index))
    attributes[attributes.count - 1].isWritable = true
    attributes[attributes.count - 1].maximumLength = 2
    attributes[attributes.count - 1].answering = answering
    attributes[attributes.count - 1].writeNeedsEncryption = needsEncryption
    configurationCount += 1
  }

  private mutating func append(_ type: BluetoothUUID, _ value: [UInt8], _ role: Attribute.Role) {
    attributes.append(
      Attribute(
        type: type, value: value, role: role, groupEnd: UInt16(truncatingIfNeeded: attributes.count + 1)))
  }

  /// Replaces what a read returns.
  /// - Precondition: the handle exists.
  mutating func setValue(_ value: [UInt8], at handle: ATT.Handle) { attributes[Int(handle) - 1].value = value }

  /// Longer values are refused from now on.
  /// - Precondition: the handle exists.
  mutating func limitValue(_ octets: Int, at handle: ATT.Handle) {
    attributes[Int(handle) - 1].maximumLength = min(max(octets, 0), ATT.longestValue)
  }
}

extension GATT.Descriptor {
  /// Whether it is a Client Characteristic Configuration that the owner answers.
  fileprivate var isOwnedConfiguration: Bool {
    uuid == .clientCharacteristicConfiguration && answering == .owner
  }
}

/// Parts of values that a client has prepared and not yet executed (Vol 3, Part F, 3.4.6).
struct PreparedWrites {
  struct Part {
    var handle: ATT.Handle
    var offset: Int
    var value: [UInt8]
  }

  /// A longest value in the smallest ATT_MTU takes 29 parts; two such values fit.
  static let partLimit = 64
  static let octetLimit = 2 * ATT.longestValue

  private(set) var parts: [Part] = []
  private var octets = 0

  /// Whether there is room for a part of this length.
  func hasRoom(for count: Int) -> Bool { parts.count < Self.partLimit && octets + count <= Self.octetLimit }

  /// False when the queue is full.
  mutating func append(_ part: Part) -> Bool {
    guard hasRoom(for: part.value.count) else { return false }
    parts.append(part)
    octets += part.value.count
    return true
  }
}
