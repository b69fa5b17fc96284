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

extension HCI.PrivacyCommand: FormedPDU {
  typealias Code = HCI.Opcode

  static let blanks: [Self] = [
    .leAddDeviceToResolvingList(.blank), .leRemoveDeviceFromResolvingList(.blank), .leClearResolvingList,
    .leReadResolvingListSize, .leReadPeerResolvableAddress(.blank), .leReadLocalResolvableAddress(.blank),
    .leSetAddressResolutionEnable(false), .leSetResolvablePrivateAddressTimeout(0), .leSetPrivacyMode(.blank, .network),
  ]

  func declare(_ form: inout PDUForm<Self>) {
    switch self {
    case .leAddDeviceToResolvingList(let entry):
      form(.leAddDeviceToResolvingList, Self.leAddDeviceToResolvingList, entry)
    case .leRemoveDeviceFromResolvingList(let peer):
      form(.leRemoveDeviceFromResolvingList, Self.leRemoveDeviceFromResolvingList, peer)
    case .leClearResolvingList: form(.leClearResolvingList)
    case .leReadResolvingListSize: form(.leReadResolvingListSize)
    case .leReadPeerResolvableAddress(let peer):
      form(.leReadPeerResolvableAddress, Self.leReadPeerResolvableAddress, peer)
    case .leReadLocalResolvableAddress(let peer):
      form(.leReadLocalResolvableAddress, Self.leReadLocalResolvableAddress, peer)
    case .leSetAddressResolutionEnable(let isEnabled):
      form(.leSetAddressResolutionEnable, Self.leSetAddressResolutionEnable, isEnabled)
    case .leSetResolvablePrivateAddressTimeout(let seconds):
      form(.leSetResolvablePrivateAddressTimeout, Self.leSetResolvablePrivateAddressTimeout, seconds)
    case .leSetPrivacyMode(let peer, let mode): form(.leSetPrivacyMode, Self.leSetPrivacyMode, peer, mode)
    }
  }
}

extension HCI.ResolvingListEntry: WireRecord {
  static let blank = Self(peer: .blank, peerIRK: [], localIRK: [])

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.field(&peer)
    try pass.field(&peerIRK, as: Padded<16>.init, \.value)
    try pass.field(&localIRK, as: Padded<16>.init, \.value)
  }
}
