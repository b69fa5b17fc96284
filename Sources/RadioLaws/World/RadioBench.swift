package import BluetoothWire
package import SimKernel
package import VirtualRadio

/// A radio world with nobody above the HCI seam: laws and tests send commands and look at what comes up.
package final class RadioBench: RadioObserver {
  package let timeline = Timeline()
  package let world: RadioWorld
  /// What each controller told its host, in order.
  package var events: [[(at: SimInstant, event: HCI.Event)]]
  package var received: [[(at: SimInstant, data: HCI.ACLData)]]
  package var air: [AirPDU] = []
  /// Whether steps of a connection event may follow one another without the queue, as in worlds that play.
  package var runsAhead = false
  /// Called with each message before the next one; for tests that answer.
  package var onMessage: ((Int, HCI.ToHost) -> Void)?
  /// Called with each event that is not the radio world's; for tests that do something at its place in the order.
  package var onEvent: ((SimEvent) -> Void)?

  package init(
    _ configurations: [RadioConfiguration], environment: RadioEnvironment = .lossless, seed: UInt64 = 1,
    wantsAir: Bool = false, stepsIdleEvents: Bool = false
  ) {
    world = RadioWorld(
      timeline: timeline, environment: environment, seed: seed, radios: configurations, wantsAir: wantsAir,
      stepsIdleEvents: stepsIdleEvents)
    events = Array(repeating: [], count: configurations.count)
    received = Array(repeating: [], count: configurations.count)
    world.observer = self
    for (device, configuration) in configurations.enumerated() { prepare(device, configuration.address) }
  }

  /// What a host does first: all events but the enhanced connection complete, and its random address.
  package func prepare(_ device: Int, _ address: BluetoothAddress) {
    command(device, .setEventMask(.max))
    command(device, .leSetEventMask(~(1 << 9)))
    if address.kind == .random { command(device, .leSetRandomAddress(address)) }
    events[device].removeAll()
  }

  package func observe(_ event: RadioEvent, device: Int) {
    if case .air(let pdu) = event { air.append(pdu) }
  }

  package func command(_ device: Int, _ command: HCI.Command) {
    world.controllers[device].submit(command)
    drain()
  }

  package func send(_ device: Int, _ handle: HCI.ConnectionHandle, _ octets: [UInt8]) {
    world.controllers[device].submit(HCI.ACLData(handle: handle, boundary: .firstNonFlushable, octets: octets))
    drain()
  }

  package func drain() {
    while let device = world.nextWaiting() {
      while let message = world.controllers[device].popForHost() {
        switch message {
        case .event(let event): events[device].append((timeline.now, event))
        case .acl(let data): received[device].append((timeline.now, data))
        case .iso: break
        }
        onMessage?(device, message)
      }
    }
  }

  /// Runs to `instant`, or until `condition` holds.
  @discardableResult
  package func run(until instant: SimInstant, orUntil condition: () -> Bool = { false }) -> Bool {
    while !condition() {
      guard let event = timeline.advance(limit: instant, runsAhead: runsAhead) else {
        if (timeline.nextInstant ?? .distantFuture) > instant, timeline.now < instant { timeline.skip(to: instant) }
        return condition()
      }
      if event.kind < RadioWorld.kindLimit { world.handle(event) } else { onEvent?(event) }
      drain()
    }
    return true
  }

  package func run(for span: SimDuration) { run(until: timeline.now + span) }

  /// The connections of a device, by its own events.
  package func connections(of device: Int) -> [HCI.ConnectionComplete] {
    events[device].compactMap {
      if case .leConnectionComplete(let complete) = $0.event, complete.status == .success { return complete }
      return nil
    }
  }

  package func disconnections(of device: Int) -> [(at: SimInstant, handle: HCI.ConnectionHandle, reason: HCI.ErrorCode)]
  {
    events[device].compactMap {
      if case .disconnectionComplete(let handle, _, let reason) = $0.event { return ($0.at, handle, reason) }
      return nil
    }
  }

  // MARK: Shorthand

  package static func address(_ index: Int) -> BluetoothAddress {
    BluetoothAddress(kind: .random, bits: 0xF0F1_F2F3_F4A0 + UInt64(index))
  }

  package static func radios(
    _ count: Int, change: (inout RadioConfiguration, Int) -> Void = { _, _ in }
  ) -> [RadioConfiguration] {
    (0..<count).map { index in
      var configuration = RadioConfiguration(
        name: "device-\(index)", address: address(index), position: Position(x: index * 100, y: 0))
      change(&configuration, index)
      return configuration
    }
  }

  package static func creation(_ peer: Int, interval: UInt16 = 24, latency: UInt16 = 0, timeout: UInt16 = 400)
    -> HCI.CreateConnection
  {
    HCI.CreateConnection(
      scanInterval: 16, scanWindow: 16, peer: address(peer),
      parameters: HCI.ConnectionParameters(
        intervalMinimum: interval, intervalMaximum: interval, peripheralLatency: latency, supervisionTimeout: timeout))
  }

  package func advertise(_ device: Int, interval: UInt16 = 32, data: [UInt8] = [2, 1, 6], scanResponse: [UInt8] = []) {
    command(device, .leSetAdvertisingParameters(.init(intervalMinimum: interval, intervalMaximum: interval)))
    command(device, .leSetAdvertisingData(data))
    command(device, .leSetScanResponseData(scanResponse))
    command(device, .leSetAdvertisingEnable(true))
  }

  /// Connects `central` to `peripheral` and returns (central's, peripheral's) handles.
  package func connect(
    _ central: Int, to peripheral: Int, interval: UInt16 = 24, latency: UInt16 = 0, timeout: UInt16 = 400
  )
    -> (HCI.ConnectionHandle, HCI.ConnectionHandle)?
  {
    let before = connections(of: peripheral).count
    advertise(peripheral)
    command(
      central,
      .leCreateConnection(Self.creation(peripheral, interval: interval, latency: latency, timeout: timeout)))
    guard run(until: timeline.now + .seconds(10), orUntil: { self.connections(of: peripheral).count > before }) else {
      return nil
    }
    return (connections(of: central).last!.handle, connections(of: peripheral).last!.handle)
  }
}

extension RadioEnvironment {
  /// Range and collisions decide, nothing else.
  package static var lossless: RadioEnvironment {
    var environment = RadioEnvironment()
    environment.isLevelDependent = false
    return environment
  }

  /// The same with noise on some RF channels half of the time, two milliseconds at once.
  package static func noisy(on rfChannels: ClosedRange<Int>) -> RadioEnvironment {
    var environment = RadioEnvironment.lossless
    environment.interferers = [
      .init(
        name: "access point", position: Position(x: 50, y: 50), spectrum: .flat(rfChannels), power: 1_000,
        activity: .onOff(meanOn: .milliseconds(2), meanOff: .milliseconds(2)))
    ]
    return environment
  }
}
