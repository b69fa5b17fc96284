import BluetoothWire
import Foundation
import SimKernel
import VirtualRadio

/// A hall with lobbies of eight, one every 20 m in both directions: the more devices, the larger the hall.
///
/// In each lobby a host advertises all the time (100 ms) and has five clients (30 ms), and two devices scan, one all the
/// time and one a tenth of it. Path loss, shadowing, losses and bursts are those of the convention hall, so everybody
/// hears a few dozen lobbies, whatever the number of devices.
enum ScaleBenchmark {
  /// Devices, and for how many simulated seconds: long enough to be measured.
  static let sizes: [(devices: Int, seconds: Int64)] = [(8, 2_000), (32, 500), (125, 100), (500, 20), (2_000, 5)]
  static let lobby = 8
  static let clients = 5

  static func position(_ device: Int, of count: Int) -> Position {
    let lobbies = (count + lobby - 1) / lobby
    var columns = 1
    while columns * columns < lobbies { columns += 1 }
    let (group, seat) = (device / lobby, device % lobby)
    return Position(
      x: group % columns * 2_000 + seat % 3 * 100, y: group / columns * 2_000 + seat / 3 * 100)
  }

  final class Hall {
    let timeline = Timeline()
    let world: RadioWorld
    private let addresses: [BluetoothAddress]

    init(devices: Int) {
      var environment = RadioEnvironment.conventionHall
      environment.interferers = []
      let addresses = (0..<devices).map { BluetoothAddress(kind: .random, bits: 0xC000_0000_0001 + UInt64($0)) }
      self.addresses = addresses
      let configurations = (0..<devices).map {
        var radio = RadioConfiguration(
          name: "device-\($0)", address: addresses[$0], position: ScaleBenchmark.position($0, of: devices))
        radio.clockPartsPerMillion = $0 % 41 - 20
        return radio
      }
      world = RadioWorld(timeline: timeline, environment: environment, seed: 1, radios: configurations)
      for device in 0..<devices { begin(device) }
      drain()
    }

    private func submit(_ device: Int, _ command: HCI.Command) { world.controllers[device].submit(command) }

    private func begin(_ device: Int) {
      submit(device, .setEventMask(.max))
      submit(device, .leSetEventMask(~(1 << 9)))
      submit(device, .leSetRandomAddress(addresses[device]))
      switch device % ScaleBenchmark.lobby {
      case 0:
        submit(
          device,
          .leSetAdvertisingParameters(
            .init(intervalMinimum: 160, intervalMaximum: 160)))
        submit(device, .leSetAdvertisingEnable(true))
      case 1...ScaleBenchmark.clients: connect(device)
      case let seat:
        submit(
          device, .leSetScanParameters(.init(isActive: false, interval: 160, window: seat == 7 ? 160 : 16)))
        submit(device, .leSetScanEnable(true, filterDuplicates: true))
      }
    }

    private func connect(_ device: Int) {
      submit(
        device,
        .leCreateConnection(
          HCI.CreateConnection(
            scanInterval: 160, scanWindow: 160,
            peer: addresses[device - device % ScaleBenchmark.lobby],
            parameters: HCI.ConnectionParameters(
              intervalMinimum: 24, intervalMaximum: 24, supervisionTimeout: 400))))
    }

    private func drain() {
      while let device = world.nextWaiting() {
        while let message = world.controllers[device].popForHost() {
          guard case .event(let event) = message else { continue }
          switch (event, device % ScaleBenchmark.lobby) {
          case (.leConnectionComplete, 0): submit(device, .leSetAdvertisingEnable(true))
          case (.disconnectionComplete, 1...ScaleBenchmark.clients): connect(device)
          default: break
          }
        }
      }
    }

    func run(seconds: Int64) {
      let limit = timeline.now + .seconds(seconds)
      while let event = timeline.advance(limit: limit) {
        world.handle(event)
        drain()
      }
      if timeline.now < limit { timeline.skip(to: limit) }
    }
  }

  /// Resident memory of this process, octets; nil where the kernel does not tell.
  private static func residentOctets() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    let fields = text.split(separator: " ")
    return fields.count > 1 ? Int(fields[1]).map { $0 * 4_096 } : nil
  }

  static func report(devices limit: Int = 2_000) {
    print("Scale: a hall with lobbies of eight, as dense whatever its size")
    var first: (devices: Int, cpu: Double, judged: Double)?
    var last: (devices: Int, cpu: Double, judged: Double)?
    for (devices, span) in sizes where devices <= limit {
      let before = residentOctets()
      let hall = Hall(devices: devices)
      hall.run(seconds: 10)
      let statistics = hall.world.statistics
      let (events, pdus, asked) = (statistics.connectionEvents, statistics.advertisingPDUs, statistics.radiosAsked)
      let judged = hall.world.judgedReceptions
      let repetitions = (0..<5).map { _ in
        let start = cpuSeconds()
        hall.run(seconds: span)
        return (cpuSeconds() - start) * 1e3 / Double(span)
      }
      let cpu = repetitions.sorted()[2]
      let simulated = span * Int64(repetitions.count)
      let octets = before.flatMap { before in residentOctets().map { $0 - before } }
      let sent = Double(statistics.advertisingPDUs - pdus)
      row(
        "  \(devices) devices", cpu, "ms CPU per simulated s",
        target: repetitions.map { String(format: "%.3g", $0) }.joined(separator: ", ")
          + "; \(Int64(statistics.connectionEvents - events) / simulated) connection events, "
          + String(format: "%.1f radios asked per advertising PDU", Double(statistics.radiosAsked - asked) / sent)
          + ", \(Int64(hall.world.judgedReceptions - judged) / simulated) receptions judged"
          + (octets.map { ", \($0 / devices) octets per device" } ?? ""))
      let work = Double(hall.world.judgedReceptions - judged) / Double(simulated)
      if first == nil { first = (devices, cpu, work) }
      last = (devices, cpu, work)
    }
    if let first, let last, last.devices > first.devices {
      let growth = log(Double(last.devices) / Double(first.devices))
      let (cpu, work) = (log(last.cpu / first.cpu), log(last.judged / first.judged))
      row(
        "  exponent of CPU over devices", cpu / growth, "", target: "from \(first.devices) to \(last.devices) devices")
      row(
        "  exponent of receptions judged over devices", work / growth, "",
        target: "the work itself: who is in the middle of a large hall hears more than who is in a small one")
      row("  exponent of CPU over receptions judged", cpu / work, "", target: "≤ 1.15")
    }
  }
}
