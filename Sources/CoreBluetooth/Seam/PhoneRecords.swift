package import BluetoothWire

/// A service as an app publishes it, with all that the seam's `ServiceDefinition` cannot say.
package struct ServiceRecord: Hashable, Sendable {
  package var key: ServiceKey
  package var uuid: BluetoothUUID
  package var isPrimary: Bool
  /// Published before this one.
  package var included: [ServiceKey]
  package var characteristics: [CharacteristicRecord]
}

/// A characteristic as an app publishes it.
package struct CharacteristicRecord: Hashable, Sendable {
  package var key: AttributeKey
  package var uuid: BluetoothUUID
  /// Bits of `CBCharacteristicProperties`; the lower eight are those on the air.
  package var properties: UInt
  /// Bits of `CBAttributePermissions`.
  package var permissions: UInt
  /// What every read returns; nil: the app is asked each time.
  package var value: [UInt8]?
  /// Beside the Client Characteristic Configuration, which comes with notify and indicate.
  package var descriptors: [DescriptorRecord]
}

/// A descriptor as an app publishes it; its value is fixed.
package struct DescriptorRecord: Hashable, Sendable {
  package var key: AttributeKey
  package var uuid: BluetoothUUID
  package var value: [UInt8]
}

/// A service of the other end.
package struct FoundService: Hashable, Sendable {
  package var uuid: BluetoothUUID
  package var isPrimary: Bool
  package var start: ATT.Handle
  package var end: ATT.Handle
  package init(uuid: BluetoothUUID, isPrimary: Bool = true, start: ATT.Handle, end: ATT.Handle) {
    self.uuid = uuid
    self.isPrimary = isPrimary
    self.start = start
    self.end = end
  }
}

/// A characteristic of the other end.
package struct FoundCharacteristic: Hashable, Sendable {
  package var uuid: BluetoothUUID
  package var properties: UInt8
  /// The handle of its value.
  package var value: ATT.Handle
  /// The handle of its last descriptor, or of its value when there is none.
  package var end: ATT.Handle
  package init(uuid: BluetoothUUID, properties: UInt8, value: ATT.Handle, end: ATT.Handle) {
    self.uuid = uuid
    self.properties = properties
    self.value = value
    self.end = end
  }
}

/// A descriptor of the other end.
package struct FoundDescriptor: Hashable, Sendable {
  package var uuid: BluetoothUUID
  package var handle: ATT.Handle
  package init(uuid: BluetoothUUID, handle: ATT.Handle) {
    self.uuid = uuid
    self.handle = handle
  }
}
