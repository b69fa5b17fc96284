import AppSeam
import BabSim
import Bench
import BluetoothWire
import Foundation
import SimKernel
import VirtualRadio

/// The lobby W1 of the peers' measurements: one GATT server, seven clients that join one after the other, 400 octets to
/// all as three notifications, one 150-octet write with response per line. The same work that bumble and rootcanal were
/// given, here through engine, platform, ATT, L2CAP, HCI, link layer and medium, with every PDU timed.
enum LobbyBenchmark {
  static let service = BluetoothUUID(high: 0x8D9E_0001_5A6B_4C7D, low: 0x8E9F_A0B1_C2D3_E4F5)
  static let write = BluetoothUUID(high: 0x8D9E_0002_5A6B_4C7D, low: 0x8E9F_A0B1_C2D3_E4F5)
  static let notify = BluetoothUUID(high: 0x8D9E_0003_5A6B_4C7D, low: 0x8E9F_A0B1_C2D3_E4F5)
  static let clients = 7

  /// Deliveries counted by the engines themselves.
  final class Tally: @unchecked Sendable {
    var notifications = 0
    var writes = 0
  }

  final class Server: AppEngine {
    private let lines: Int
    private let tally: Tally
    private var links: [LinkID] = []
    private var line = 0
    private let value = [UInt8](repeating: 0x42, count: 400)

    init(lines: Int, tally: Tally) {
      self.lines = lines
      self.tally = tally
    }

    func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
      switch input {
      case .launched:
        return [
          .publish(
            ServiceDefinition(
              uuid: LobbyBenchmark.service,
              characteristics: [
                .init(uuid: LobbyBenchmark.write, properties: .write),
                .init(uuid: LobbyBenchmark.notify, properties: .notify),
              ])),
          .advertise(AdvertisementRequest(localName: "", serviceUUIDs: [LobbyBenchmark.service])),
        ]
      case .subscribed(let link, _, true):
        links.append(link)
        return links.count == LobbyBenchmark.clients ? [.stopAdvertising] : []
      case .valueReceived(_, _, let octets):
        tally.writes += 1
        // A join write is answered with the lobby; in the game, a move with the next line, as long as there is one.
        if octets.count == 150 { line += 1 }
        if octets.count == 150, line >= lines { return [] }
        return broadcast()
      default: return []
      }
    }

