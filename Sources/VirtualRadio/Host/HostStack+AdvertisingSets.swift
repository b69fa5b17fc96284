public import BluetoothWire

/// What the stack knows of an advertising set beside its own advertising.
struct HostAdvertisingSet {
  /// It has been begun, and nothing has ended it.
  var isOn = false
  /// The first refusal since it was last set up; keeps the enable from being sent.
  var failure: HCI.ErrorCode?
  /// Links that are made through it have this address; also those that come while it ends.
  var address: BluetoothAddress
}

/// Advertising sets: by extended commands where the configuration has them, else of controllers that have the
/// multi-advertising commands of Android (`HCI.MultiAdvertising`).
extension HostStack {
  /// Advertises at the same time as `startAdvertising`, from another address; each part is at most 31 octets with
  /// legacy PDUs, 1650 with others. What the set has advertised before ends. The answer is `advertisingSetStarted`,
  /// with 0x01 from a controller without these commands. A connection that is made through it ends it with
  /// `advertisingSetEnded`, which comes before `connected`.
  /// - Parameters:
  ///   - set: 1 and up.
  ///   - address: a random one.
  ///   - interval: units of 0.625 ms, 0x0020 … 0x4000.
  ///   - kind: of legacy PDUs.
  ///   - manner: of extended PDUs; nil: legacy ones.
  public func startAdvertisingSet(
    _ set: UInt8, from address: BluetoothAddress, data: [UInt8], scanResponse: [UInt8], interval: UInt16,
    kind: HCI.AdvertisingParameters.Kind, manner: ExtendedAdvertisingManner? = nil
  ) {
    let usesExtended = configuration.usesExtendedAdvertising
    let room = manner == nil ? 31 : HostScanner.mostData
    guard max(data.count, scanResponse.count) <= room, manner == nil || usesExtended, !kind.isDirected, set > 0 else {
      return emit(.advertisingSetStarted(set, .invalidParameters))
    }
    guard power == .on else { return emit(.advertisingSetStarted(set, .commandDisallowed)) }
    if manner?.isConnectable ?? kind.isConnectable, isFull(of: .peripheral) {
      return emit(.advertisingSetStarted(set, .connectionLimitExceeded))
    }
    stopAdvertisingSet(set)
    advertisingSets[set] = HostAdvertisingSet(isOn: true, address: address)
    var parameters = HCI.AdvertisingParameters(intervalMinimum: interval, intervalMaximum: interval)
    parameters.ownAddressType = .random
    parameters.channelMap = configuration.advertisingChannels
    parameters.kind = kind
    if usesExtended {
      let steps = setup(of: set, from: address, parameters, data: data, scanResponse: scanResponse, manner)
      for step in steps { enqueue(.extended(step), .setSetup(set)) }
      enqueue(.extended(.leSetExtendedAdvertisingEnable(true, [.init(set: set)])), .setEnable(set))
      return
    }
    let steps: [HCI.MultiAdvertising] = [
      .parameters(set, parameters), .randomAddress(set, address), .data(set, data), .scanResponse(set, scanResponse),
    ]
    for step in steps { enqueue(step.command, .setSetup(set)) }
    enqueue(HCI.MultiAdvertising.enable(set, true).command, .setEnable(set))
  }

  /// No event; nothing happens to a set that does not advertise.
  public func stopAdvertisingSet(_ set: UInt8) {
    guard advertisingSets[set]?.isOn == true else { return }
    advertisingSets[set]?.isOn = false
    let end = HCI.MultiAdvertising.enable(set, false).command
    let extendedEnd = HCI.Command.extended(.leSetExtendedAdvertisingEnable(false, [.init(set: set)]))
    enqueue(configuration.usesExtendedAdvertising ? extendedEnd : end, .setting)
  }

  func setupOfSetAnswered(_ set: UInt8, _ status: HCI.ErrorCode) {
    if status != .success, advertisingSets[set]?.failure == nil { advertisingSets[set]?.failure = status }
  }

  /// Whether the last refusal leaves nothing to enable; then it is said.
  func failsToEnable(_ purpose: CommandQueue.Purpose) -> Bool {
    guard case .setEnable(let set) = purpose, let failure = advertisingSets[set]?.failure else { return false }
    setEnabled(set, failure)
    return true
  }

  func setEnabled(_ set: UInt8, _ status: HCI.ErrorCode) {
    if status != .success { advertisingSets[set]?.isOn = false }
    emit(.advertisingSetStarted(set, status))
  }

  /// The LE Multi-Advertising State Change Event: a connection has ended a set.
  func receiveVendorEvent(_ parameters: [UInt8]) {
    guard let end = HCI.MultiAdvertisingEnded(parameters) else { return }
    setEnded(end.set, by: end.connection)
  }

  /// A connection has ended a set.
  func setEnded(_ number: UInt8, by connection: HCI.ConnectionHandle) {
    guard let set = advertisingSets[number] else { return }
    linkOfSet = (connection, set.address)
    guard set.isOn else { return }
    advertisingSets[number]?.isOn = false
    emit(.advertisingSetEnded(number))
  }

  /// The address that the peer of a new link knows, where that is one of a set; nil: that of the stack.
  func takeAddress(of handle: HCI.ConnectionHandle) -> BluetoothAddress? {
    defer { linkOfSet = nil }
    return linkOfSet?.handle == handle ? linkOfSet?.address : nil
  }

  /// The controller has been reset.
  func forgetAdvertisingSets() {
    for set in advertisingSets.keys.sorted() {
      if advertisingSets[set]?.isOn == true { emit(.advertisingSetEnded(set)) }
    }
    advertisingSets.removeAll()
    linkOfSet = nil
    awaitedEnd = nil
  }
}
