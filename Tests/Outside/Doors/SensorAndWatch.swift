import BluetoothWire
import SimKernel
import VirtualRadio

/// A heart rate sensor and a watch: two controllers with a host stack each, in a living room.
///
/// Whoever embeds the radio owns the clock: `run(for:)` is the loop that every such world needs.
final class SensorAndWatch: RadioObserver {
  static let service = BluetoothUUID(0x180D)
  static let measurement = BluetoothUUID(0x2A37)

  let timeline = Timeline()
  /// H4 packets of the watch, as a phone's HCI log has them.
  private(set) var packets: [(at: SimInstant, octets: [UInt8], isToHost: Bool)] = []
  /// Heart rates that the watch was notified of.
  private(set) var rates: [UInt8] = []
  private let world: RadioWorld
  private let hosts: [HostStack]
  private var sensor: HostStack { hosts[0] }
  private var watch: HostStack { hosts[1] }
  private var subscriber: HCI.ConnectionHandle?

  init(seed: UInt64) {
    let radios = ["sensor", "watch"].enumerated().map { index, name in
      RadioConfiguration(
        name: name, address: BluetoothAddress(kind: .publicDevice, bits: 0x00C0_DE00_0000 + UInt64(index)),
        position: Position(x: index * 150, y: 0))
    }
    let world = RadioWorld(
      timeline: timeline, environment: .livingRoom, seed: seed, radios: radios, wantsHCI: true)
    self.world = world
    hosts = radios.enumerated().map { index, radio in
      HostStack(
        door: world.controllers[index],
        configuration: HostConfiguration(address: radio.address, deviceName: radio.name))
    }
    world.observer = self
    let characteristic = GATT.Characteristic(uuid: Self.measurement, properties: .notify)
    _ = sensor.publish(GATT.Service(uuid: Self.service, characteristics: [characteristic]))
    for host in hosts { host.start(at: timeline.now) }
    drain()
  }

  /// Lets virtual time pass.
  func run(for span: SimDuration) {
    let end = timeline.now + span
    while true {
      let deadline = hosts.compactMap(\.nextDeadline).min() ?? .distantFuture
      if let event = timeline.advance(limit: min(end, deadline)) {
        world.handle(event)
      } else {
        timeline.skip(to: min(end, max(deadline, timeline.now)))
        for host in hosts { host.advance(to: timeline.now) }
        if deadline > end { return drain() }
      }
      drain()
    }
  }

  /// The sensor measures; false where nobody has subscribed.
  func measure(_ rate: UInt8) -> Bool {
    guard let subscriber else { return false }
    defer { drain() }
    return sensor.notify(subscriber, characteristic: Self.measurement, value: [0, rate])
  }

  /// What controllers have for their hosts, and what hosts have to tell.
  private func drain() {
    while let device = world.nextWaiting() { world.controllers[device].handOver(to: hosts[device], at: timeline.now) }
    while let event = sensor.popEvent() { sensorIsTold(event) }
    while let event = watch.popEvent() { watchIsTold(event) }
    if world.hasWaiting { drain() }
  }

  private func sensorIsTold(_ event: HostEvent) {
    switch event {
    case .poweredOn: sensor.startAdvertising(data: [2, 0x01, 0x06, 3, 0x03, 0x0D, 0x18], scanResponse: [])
    case .subscriptionChanged(let link, characteristic: Self.measurement, let isOn): subscriber = isOn ? link : nil
    default: break
    }
  }

  private func watchIsTold(_ event: HostEvent) {
    switch event {
    case .poweredOn: watch.startScanning()
    case .scanReport(let address, _, _, _, isConnectable: true):
      watch.stopScanning()
      watch.connect(to: address)
    case .connected(let link, _): watch.discover(link, service: Self.service)
    case .servicesDiscovered(let link, _, _): watch.subscribe(link, characteristic: Self.measurement, true)
    case .valueNotified(_, characteristic: Self.measurement, let value): rates.append(value[1])
    default: break
    }
  }

  func observe(_ event: RadioEvent, device: Int) {
    guard device == 1 else { return }
    switch event {
    case .hciCommand(let command): packets.append((timeline.now, command.h4Octets, false))
    case .aclToController(let data): packets.append((timeline.now, data.h4Octets, false))
    case .hciEvent(let event): packets.append((timeline.now, event.h4Octets, true))
    case .aclToHost(let data): packets.append((timeline.now, data.h4Octets, true))
    case .isoToController(let data): packets.append((timeline.now, data.h4Octets, false))
    case .isoToHost(let data): packets.append((timeline.now, data.h4Octets, true))
    case .air: break
    }
  }
}