    private func broadcast() -> [AppEffect] {
      var effects: [AppEffect] = []
      effects.reserveCapacity(links.count * 3)
      for start in stride(from: 0, to: 400, by: 182) {
        let part = Array(value[start..<min(start + 182, 400)])
        for link in links {
          effects.append(.notify(link, characteristic: LobbyBenchmark.notify, octets: part))
        }
      }
      return effects
    }
  }

  final class Client: AppEngine {
    private let index: Int
    private let tally: Tally
    private var link: LinkID?
    private var pieces = 0
    private var broadcasts = 0

    init(index: Int, tally: Tally) {
      self.index = index
      self.tally = tally
    }

    func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
      switch input {
      case .launched: return [.scan(services: [LobbyBenchmark.service])]
      case .discovered(let advertisement):
        return link == nil ? [.stopScanning, .connect(advertisement.address)] : []
      case .connected(let id, _):
        link = id
        return [.exchangeMTU(id, 185)]
      case .attMTU(let id, _): return [.discover(id, service: LobbyBenchmark.service)]
      case .servicesDiscovered(let id, _, _):
        return [.subscribe(id, characteristic: LobbyBenchmark.notify, true)]
      case .subscribed(let id, _, _):
        return [
          .write(id, characteristic: LobbyBenchmark.write, octets: [UInt8](repeating: 1, count: 120))
        ]
      case .valueReceived(let id, _, _):
        tally.notifications += 1
        pieces += 1
        guard pieces == 3 else { return [] }
        pieces = 0
        broadcasts += 1
        // Client i has seen 7 − i lobby values when the game begins with the lobby value of the last one.
        let line = broadcasts - (LobbyBenchmark.clients - index)
        guard line >= 0, line % LobbyBenchmark.clients == index else { return [] }
        return [.write(id, characteristic: LobbyBenchmark.write, octets: [UInt8](repeating: 2, count: 150))]
      default: return []
      }
    }
  }

  static func run(lines: Int) -> (cpu: Double, deliveries: Int, outcome: RunOutcome) {
    let tally = Tally()
    var devices = [Device(name: "host", group: "host", role: .host, phone: .ideal)]
    for index in 0..<clients {
      var client = Device(name: "client-\(index)", group: "client", role: .client, phone: .ideal)
      client.position = Position(x: 100 * (index + 1), y: 0)
      client.starts = .zero + .seconds(Int64(3 * index))
      devices.append(client)
    }
    var scenario = Scenario.bab(name: "W1", devices: devices)
    scenario.duration = .seconds(Int64(30 + lines / 4))
    scenario.limits.simulatedTime = .seconds(1_000_000)
    let before = cpuSeconds()
    let outcome = try! World.run(
      scenario, options: RunOptions(seed: 1),
      engines: { _, configuration in
        configuration.role == .host
          ? Server(lines: lines, tally: tally) as any AppEngine
          : Client(index: Int(configuration.displayName.dropFirst(7))!, tally: tally)
      })
    return (cpuSeconds() - before, tally.notifications + tally.writes, outcome)
  }

  /// The same lobby on bumble's hosts and its in-process link: marginal CPU seconds per delivery.
  private static func bumble() -> Double? {
    let script = Places.shared.appending(path: "peerbench/lobby.py").path()
    func game(_ lines: Int) -> (cpu: Double, deliveries: Double)? {
      guard FileManager.default.fileExists(atPath: script),
        let output = QueueBenchmark.run(
          "python3", [script, "--mode", "locallink", "--acl-len", "251", "--lines", String(lines)]),
        let object = try? JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any],
        let cpu = object["game_cpu"] as? Double, let delivered = object["delivered"] as? Double
      else { return nil }
      return (cpu, delivered)
    }
    guard let short = game(60), let long = game(600) else { return nil }
    return (long.cpu - short.cpu) / (long.deliveries - short.deliveries)
  }

  /// `lines` from the command line (`lobby=600`) serves a profiler, which needs no long run.
  static func report(lines: Int = 20_000) {
    print("Lobby W1, whole stack")
    var least = Double.infinity
    var counts = (short: 0, long: 0)
    var statistics = RunOutcome.Statistics()
    for _ in 0..<(lines < 20_000 ? 1 : 5) {
      let short = run(lines: 60)
      let long = run(lines: lines)
      counts = (short.deliveries, long.deliveries)
      statistics = long.outcome.statistics
      least = min(least, (long.cpu - short.cpu) / Double(long.deliveries - short.deliveries))
    }
    row(
      "  marginal CPU per delivery", least * 1e6, "µs",
      target: "≤ 2 µs; \(counts.short) and \(counts.long) deliveries")
    let peer = lines < 20_000 ? nil : bumble()
    if let peer {
      row("  marginal CPU per delivery, bumble, ACL 251", peer * 1e6, "µs", target: "host stack, no air time; this run")
      row("    ratio", peer / least, "x", target: "how much cheaper this bench is, with every PDU timed")
    } else if lines >= 20_000 {
      print("    bumble was not measured: it needs python3 with bumble, and ../shared/peerbench/lobby.py")
    }
    let deliveries = Double(counts.long)
    row(
      "    connection events per delivery", Double(statistics.connectionEvents) / deliveries, "events",
      target: "\(statistics.skippedConnectionEvents) skipped, \(statistics.missedConnectionEvents) missed")
    row("    queue events per delivery", Double(statistics.queueEvents) / deliveries, "events", target: "")
  }
}
