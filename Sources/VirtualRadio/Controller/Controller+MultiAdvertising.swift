import BluetoothWire

extension Controller {
  /// Advertisers 1 and up, at the same time as that of the legacy commands, each with a random address of its own.
  func executeMultiAdvertising(_ octets: [UInt8]) {
    let answer = [octets.first ?? 0]
    guard let command = HCI.MultiAdvertising(octets), command.set > 0, Int(command.set) < radio.advertisers.count else {
      return complete(HCI.MultiAdvertising.opcode, status: .invalidParameters, returning: answer)
    }
    guard advertisingCommands != .extended else {
      return complete(HCI.MultiAdvertising.opcode, status: .commandDisallowed, returning: answer)
    }
    advertisingCommands = .legacy
    let status = perform(command, radio.advertisers[Int(command.set)])
    complete(HCI.MultiAdvertising.opcode, status: status, returning: answer)
  }

  private func perform(_ command: HCI.MultiAdvertising, _ set: Advertiser) -> HCI.ErrorCode {
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
    emit(HCI.MultiAdvertisingEnded(set: UInt8(set.index), connection: connection).event)
  }
}
