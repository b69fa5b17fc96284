extension HCI {
  /// The resolving list (Core v5.4, Vol 4, Part E, 7.8.38 … 7.8.45, 7.8.77).
  public enum PrivacyCommand: Hashable, Sendable {
    case leAddDeviceToResolvingList(ResolvingListEntry)
    /// By the identity address.
    case leRemoveDeviceFromResolvingList(BluetoothAddress)
    case leClearResolvingList
    case leReadResolvingListSize
    /// By the identity address.
    case leReadPeerResolvableAddress(BluetoothAddress)
    /// By the identity address of the peer.
    case leReadLocalResolvableAddress(BluetoothAddress)
    case leSetAddressResolutionEnable(Bool)
    /// Seconds, 0x0001 … 0x0E10.
    case leSetResolvablePrivateAddressTimeout(UInt16)
    /// By the identity address.
    case leSetPrivacyMode(BluetoothAddress, PrivacyMode)
  }

  /// One device whose private addresses a controller can resolve, and with which key it makes its own
  /// (Core v5.4, Vol 4, Part E, 7.8.38).
  public struct ResolvingListEntry: Hashable, Sendable {
    /// The public or random static identity address.
    public var peer: BluetoothAddress
    /// Identity resolving key of the peer, 16 octets, least significant first; all zero for none.
    public var peerIRK: [UInt8]
    /// Identity resolving key for own addresses towards this peer, as `peerIRK`.
    public var localIRK: [UInt8]

    public init(peer: BluetoothAddress, peerIRK: [UInt8], localIRK: [UInt8]) {
      self.peer = peer
      self.peerIRK = peerIRK
      self.localIRK = localIRK
    }
  }

  /// Whether a peer may use its identity address on the air (Core v5.4, Vol 6, Part B, 4.7).
  public enum PrivacyMode: UInt8, Hashable, Sendable {
    /// It must use private addresses.
    case network = 0
    /// It may use both.
    case device = 1
  }
}

extension HCI.Opcode {
  public static let leAddDeviceToResolvingList = HCI.Opcode(ogf: 0x08, ocf: 0x27)
  public static let leRemoveDeviceFromResolvingList = HCI.Opcode(ogf: 0x08, ocf: 0x28)
  public static let leClearResolvingList = HCI.Opcode(ogf: 0x08, ocf: 0x29)
  public static let leReadResolvingListSize = HCI.Opcode(ogf: 0x08, ocf: 0x2A)
  public static let leReadPeerResolvableAddress = HCI.Opcode(ogf: 0x08, ocf: 0x2B)
  public static let leReadLocalResolvableAddress = HCI.Opcode(ogf: 0x08, ocf: 0x2C)
  public static let leSetAddressResolutionEnable = HCI.Opcode(ogf: 0x08, ocf: 0x2D)
  public static let leSetResolvablePrivateAddressTimeout = HCI.Opcode(ogf: 0x08, ocf: 0x2E)
  public static let leSetPrivacyMode = HCI.Opcode(ogf: 0x08, ocf: 0x4E)
}

extension HCI.PrivacyCommand: HCICommandGroup {
  var opcode: HCI.Opcode {
    switch self {
    case .leAddDeviceToResolvingList: .leAddDeviceToResolvingList
    case .leRemoveDeviceFromResolvingList: .leRemoveDeviceFromResolvingList
    case .leClearResolvingList: .leClearResolvingList
    case .leReadResolvingListSize: .leReadResolvingListSize
    case .leReadPeerResolvableAddress: .leReadPeerResolvableAddress
    case .leReadLocalResolvableAddress: .leReadLocalResolvableAddress
    case .leSetAddressResolutionEnable: .leSetAddressResolutionEnable
    case .leSetResolvablePrivateAddressTimeout: .leSetResolvablePrivateAddressTimeout
    case .leSetPrivacyMode: .leSetPrivacyMode
    }
  }

  var connectionHandle: HCI.ConnectionHandle? { nil }

  func appendParameters(to octets: inout [UInt8]) {
    switch self {
    case .leClearResolvingList, .leReadResolvingListSize: break
    case .leAddDeviceToResolvingList(let entry):
      octets.append(typed: entry.peer)
      octets.append(entry.peerIRK, paddedTo: 16)
      octets.append(entry.localIRK, paddedTo: 16)
    case .leRemoveDeviceFromResolvingList(let peer), .leReadPeerResolvableAddress(let peer),
      .leReadLocalResolvableAddress(let peer):
      octets.append(typed: peer)
    case .leSetAddressResolutionEnable(let isEnabled): octets.append(isEnabled ? 1 : 0)
    case .leSetResolvablePrivateAddressTimeout(let seconds): octets.append(littleEndian: seconds)
    case .leSetPrivacyMode(let peer, let mode):
      octets.append(typed: peer)
      octets.append(mode.rawValue)
    }
  }

  init?(_ opcode: HCI.Opcode, _ reader: inout OctetReader) throws(WireError) {
    switch opcode {
    case .leAddDeviceToResolvingList:
      self = .leAddDeviceToResolvingList(
        HCI.ResolvingListEntry(
          peer: try reader.typedAddress(), peerIRK: try reader.take(16), localIRK: try reader.take(16)))
    case .leRemoveDeviceFromResolvingList: self = .leRemoveDeviceFromResolvingList(try reader.typedAddress())
    case .leClearResolvingList: self = .leClearResolvingList
    case .leReadResolvingListSize: self = .leReadResolvingListSize
    case .leReadPeerResolvableAddress: self = .leReadPeerResolvableAddress(try reader.typedAddress())
    case .leReadLocalResolvableAddress: self = .leReadLocalResolvableAddress(try reader.typedAddress())
    case .leSetAddressResolutionEnable: self = .leSetAddressResolutionEnable(try reader.bool())
    case .leSetResolvablePrivateAddressTimeout: self = .leSetResolvablePrivateAddressTimeout(try reader.u16())
    case .leSetPrivacyMode: self = .leSetPrivacyMode(try reader.typedAddress(), try reader.closed())
    default: return nil
    }
  }
}
