import BluetoothWire
import SimKernel
import VirtualRadio

/// Empty connection events: stepped one by one, and skipped.
enum LinkBenchmark {
  private static func world(clients: Int, steps: Bool) -> (Timeline, RadioWorld) {
    let timeline = Timeline()
    var environment = RadioEnvironment()
    environment.isLevelDependent = false
    let configurations = (0...clients).map { index in
      RadioConfiguration(
        name: "device-\(index)", address: BluetoothAddress(kind: .random, bits: 0xC000_0000_0000 + UInt64(index)),
        position: Position(x: index * 50, y: 0))
    }
    let world = RadioWorld(
      timeline: timeline, environment: environment, seed: 1, radios: configurations, stepsIdleEvents: steps)
    for (index, controller) in world.controllers.enumerated() {
      controller.submit(.setEventMask(.max))
      controller.submit(.leSetEventMask(~(1 << 9)))
      controller.submit(.leSetRandomAddress(configurations[index].address))
    }
    for client in 1...clients {
      world.controllers[0].submit(.leSetAdvertisingParameters(.init(intervalMinimum: 32, intervalMaximum: 32)))
      world.controllers[0].submit(.leSetAdvertisingEnable(true))
      world.controllers[client].submit(
        .leCreateConnection(
          HCI.CreateConnection(
            scanInterval: 16, scanWindow: 16, peer: configurations[0].address,
            parameters: HCI.ConnectionParameters(intervalMinimum: 24, intervalMaximum: 24, supervisionTimeout: 400))))
      let limit = timeline.now + .seconds(2)
      while let event = timeline.advance(limit: limit) {
        world.handle(event)
        drain(world)
      }
      if timeline.now < limit { timeline.skip(to: limit) }
    }
    return (timeline, world)
  }

  private static func drain(_ world: RadioWorld) {
    while let device = world.nextWaiting() {
      while world.controllers[device].popForHost() != nil {}
    }
  }

  static func report() {
    print("Link layer")
    for clients in [1, 7] {
      let (timeline, world) = world(clients: clients, steps: true)
      var events = 0
      let seconds = leastCPU {
        let before = world.statistics.connectionEvents
        let limit = timeline.now + .seconds(Int64(14_000 / clients))
        while let event = timeline.advance(limit: limit) { world.handle(event) }
        events = world.statistics.connectionEvents - before
      }
      row(
        "  empty connection event, stepped, \(clients) link\(clients == 1 ? "" : "s")", seconds / Double(events) * 1e6,
        "µs", target: "≤ 0.5 µs; \(events) events")
    }
    let (timeline, world) = world(clients: 7, steps: false)
    let span: Int64 = 1_000_000
    let before = cpuSeconds()
    // Every hundred seconds somebody looks: the cost of waking and parking again is part of the figure.
    let start = timeline.now
    for tick in 1...(span / 100) {
      let limit = start + .seconds(tick * 100)
      while let event = timeline.advance(limit: limit) { world.handle(event) }
      if timeline.now < limit { timeline.skip(to: limit) }
      world.settle()
    }
    let cpu = cpuSeconds() - before
    row(
      "  idle eight-peer lobby, skipped", Double(span) / cpu / 1e6, "M simulated s per CPU s",
      target: "≥ 0.1; \(world.statistics.skippedConnectionEvents) events skipped")
  }
}
