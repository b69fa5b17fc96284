import BluetoothWire
import Foundation
import SimKernel
import VirtualRadio

/// Empty connection events: stepped one by one, and skipped.
enum LinkBenchmark {
  /// - Parameter lobbies: so many hosts, 10 m apart, each with its clients.
  private static func world(clients: Int, lobbies: Int = 1, steps: Bool, environment: RadioEnvironment = .ideal) -> (
    Timeline, RadioWorld
  ) {
    let timeline = Timeline()
    let size = clients + 1
    let configurations = (0..<lobbies * size).map { index in
      RadioConfiguration(
        name: "device-\(index)", address: BluetoothAddress(kind: .random, bits: 0xC000_0000_0000 + UInt64(index)),
        position: Position(x: index % size * 50, y: index / size * 1_000))
    }
    let world = RadioWorld(
      timeline: timeline, environment: environment, seed: 1, radios: configurations, stepsIdleEvents: steps)
    for (index, controller) in world.controllers.enumerated() {
      controller.submit(.setEventMask(.max))
      controller.submit(.leSetEventMask(~(1 << 9)))
      controller.submit(.leSetRandomAddress(configurations[index].address))
    }
    for client in configurations.indices where client % size > 0 {
      let host = client - client % size
      world.controllers[host].submit(.leSetAdvertisingParameters(.init(intervalMinimum: 32, intervalMaximum: 32)))
      world.controllers[host].submit(.leSetAdvertisingEnable(true))
      world.controllers[client].submit(
        .leCreateConnection(
          HCI.CreateConnection(
            scanInterval: 16, scanWindow: 16, peer: configurations[host].address,
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
    idleLobby("1 % loss", lobbies: 1, loss)
    idleLobby("two in a room", lobbies: 2, .ideal)
    idleLobby("eight in a room, 1 % loss", lobbies: 8, loss)
  }

  private static var loss: RadioEnvironment {
    var room = RadioEnvironment.ideal
    room.packetLoss = .partsPerMillion(10_000)
    return room
  }

  /// An idle lobby in a room with loss, in turn with and without a look ahead; both must end with one digest.
  private static func idleLobby(_ name: String, lobbies: Int, _ room: RadioEnvironment) {
    let worlds = [true, false].map { world(clients: 7, lobbies: lobbies, steps: $0, environment: room) }
    var cpu = [[Double]](repeating: [], count: 2)
    for _ in 0..<5 {
      for (index, (timeline, world)) in worlds.enumerated() {
        let limit = timeline.now + .seconds(100)
        let before = cpuSeconds()
        while let event = timeline.advance(limit: limit) { world.handle(event) }
        if timeline.now < limit { timeline.skip(to: limit) }
        cpu[index].append((cpuSeconds() - before) * 10)
      }
    }
    for (_, world) in worlds { world.settle() }
    let (stepped, skipped) = (worlds[0].1, worlds[1].1)
    if stepped.digest != skipped.digest { fatalError("skipping idle events changes the digest in a room: \(name)") }
    let (slow, fast) = (cpu[0].sorted()[2], cpu[1].sorted()[2])
    let share = skipped.statistics.skippedConnectionEvents * 100 / skipped.statistics.connectionEvents
    row(
      "  the same, \(name)", slow / fast, "× the CPU when stepped",
      target: String(format: "%.2f and %.2f ms CPU per simulated s; %d %% of events skipped", slow, fast, share))
  }
}
