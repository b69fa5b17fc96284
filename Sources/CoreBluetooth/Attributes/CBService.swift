package import AppSeam

/// A service: of a peripheral as a central found it, or of this phone (`CBMutableService`). Source: Apple, `CBService`.
open class CBService: CBAttribute {
  package var found: FoundService?
  package weak var owner: CBPeripheral?
  package var isFirst: Bool
  package var includedList: [CBService]?
  package var characteristicList: [CBCharacteristic]?

  package init(type: CBUUID, isPrimary: Bool, found: FoundService? = nil, owner: CBPeripheral? = nil) {
    isFirst = isPrimary
    self.found = found
    self.owner = owner
    super.init(type: type)
  }

  /// `<CBService: 0x…, isPrimary = YES, UUID = 180D>`.
  open override var description: String {
    ObjectText.of(self, ["isPrimary": ObjectText.of(isPrimary), "UUID": uuid.description])
  }
  /// The peripheral that has the service; nil for services of this phone, and when the object is gone.
  open var peripheral: CBPeripheral? { owner }
  /// Whether it is a primary service.
  open var isPrimary: Bool { isFirst }
  /// The included services that were found, or set; nil before that.
  open var includedServices: [CBService]? { includedList }
  /// The characteristics that were found, or set; nil before that.
  open var characteristics: [CBCharacteristic]? { characteristicList }
}

/// A service that this phone publishes with `CBPeripheralManager.add(_:)`.
///
/// What is changed after it was added has no effect until it is removed and added again. Source: Apple,
/// `CBMutableService`.
open class CBMutableService: CBService {
  package var key: ServiceKey?
  package weak var publisher: CBPeripheralManager?

  /// A service without characteristics.
  public init(type UUID: CBUUID, primary isPrimary: Bool) { super.init(type: UUID, isPrimary: isPrimary) }

  /// The services that it includes; each has to be published before.
  open override var includedServices: [CBService]? {
    get { includedList }
    set {
      remarkIfPublished("includedServices")
      includedList = newValue
    }
  }

  /// The characteristics that it has.
  open override var characteristics: [CBCharacteristic]? {
    get { characteristicList }
    set {
      remarkIfPublished("characteristics")
      characteristicList = newValue
      for characteristic in newValue ?? [] { characteristic.parent = self }
    }
  }

  private func remarkIfPublished(_ what: String) {
    guard publisher != nil else { return }
    publisher?.phone?.remark(
      .misuse, .changedAfterPublication, "\(what) of service \(uuid) set while it is published; nothing changes")
  }
}
