import AppSeam
import BluetoothWire
import Platform
import SimKernel
public import VirtualRadio

/// From a scenario and a seed to the parts of a world; every draw is named and printed.
extension World {
  /// What a run of this scenario and seed consists of, every drawn option included.
  public static func header(_ scenario: Scenario, seed: UInt64, seats: [Seat] = []) -> TraceHeader {
    let devices = scenario.devices.enumerated().map { index, device in
      written(device, index, seed: seed, isForeign: index < seats.count && seats[index].isOnlyRadio)
    }
    return TraceHeader(
      scenario: scenario.name, seed: seed, devices: devices,
      options: drawnOptions(scenario, devices, seed: seed, seats: seats))
  }

  /// A device as readers are told of it.
  static func written(_ device: Device, _ index: Int, seed: UInt64, isForeign: Bool) -> TraceHeader.Device {
    let hostility = isForeign ? nil : hostility(of: device, seed: seed)
    var written = TraceHeader.Device(
      name: device.name, role: device.role, phone: device.phone.name, dialect: device.dialect.rawValue,
      engine: engineName(device, hostility, isForeign: isForeign),
      address: address(of: device, index: index, seed: seed, isPublic: isForeign), app: device.app,
      lobby: device.lobby)
    if !isForeign, device.changesAddress { written.identityKey = identityKey(of: device, seed: seed) }
    written.isHostile = hostility != nil
    written.isMute = device.program?.isMute ?? false
    written.isProgram = !isForeign && hostility == nil && device.program != nil
    written.toldPeerID = written.isProgram ? device.peerID : nil
    return written
  }

  /// The address that the scenario gives a device, or else a random static one (two upper bits set, Vol 6, Part B,
  /// 1.3.2.1), from the seed and the device's name. A controller that an external host takes needs a public one, which
  /// it reports as its BD_ADDR.
  static func address(of device: Device, index: Int, seed: UInt64, isPublic: Bool) -> BluetoothAddress {
    if let address = device.address, address.kind == .publicDevice || !isPublic { return address }
    var stream = RandomStream(seed: seed, component: device.name, purpose: "address")
    // The low octet is the index, or the low two where it needs them, so that devices do not draw the same address.
    let own: UInt64 = index < 256 ? 0xFF : 0xFFFF
    let bits = stream.next() & 0x3FFF_FFFF_FFFF & ~own | 0xC000_0000_0000 | UInt64(index)
    // A public address has no group bit: it is of one device (Vol 6, Part B, 1.3.1).
    return isPublic
      ? BluetoothAddress(kind: .publicDevice, bits: bits & 0x3EFF_FFFF_FFFF)
      : BluetoothAddress(kind: .random, bits: bits)
  }

  /// From which a device makes its resolvable private addresses.
  static func identityKey(of device: Device, seed: UInt64) -> [UInt8] {
    var stream = RandomStream(seed: seed, component: device.name, purpose: "identity key")
    return (0..<16).map { _ in UInt8(truncatingIfNeeded: stream.next()) }
  }

  func privacy(of device: Int) -> PlatformPrivacy? {
    header.devices[device].identityKey.map {
      PlatformPrivacy(
        key: $0,
        stream: RandomStream(seed: options.seed, component: scenario.devices[device].name, purpose: "private address"))
    }
  }

  static func clockError(_ device: Device, seed: UInt64) -> Int {
    if let fixed = device.clockPartsPerMillion { return fixed }
    let range = device.phone.radio.clockDrift
    var stream = RandomStream(seed: seed, component: device.name, purpose: "clock")
    return Int(stream.within(Int64(range.lowerBound)...Int64(range.upperBound)))
  }

  /// - Parameter written: the scenario's devices as they are in this world.
  static func drawnOptions(
    _ scenario: Scenario, _ written: [TraceHeader.Device], seed: UInt64, seats: [Seat]
  ) -> [TraceHeader.Option] {
    var options = [
      TraceHeader.Option(key: "seed", value: String(seed)),
      TraceHeader.Option(key: "radio", value: scenario.radioPreset),
    ]
    if !scenario.apps.isEmpty { options.append(.init(key: "dialect", value: scenario.dialect.rawValue)) }
    for app in scenario.apps { options += app.app.options(app.settings) }
    for (index, (device, written)) in zip(scenario.devices, written).enumerated() {
      options.append(drawn(device, written, seed: seed, seat: index < seats.count ? seats[index] : .simulated))
    }
    return options
  }

  static func drawn(
    _ device: Device, _ written: TraceHeader.Device, seed: UInt64, seat: Seat
  ) -> TraceHeader.Option {
    let engine = written.engine + (written.isHostile ? " hostile" : "")
    let place =
      seat == .foreignController
      ? "over a foreign controller" : "at (\(device.position.x), \(device.position.y), \(device.position.z)) cm"
    return TraceHeader.Option(
      key: "devices.\(device.name)",
      value: "\(device.phone.name) \(engine) \(written.address) clock \(clockError(device, seed: seed)) ppm \(place)")
  }

