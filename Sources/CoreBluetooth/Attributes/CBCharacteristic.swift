package import AppSeam

/// A characteristic: of a peripheral as a central found it, or of this phone (`CBMutableCharacteristic`).
///
/// Source: Apple, `CBCharacteristic`.
open class CBCharacteristic: CBAttribute {
  package var found: FoundCharacteristic?
  package weak var parent: CBService?
  package var propertySet: CBCharacteristicProperties
  package var cachedValue: Data?
  package var descriptorList: [CBDescriptor]?
  package var notifies = false

  package init(
    type: CBUUID, properties: CBCharacteristicProperties, value: Data?, found: FoundCharacteristic? = nil,
    parent: CBService? = nil
  ) {
    propertySet = properties
    cachedValue = value
    self.found = found
    self.parent = parent
    super.init(type: type)
  }

  /// `<CBCharacteristic: 0x…, UUID = 2A37, properties = 0x10, value = (null), notifying = NO>`.
  open override var description: String {
    ObjectText.of(
      self,
      [
        "UUID": uuid.description, "properties": "0x" + String(properties.rawValue, radix: 16, uppercase: true),
        "value": ObjectText.of(value), "notifying": ObjectText.of(isNotifying),
      ])
  }
  /// The service that has it; nil when that object is gone.
  open var service: CBService? { parent }
  /// What may be done with the value.
  open var properties: CBCharacteristicProperties { propertySet }
  /// The newest value that was read or notified; nil before that.
  open var value: Data? { cachedValue }
  /// The descriptors that were found, or set; nil before that.
  open var descriptors: [CBDescriptor]? { descriptorList }
  /// Always false: broadcasts are not modelled.
  open var isBroadcasted: Bool { false }
  /// Whether notifications or indications are on, as the peripheral has confirmed it.
  open var isNotifying: Bool { notifies }
}

/// A characteristic that this phone publishes in a service.
///
/// With a value, it is cached: every read returns it, it is read-only, and the app is never asked. Without one it is
/// dynamic: the app answers each read and write. Source: Apple, `CBMutableCharacteristic`.
open class CBMutableCharacteristic: CBCharacteristic {
  package var key: AttributeKey?
  package weak var publisher: CBPeripheralManager?
  package var permissionSet: CBAttributePermissions
  package var subscribers: [CBCentral] = []

  /// Raises an exception for a value with properties or permissions beyond reading, and for the properties broadcast
  /// and extended properties.
  public init(
    type UUID: CBUUID, properties: CBCharacteristicProperties, value: Data?, permissions: CBAttributePermissions
  ) {
    permissionSet = permissions
    super.init(type: UUID, properties: properties, value: value)
    if value != nil {
      let isReadOnly =
        properties.subtracting(.read).isEmpty
        && permissions.subtracting([.readable, .readEncryptionRequired]).isEmpty
      if !isReadOnly {
        VirtualPhone.raise(.cachedNotReadOnly, "Characteristics with cached values must be read-only (\(UUID))")
      }
    }
    if !properties.isDisjoint(with: [.broadcast, .extendedProperties]) {
      VirtualPhone.raise(
        .propertyNotAllowed, "broadcast and extendedProperties are not allowed for local characteristics (\(UUID))")
    }
  }

  /// The centrals that have notifications or indications on.
  open var subscribedCentrals: [CBCentral]? { subscribers }
  /// Who may read and write it.
  open var permissions: CBAttributePermissions {
    get { permissionSet }
    set { permissionSet = newValue }
  }
  /// What may be done with the value. Has no effect once it is published.
  open override var properties: CBCharacteristicProperties {
    get { propertySet }
    set { propertySet = newValue }
  }
  /// The cached value; nil for a dynamic one. Setting it after publication changes nothing for centrals.
  open override var value: Data? {
    get { cachedValue }
    set {
      if newValue != nil, let publisher {
        publisher.phone?.remark(
          .note, .dynamicValueSet,
          "value of characteristic \(uuid) set while it is published; centrals get it by updateValue and respond only")
      }
      cachedValue = newValue
    }
  }
  /// The descriptors beside the Client Characteristic Configuration, which comes by itself.
  open override var descriptors: [CBDescriptor]? {
    get { descriptorList }
    set {
      descriptorList = newValue
      for descriptor in newValue ?? [] { descriptor.parent = self }
    }
  }
}
