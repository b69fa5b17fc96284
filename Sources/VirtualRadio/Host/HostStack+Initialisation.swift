import BluetoothWire

extension HostStack {
  /// LE events that this stack reads: connection complete, advertising report, connection update complete, read remote
  /// features complete, remote connection parameter request, data length change, PHY update complete, channel selection
  /// algorithm (Vol 4, Part E, 7.8.1).
  static let leEventMask: UInt64 = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 5 | 1 << 6 | 1 << 11 | 1 << 19

  /// Disconnection complete, read remote version complete, hardware error, LE meta (Vol 4, Part E, 7.3.1); the events
  /// that cannot be masked need no bit.
  static let eventMask: UInt64 = 1 << 4 | 1 << 11 | 1 << 15 | 1 << 61

  /// HCI_Read_Buffer_Size (Vol 4, Part E, 7.4.5), for controllers whose LE data shares the other buffers.
  private static let readSharedBufferSize = HCI.Command.other(HCI.Opcode(rawValue: 0x1005), parameters: [])

  func sendInitialisation() {
    enqueue(.setEventMask(Self.eventMask), .initialisation)
    enqueue(.leSetEventMask(Self.leEventMask), .initialisation)
    enqueue(.leReadLocalSupportedFeatures, .initialisation)
    if configuration.address.kind == .random { enqueue(.leSetRandomAddress(configuration.address), .initialisation) }
    if configuration.requested2M { enqueue(.leSetDefaultPHY(tx: .le2M, rx: .le2M), .initialisation) }
    enqueue(.leReadBufferSize, .readBufferSize)
  }

  /// LE_ACL_Data_Packet_Length and Total_Num_LE_ACL_Data_Packets (Vol 4, Part E, 7.8.2).
  func bufferSizeRead(_ status: HCI.ErrorCode, _ parameters: [UInt8]) {
    guard status == .success, parameters.count >= 3 else {
      return emit(.controllerFault("no LE buffer size: status \(status.rawValue)"))
    }
    let length = Int(parameters[0]) | Int(parameters[1]) << 8
    if length == 0 {
      enqueue(Self.readSharedBufferSize, .readSharedBufferSize)
    } else {
      powerOn(packetLength: length, packets: Int(parameters[2]))
    }
  }

  func sharedBufferSizeRead(_ status: HCI.ErrorCode, _ parameters: [UInt8]) {
    guard status == .success, parameters.count >= 5 else {
      return emit(.controllerFault("no buffer size: status \(status.rawValue)"))
    }
    powerOn(
      packetLength: Int(parameters[0]) | Int(parameters[1]) << 8,
      packets: Int(parameters[3]) | Int(parameters[4]) << 8)
  }

  private func powerOn(packetLength: Int, packets: Int) {
    guard packetLength >= 27, packets > 0 else {
      return emit(.controllerFault("\(packets) ACL buffers of \(packetLength) octets cannot carry an LE link"))
    }
    credits = CreditPool(packetLength: packetLength, packets: packets)
    power = .on
    emit(.poweredOn)
    beginWantedAdvertising()
    updateScanning()
    beginNextConnectionAttempt()
  }
}