  /// A program names instants of the room, so its radio has no clock of its own, and it sends on every PHY.
  private static func ofProgram(_ configuration: RadioConfiguration, _ phone: PhonePreset) -> RadioConfiguration {
    var configuration = configuration
    configuration.hasExternalLinkLayer = true
    configuration.transmitPower = phone.radio.transmitPower
    configuration.sensitivity = phone.radio.sensitivity
    configuration.supportsCoded = true
    return configuration
  }

  static func radioConfiguration(
    _ device: Device, address: BluetoothAddress, seed: UInt64, seat: Seat
  ) -> RadioConfiguration {
    var configuration = RadioConfiguration(name: device.name, address: address, position: device.position)
    let phone = device.phone
    configuration.model = phone.radio.controller
    if seat == .foreignLinkLayer { return ofProgram(configuration, phone) }
    // Connection Parameters Request Procedure, Vol 6, Part B, 4.6.2.
    configuration.asksForParameters =
      seat == .foreignHost && (phone.radio.controller.map { $0.features & 2 != 0 } ?? true)
    let model = phone.radio.controller?.features ?? .max
    let answersTrains = phone.radio.supportsPeriodicResponses ?? (seat == .foreignHost) && model >> 43 & 3 == 3
    configuration.supportsSyncTransfer =
      phone.radio.supportsSyncTransfer ?? (seat == .foreignHost || answersTrains) && model >> 24 & 3 == 3
    // One needs the other (Vol 6, Part B, 4.6.38, 4.6.39).
    configuration.supportsPeriodicResponses = answersTrains && configuration.supportsSyncTransfer
    func has(_ wish: Bool?, _ bit: UInt64) -> Bool { wish ?? (seat == .foreignHost) && model >> bit & 1 != 0 }
    configuration.supportsSubrating = has(phone.radio.supportsSubrating, 37)
    configuration.supportsClockUpdates = has(phone.radio.supportsClockUpdates, 26)
    configuration.supportsPowerControl = has(phone.radio.supportsPowerControl, 33)
    configuration.supportsStreams = has(phone.radio.supportsStreams, 28)
    configuration.wantedLevel = phone.radio.wantedLevel
    configuration.supportsChannelReports = has(phone.radio.supportsChannelReports, 39)
    configuration.minimumUsedChannels =
      phone.radio.minimumUsedChannels ?? (has(nil, 16) ? 2 : 0)
    configuration.supportsEncryption = phone.radio.controller.map { $0.features & 1 != 0 } ?? true
    configuration.transmitPower = phone.radio.transmitPower
    configuration.sensitivity = phone.radio.sensitivity
    configuration.clockPartsPerMillion = clockError(device, seed: seed)
    configuration.claimedClockAccuracy = phone.radio.declaredClockPartsPerMillion
    configuration.maximumLinks = phone.connection.links
    configuration.aclBuffers = phone.buffers.aclCount
    configuration.aclBufferLength = phone.buffers.aclOctets
    configuration.maximumDataLength = Int(phone.radio.maximumDataOctets)
    configuration.supports2M = phone.radio.supports2M
    configuration.supportsCoded = phone.radio.supportsCoded
    configuration.maximumExchangesPerEvent = phone.radio.packetsPerEvent
    configuration.maximumEventLength = phone.radio.eventLength
    configuration.hopIncrement = phone.radio.hopIncrement
    configuration.anchorOffset = phone.radio.anchorOffset
    configuration.linkSpacing = phone.radio.linkSpacing
    configuration.linkScheduling = phone.radio.linkScheduling
    configuration.supportsChannelSelection2 = phone.radio.supportsChannelSelection2
    configuration.adaptsChannels = phone.radio.adaptsChannels
    configuration.hasZephyrCommands = phone.radio.hasZephyrCommands
    configuration.hasMultiAdvertising = phone.advertising.sets > 1 && !phone.advertising.isExtended
    return configuration
  }

