import BluetoothWire

/// What a captured host makes its controller do besides its links: whether it looks for others, and what it offers.
///
/// Spec: Core v5.4, Vol 4, Part E, 7.8.5 to 7.8.13, 7.8.53 to 7.8.66.
struct AdapterActivity {
  enum News {
    case looking(Bool)
    /// Advertising is on with these AD structures: advertising data and scan response one after the other.
    case advertising([UInt8])
  }

  let adapter: TrafficAdapter
  private var isScanning = false
  private var isInitiating = false
  private var isAdvertising = false
  private var data: [UInt8] = []
  private var response: [UInt8] = []

  init(adapter: TrafficAdapter) { self.adapter = adapter }

  private var isLooking: Bool { isScanning || isInitiating }

  mutating func command(_ opcode: UInt16, _ parameters: ArraySlice<UInt8>) -> News? {
    let was = isLooking
    let first = parameters.first ?? 0
    switch opcode {
    case 0x0C03:
      (isScanning, isInitiating, isAdvertising) = (false, false, false)
      (data, response) = ([], [])
    case 0x200C, 0x2042: isScanning = first != 0
    case 0x200D, 0x2043, 0x2085: isInitiating = true
    case 0x2008: return told(\.data, Array(parameters.dropFirst().prefix(Int(first))))
    case 0x2009: return told(\.response, Array(parameters.dropFirst().prefix(Int(first))))
    case 0x2037: return told(\.data, extended(parameters))
    case 0x2038: return told(\.response, extended(parameters))
    case 0x200A, 0x2039:
      isAdvertising = first != 0
      return isAdvertising ? .advertising(data + response) : nil
    default: return nil
    }
    return isLooking == was ? nil : .looking(isLooking)
  }

  mutating func event(_ code: UInt8, _ parameters: ArraySlice<UInt8>) -> News? {
    guard code == 0x3E, let subevent = parameters.first, [0x01, 0x0A, 0x29].contains(subevent), isInitiating else {
      return nil
    }
    // A connection as a peripheral says nothing about an attempt as a central; its role is after status and handle.
    let isPeripheral = parameters.dropFirst(4).first == 1
    let hasFailed = parameters.dropFirst().first != 0
    if isPeripheral, !hasFailed { return nil }
    isInitiating = false
    return isLooking ? nil : .looking(false)
  }

  private mutating func told(_ part: WritableKeyPath<Self, [UInt8]>, _ octets: [UInt8]) -> News? {
    self[keyPath: part] = octets
    return isAdvertising ? .advertising(data + response) : nil
  }

  /// Handle, operation, fragment preference, length, data.
  private func extended(_ parameters: ArraySlice<UInt8>) -> [UInt8] {
    guard parameters.count >= 4 else { return [] }
    return Array(parameters.dropFirst(4).prefix(Int(parameters[parameters.startIndex + 3])))
  }
}
