import BluetoothWire

/// What a host tells of itself: its buffers, and what hosts of BR/EDR and LE send at their start, whatever the
/// controller is (Vol 4, Part E, 7.3.11, 7.3.12, 7.3.38 … 7.3.40, 7.3.58, 7.3.59, 7.3.78, 7.3.79). The name, Simple
/// Pairing and LE host support are kept and have no effect: they are matters of BR/EDR.
extension Controller {
  /// Octets of a name, the rest of which is zeros.
  private static let nameLength = 248

  struct HostSettings {
    /// nil: the name of the device.
    var name: [UInt8]?
    var simplePairingMode: UInt8 = 0
    var supportsLE = false
    /// Bits of the LE features that the host has set, by LE Set Host Feature (Vol 6, Part B, 4.6).
    private(set) var features: UInt64 = 0
    /// What the path between radio and antenna adds, tenths of a decibel (7.8.76).
    var transmitGain = 0
    var receiveGain = 0
    /// For links to come.
    var acceptedSubrate = HCI.SubrateParameters.initial

    func has(_ bit: UInt8) -> Bool { features >> UInt64(bit) & 1 == 1 }
    mutating func set(_ bit: UInt8, _ isSet: Bool) {
      features = features & ~(1 << UInt64(bit)) | (isSet ? 1 << UInt64(bit) : 0)
    }
  }

  func executeHostSetting(_ command: HCI.Command) {
    switch command {
    case .other(.readLocalName, let parameters): readName(command, parameters)
    case .other(.writeLocalName, let name):
      guard name.count == Self.nameLength else { return complete(command, status: .invalidParameters) }
      hostSettings.name = name
      complete(command)
    case .other(.readSimplePairingMode, let parameters):
      complete(command, status: parameters.isEmpty ? .success : .invalidParameters, [hostSettings.simplePairingMode])
    case .other(.writeSimplePairingMode, let mode):
      guard mode == [0] || mode == [1] else { return complete(command, status: .invalidParameters) }
      hostSettings.simplePairingMode = mode[0]
      complete(command)
    default: refuse(command, .unknownCommand)
    }
  }

  private func readName(_ command: HCI.Command, _ parameters: [UInt8]) {
    let name = hostSettings.name ?? Array(radio.configuration.name.utf8.prefix(Self.nameLength))
    let padding = [UInt8](repeating: 0, count: Self.nameLength - name.count)
    complete(command, status: parameters.isEmpty ? .success : .invalidParameters, name + padding)
  }

  func executeHostFlow(_ command: HCI.GeneralCommand) {
    let whole = HCI.Command.general(command)
    switch command {
    case .readLEHostSupport: complete(whole, [hostSettings.supportsLE ? 1 : 0, 0])
    case .writeLEHostSupport(let isSupported, _):
      hostSettings.supportsLE = isSupported
      complete(whole)
    case .setControllerToHostFlowControl(let mode):
      guard links.isEmpty else { return complete(whole, status: .commandDisallowed) }
      guard mode <= 3 else { return complete(whole, status: .invalidParameters) }
      hostFlow.isOn = mode & 1 != 0
      complete(whole)
    case .hostBufferSize(let size):
      guard size.aclLength > 0, size.aclCount > 0 else { return complete(whole, status: .invalidParameters) }
      hostFlow.buffers = size
      complete(whole)
    case .hostNumberOfCompletedPackets(let packets):
      guard hostFlow.isOn else { return complete(whole, status: .commandDisallowed) }
      guard let data = hostFlow.complete(packets) else { return complete(whole, status: .invalidParameters) }
      push(data)
    default: refuse(whole, .unknownCommand)
    }
  }
}

extension HCI.Opcode {
  static let writeLocalName = HCI.Opcode(ogf: 0x03, ocf: 0x13)
  static let readLocalName = HCI.Opcode(ogf: 0x03, ocf: 0x14)
  static let readSimplePairingMode = HCI.Opcode(ogf: 0x03, ocf: 0x55)
  static let writeSimplePairingMode = HCI.Opcode(ogf: 0x03, ocf: 0x56)
}