  func hostConfiguration(_ device: Device, address: BluetoothAddress) -> HostConfiguration {
    let phone = device.phone
    var configuration = HostConfiguration(address: address, deviceName: device.gapName ?? device.name)
    configuration.serverATTMTU = phone.att.serverMTU
    configuration.clientATTMTU = phone.att.clientMTU
    configuration.exchangesMTUAutomatically = phone.att.exchangesAutomatically
    configuration.notificationQueueDepth = phone.buffers.notificationQueue
    configuration.writeCommandQueueDepth = phone.buffers.writeCommandQueue
    configuration.linksAsPeripheral = phone.connection.linksAsPeripheral
    configuration.linksAsCentral = phone.connection.linksAsCentral
    configuration.requestedDataLength =
      phone.radio.updatesDataLengthAutomatically && phone.radio.maximumDataOctets > 27
      ? phone.radio.maximumDataOctets : nil
    configuration.requested2M = phone.radio.prefers2M && phone.radio.supports2M
    configuration.hasCoded = phone.radio.supportsCoded
    configuration.has2M = phone.radio.supports2M
    configuration.usesExtendedAdvertising = phone.advertising.isExtended
    configuration.requestedCoding = phone.radio.supportsCoded ? phone.radio.preferredCoding : nil
    let initial = phone.connection.initial
    configuration.connectionInterval = initial.intervalMinimum...initial.intervalMaximum
    configuration.peripheralLatency = initial.peripheralLatency
    configuration.supervisionTimeout = initial.supervisionTimeout
    configuration.scanInterval = phone.scanning.foreground.interval
    configuration.scanWindow = phone.scanning.foreground.window
    configuration.activeScan = phone.scanning.foreground.isActive
    configuration.advertisingInterval = phone.advertising.interval...phone.advertising.interval
    configuration.advertisingChannels = phone.advertising.channels
    configuration.advertisingKind = phone.advertising.kind
    configuration.advertisingTarget = scenario.devices.firstIndex { $0.name == device.directedTo }.map {
      header.devices[$0].address
    }
    configuration.peripheralPreferredParameters = phone.connection.requestedAsPeripheral
    configuration.initiatingScan = phone.scanning.connecting
    configuration.acceptableInterval = phone.connection.acceptedIntervals
    configuration.raisesShortIntervals = phone.connection.raisesShortIntervals
    configuration.acceptableLatency = phone.connection.acceptedLatency
    configuration.acceptableTimeout = phone.connection.acceptedTimeouts
    configuration.requestsAfter = phone.connection.requestsAfter
    configuration.discoveryInterval = phone.connection.discoveryInterval
    configuration.connectionAttemptTimeout = phone.connection.attemptTimeout
    configuration.hasServiceChanged = phone.att.tellsServiceChanges
    configuration.security = phone.pairing?.security
    if let key = header.device(at: address).flatMap({ header.devices[$0].identityKey }) {
      configuration.security?.identityResolvingKey = key.reversed()
    }
    return configuration
  }

  /// What the app of a device is told.
  func appConfiguration(_ index: Int) -> AppConfiguration {
    let device = scenario.devices[index]
    var configuration = AppConfiguration(
      device: index, app: device.app ?? "", role: device.role, dialect: device.dialect, peerID: device.peerID,
      displayName: device.displayName, seed: options.seed,
      settings: device.settings ?? device.app.flatMap(scenario.settings) ?? AppSettings(NoSettings.empty))
    configuration.knownPeers = scenario.devices.indices.filter { scenario.devices[$0].directedTo == device.name }.map {
      AppConfiguration.KnownPeer(device: $0, address: header.devices[$0].address)
    }
    configuration.clockOffsetMilliseconds = device.clockOffsetMilliseconds
    if device.phone.advertising.isExtended {
      configuration.features =
        device.phone.radio.supportsCoded ? [.extendedAdvertising, .leCoded] : [.extendedAdvertising]
    }
    configuration.readings = readings
    if index < platforms.count {
      configuration.kept = platforms[index].kept
      configuration.memory = platforms[index].memory
      configuration.isRestored = platforms[index].isReclaimed
    }
    return configuration
  }

  /// What the device does that it must not in the world of this seed; nil: nothing.
  static func hostility(of device: Device, seed: UInt64) -> Hostility? {
    device.hostility.flatMap { $0.strikes(device.name, seed: seed) ? $0 : nil }
  }

  static func engineName(_ device: Device, _ hostility: Hostility?, isForeign: Bool) -> String {
    if isForeign { return TraceHeader.foreignEngine }
    if case .engine(let name)? = hostility?.way { return name }
    return device.engine
  }

  func statistics() -> RunOutcome.Statistics {
    var statistics = RunOutcome.Statistics()
    statistics.queueEvents = timeline.eventCount
    statistics.connectionEvents = radio.statistics.connectionEvents
    statistics.skippedConnectionEvents = radio.statistics.skippedConnectionEvents
    statistics.missedConnectionEvents = radio.statistics.missedConnectionEvents
    statistics.pdusSent = radio.statistics.pdusSent
    statistics.pdusLost = radio.statistics.pdusLost
    statistics.collisions = radio.collisions
    return statistics
  }

  func summary(_ platform: DevicePlatform) -> RunOutcome.DeviceSummary {
    let device = scenario.devices[platform.index]
    var summary = RunOutcome.DeviceSummary(
      name: device.name, role: device.role, phone: device.phone.name,
      links: platform.seat == .foreignHost ? radio.controllers[platform.index].linkCount : platform.links.count,
      attMTU: platform.links.map(\.attMTU).min() ?? 0, valuesSent: platform.valuesSent,
      valuesReceived: platform.valuesReceived, columns: facts.columns(of: platform.index))
    if platform.seat != .foreignController {
      let times = radio.radioTimes(of: platform.index)
      let run = timeline.now - SimInstant.zero
      summary.radio = RunOutcome.RadioUse(
        times: times, charge: device.phone.radio.currents.charge(times, of: run))
    }
    summary.network = networkUse(of: platform.index)
    return summary
  }
}
