import BluetoothWire

/// LE_Multi_Advt_Command, by which Android has further advertisers on a controller, beside the legacy commands.
///
/// The commands of extended advertising cannot do that: a controller refuses them once legacy ones were used (Core
/// v5.4, Vol 4, Part E, 3.1.1). Spec: Android, Bluetooth HCI requirements, “Multi-advertiser support”: opcode 0xFD54,
/// then the subcommand; its answer is the status and the subcommand. AOSP's side: `ble_advertiser_hci_interface.cc`.
enum MultiAdvertising: Equatable {
  /// Sub 0x01: intervals, type, kinds of addresses, channels, filter policy. The own address comes by `randomAddress`.
  case parameters(UInt8, HCI.AdvertisingParameters)
  /// Sub 0x02: a length, 31 octets.
  case data(UInt8, [UInt8])
  /// Sub 0x03: the same.
  case scanResponse(UInt8, [UInt8])
  /// Sub 0x04.
  case randomAddress(UInt8, BluetoothAddress)
  /// Sub 0x05.
  case enable(UInt8, Bool)

  static let opcode = HCI.Opcode(ogf: 0x3F, ocf: 0x154)
  /// Code and subevent of the LE Multi-Advertising State Change Event: instance, reason, connection handle.
  static let eventCode: UInt8 = 0xFF
  static let subevent: UInt8 = 0x55

  var command: HCI.Command { .other(Self.opcode, parameters: octets) }

  /// The number of the advertiser; 0 is the one of the legacy commands.
  var set: UInt8 {
    switch self {
    case .parameters(let set, _), .data(let set, _), .scanResponse(let set, _), .randomAddress(let set, _),
      .enable(let set, _):
      set
    }
  }

  var octets: [UInt8] {
    switch self {
    case .parameters(let set, let parameters):
      let least = parameters.intervalMinimum
      let most = parameters.intervalMaximum
      var octets: [UInt8] = [0x01, UInt8(least & 0xFF), UInt8(least >> 8), UInt8(most & 0xFF), UInt8(most >> 8)]
      octets += [parameters.kind.rawValue, parameters.ownAddressType.rawValue]
      // Own address, kind of the peer's, the peer's: none of them is used here.
      octets += [UInt8](repeating: 0, count: 13)
      return octets + [parameters.channelMap, parameters.filterPolicy, set, 0]
    case .data(let set, let data): return [0x02] + Self.padded(data) + [set]
    case .scanResponse(let set, let data): return [0x03] + Self.padded(data) + [set]
    case .randomAddress(let set, let address): return [0x04] + address.octets + [set]
    case .enable(let set, let isOn): return [0x05, isOn ? 1 : 0, set]
    }
  }

  /// Nil: another subcommand, another length, or values that do not exist.
  init?(_ octets: [UInt8]) {
    switch (octets.first, octets.count) {
    case (0x01, 24):
      guard let kind = HCI.AdvertisingParameters.Kind(rawValue: octets[5]),
        let type = HCI.OwnAddressType(rawValue: octets[6])
      else { return nil }
      var parameters = HCI.AdvertisingParameters(
        intervalMinimum: UInt16(octets[1]) | UInt16(octets[2]) << 8,
        intervalMaximum: UInt16(octets[3]) | UInt16(octets[4]) << 8)
      (parameters.kind, parameters.ownAddressType) = (kind, type)
      (parameters.channelMap, parameters.filterPolicy) = (octets[20], octets[21])
      self = .parameters(octets[22], parameters)
    case (0x02, 34), (0x03, 34):
      guard octets[1] <= 31 else { return nil }
      let data = Array(octets[2..<2 + Int(octets[1])])
      self = octets[0] == 0x02 ? .data(octets[33], data) : .scanResponse(octets[33], data)
    case (0x04, 8):
      let bits = octets[1...6].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      self = .randomAddress(octets[7], BluetoothAddress(kind: .random, bits: bits))
    case (0x05, 3) where octets[1] <= 1: self = .enable(octets[2], octets[1] == 1)
    default: return nil
    }
  }

  private static func padded(_ data: [UInt8]) -> [UInt8] {
    [UInt8(data.count)] + data + [UInt8](repeating: 0, count: 31 - data.count)
  }
}

extension Controller {
  /// Advertisers 1 and up, at the same time as that of the legacy commands, each with a random address of its own.
  func executeMultiAdvertising(_ octets: [UInt8]) {
    let answer = [octets.first ?? 0]
    guard let command = MultiAdvertising(octets), command.set > 0, Int(command.set) < radio.advertisers.count else {
      return complete(MultiAdvertising.opcode, status: .invalidParameters, returning: answer)
    }
    guard advertisingCommands != .extended else {
      return complete(MultiAdvertising.opcode, status: .commandDisallowed, returning: answer)
    }
    advertisingCommands = .legacy
    let status = perform(command, radio.advertisers[Int(command.set)])
    complete(MultiAdvertising.opcode, status: status, returning: answer)
  }

  private func perform(_ command: MultiAdvertising, _ set: Advertiser) -> HCI.ErrorCode {
    switch command {
    case .parameters(_, let parameters):
      if let problem = problem(with: parameters, set) { return problem }
      set.setup = AdvertisingSetup(parameters)
    case .data(_, let data): set.data = data
    case .scanResponse(_, let data): set.scanResponse = data
    case .randomAddress(_, let address):
      if set.isEnabled { return .commandDisallowed }
      set.randomAddress = address
    case .enable(_, false): world.stopAdvertising(set)
    case .enable(_, true):
      if let problem = problemOfEnabling(set, random: set.randomAddress) { return problem }
      world.startAdvertising(set)
    }
    return .success
  }

  /// A connection has ended an advertiser of these commands; told before the connection.
  func emitStateChange(of set: Advertiser, _ connection: HCI.ConnectionHandle) {
    guard set.index > 0, set.setHandle == nil else { return }
    emit(
      .other(
        code: MultiAdvertising.eventCode,
        parameters: [MultiAdvertising.subevent, UInt8(set.index), 0] + little(UInt16(connection))))
  }
}
