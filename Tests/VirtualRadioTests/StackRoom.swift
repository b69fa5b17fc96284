import BluetoothWire
import RadioLaws
import SimKernel
import VirtualRadio

/// Host stacks on this project's own controllers, in one lossless room.
final class StackRoom {
  let timeline = Timeline()
  let world: RadioWorld
  private(set) var hosts: [HostStack] = []
  private var events: [[HostEvent]]
  /// Called with what a stack has told, at that instant.
  var onEvent: ((Int, HostEvent) -> Void)?

  init(
    _ count: Int, seed: UInt64 = 3, radio: (inout RadioConfiguration, Int) -> Void = { _, _ in },
    configure: (Int, inout HostConfiguration) -> Void = { _, _ in }
  ) {
    world = RadioWorld(
      timeline: timeline, environment: .lossless, seed: seed, radios: RadioBench.radios(count, change: radio))
    events = Array(repeating: [], count: count)
    for index in 0..<count {
      var configuration = HostConfiguration(address: RadioBench.address(index), deviceName: "device \(index)")
      configure(index, &configuration)
      hosts.append(HostStack(door: world.controllers[index], configuration: configuration))
    }
    for host in hosts { host.start(at: timeline.now) }
    drain()
  }

  /// Takes what a stack has told since the last time.
  func take(_ device: Int) -> [HostEvent] {
    drain()
    defer { events[device] = [] }
    return events[device]
  }

  func run(for span: SimDuration) {
    let end = timeline.now + span
    drain()
    while true {
      let deadline = hosts.compactMap(\.nextDeadline).min() ?? .distantFuture
      if let event = timeline.advance(limit: min(end, deadline)) {
        world.handle(event)
      } else {
        timeline.skip(to: min(end, max(deadline, timeline.now)))
        for host in hosts { host.advance(to: timeline.now) }
        if deadline > end { break }
      }
      drain()
    }
    drain()
  }

  private func drain() {
    while let device = world.nextWaiting() {
      while let message = world.controllers[device].popForHost() {
        hosts[device].receive(message, at: timeline.now)
      }
    }
    for (device, host) in hosts.enumerated() {
      while let event = host.popEvent() {
        events[device].append(event)
        onEvent?(device, event)
      }
    }
  }
}
