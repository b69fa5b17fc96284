import BluetoothWire

/// Which of its addresses a controller uses, as its host's commands say.
///
/// Spec: Core v5.4, Vol 4, Part E, 7.8.4, 7.8.5, 7.8.12, 7.8.52, 7.8.53 and 7.8.66.
struct OwnAddresses {
  /// `Own_Address_Type` of the newest command that begins to connect, and of legacy advertising.
  var whenConnecting: UInt8?
  var whenAdvertising: UInt8?
  /// The own address types of advertising sets.
  var ofSets: [UInt8: UInt8] = [:]
  var randomOfSets: [UInt8: BluetoothAddress] = [:]
  /// The set that was configured last, when it is the only one.
  var onlySet: UInt8? { ofSets.count == 1 ? newestSet : nil }
  var newestSet: UInt8?
  /// Sent to the controller, which has not agreed yet.
  var pendingRandom: BluetoothAddress?

  mutating func reset() { self = OwnAddresses() }

  /// The address that stands for a device with this `Own_Address_Type`: the identity one for resolvable ones.
  static func address(_ type: UInt8?, _ adapter: TrafficAdapter, random: BluetoothAddress?) -> BluetoothAddress? {
    switch type {
    case 0, 2: adapter.publicAddress
    case 1, 3: random
    // The command is not in the capture; of a single address there is no doubt.
    case nil: adapter.addresses.count == 1 ? adapter.addresses.first : nil
    default: nil
    }
  }

  /// The own address of a connection that is about to be, without what only Advertising Set Terminated tells.
  func address(as role: HCI.Role, _ adapter: TrafficAdapter) -> BluetoothAddress? {
    if role == .central { return Self.address(whenConnecting, adapter, random: adapter.randomAddress) }
    if whenAdvertising == nil, newestSet != nil {
      return onlySet.flatMap { address(ofSet: $0, adapter) }
    }
    return Self.address(whenAdvertising, adapter, random: adapter.randomAddress)
  }

  func address(ofSet set: UInt8, _ adapter: TrafficAdapter) -> BluetoothAddress? {
    Self.address(ofSets[set], adapter, random: randomOfSets[set] ?? adapter.randomAddress)
  }
}
