import BluetoothWire

/// The services that a host stack listens for, and the numbers of its channels.
struct ChannelBook {
  struct Listener {
    var psm: UInt16
    var needsEncryption: Bool
  }

  /// At most one for each dynamic service number.
  private(set) var listeners: [Listener] = []
  private var lastNumber = 0
  /// The owner has listened or opened before. Until then the stack answers as one that has no such channels.
  private(set) var isInUse = false

  mutating func nextNumber() -> HostChannelNumber {
    isInUse = true
    lastNumber += 1
    return HostChannelNumber(rawValue: lastNumber)
  }

  func listener(on psm: UInt16) -> Listener? { listeners.first { $0.psm == psm } }

  mutating func add(_ listener: Listener) -> Bool {
    guard L2CAP.dynamicLEServices.contains(listener.psm), self.listener(on: listener.psm) == nil else { return false }
    isInUse = true
    listeners.append(listener)
    return true
  }

  mutating func remove(_ psm: UInt16) { listeners.removeAll { $0.psm == psm } }

  var lowestFree: UInt16? { L2CAP.dynamicLEServices.first { listener(on: $0) == nil } }
}
