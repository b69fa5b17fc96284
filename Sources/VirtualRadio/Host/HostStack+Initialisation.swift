import BluetoothWire

extension HostStack {
  /// LE events that this stack reads: connection complete, advertising report, connection update complete, read remote
  /// features complete, long term key request, remote connection parameter request, data length change, PHY update
  /// complete, channel selection algorithm (Vol 4, Part E, 7.8.1).
  static let leEventMask: UInt64 =
    1 << 0 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 11 | 1 << 19

  /// Extended advertising report, advertising set terminated.
  static let extendedLEEventMask: UInt64 = 1 << 12 | 1 << 17

  /// Disconnection complete, read remote version complete, hardware error, LE meta (Vol 4, Part E, 7.3.1); the events
  /// that cannot be masked need no bit.
  static let eventMask: UInt64 = 1 << 4 | 1 << 11 | 1 << 15 | 1 << 61

  /// A refused reset is taken for done: whatever state was left, the commands that follow show whether it matters.
  func resetAnswered(_ status: HCI.ErrorCode) {
    if status != .success { emit(.controllerFault("reset refused with status \(status.rawValue)")) }
    power = .initialising
    enqueue(.readLocalSupportedCommands, .readSupportedCommands)
  }

  /// Commands that the controller does not know are not sent. LE-only controllers know little of Part E, 7.1 to 7.6; of
  /// that only the reset, the event mask and disconnecting are used here.
  func sendInitialisation() {
    let pairs = configuration.security != nil
    enqueue(.setEventMask(Self.eventMask | (pairs ? Self.securityEventMask : 0)), .initialisation)
    let extended = configuration.usesExtendedAdvertising ? Self.extendedLEEventMask : 0
    enqueue(.leSetEventMask(Self.leEventMask | (pairs ? Self.securityLEEventMask : 0) | extended), .initialisation)
    enqueue(.leReadLocalSupportedFeatures, .initialisation)
    // Before anything that uses it (Vol 4, Part E, 7.8.4).
    if address.kind == .random { enqueue(.leSetRandomAddress(address), .requiredSetting) }
    enqueue(.leReadBufferSize, .readBufferSize)
  }

  /// LE_ACL_Data_Packet_Length and Total_Num_LE_ACL_Data_Packets; zeros, or a refusal, mean the buffers that LE data
  /// shares with the rest (Vol 4, Part E, 7.8.2, 7.4.5).
  func bufferSizeRead(_ status: HCI.ErrorCode, _ parameters: [UInt8]) {
    guard status == .success, parameters.count >= 3 else {
      return enqueue(.general(.readBufferSize), .readSharedBufferSize)
    }
    let length = Int(parameters[0]) | Int(parameters[1]) << 8
    if length == 0 || parameters[2] == 0 {
      enqueue(.general(.readBufferSize), .readSharedBufferSize)
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
    assert(links.isEmpty, "a controller comes up without links")
    credits = CreditPool(packetLength: packetLength, packets: packets)
    power = .on
    emit(.poweredOn)
    beginWantedAdvertising()
    updateScanning()
    beginNextConnectionAttempt()
  }
}
