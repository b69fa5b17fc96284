import AppSeam
import BluetoothWire

/// A central that is connected to this phone and has used one of its services. Source: Apple, `CBCentral`.
open class CBCentral: CBPeer {
  private weak var phone: VirtualPhone?

  init(address: BluetoothAddress, phone: VirtualPhone) {
    self.phone = phone
    super.init(address: address, identifier: phone.identifier(of: address))
  }

  /// How many octets a notification or indication to it may have: ATT_MTU − 3; 20 when it is not connected.
  open var maximumUpdateValueLength: Int {
    guard let phone else { return 20 }
    return phone.locked { (phone.link(with: address)?.attMTU ?? 23) - 3 }
  }

  /// `<CBCentral: 0x… identifier = …, MTU = 182>`.
  open override var description: String {
    ObjectText.of(self, ["identifier": identifier.uuidString, "MTU": "\(maximumUpdateValueLength)"], after: " ")
  }

  /// Two objects for one device are equal.
  open override func isEqual(_ object: Any?) -> Bool { (object as? CBCentral)?.peerIdentifier == peerIdentifier }
}

/// A read or write that a central asks for and the app answers. Source: Apple, `CBATTRequest`.
open class CBATTRequest: NSObject {
  let request: RequestID
  private let asker: CBCentral
  private let attribute: CBCharacteristic
  private let start: Int

  init(request: RequestID, central: CBCentral, characteristic: CBCharacteristic, offset: Int, value: Data?) {
    self.request = request
    asker = central
    attribute = characteristic
    start = offset
    self.value = value
    super.init()
  }

  /// Who asks.
  open var central: CBCentral { asker }
  /// What is to be read or written.
  open var characteristic: CBCharacteristic { attribute }
  /// Where in the value it begins, octets.
  open var offset: Int { start }
  /// The octets to write; for a read nil, until the app sets those from the offset on.
  open var value: Data?
}
