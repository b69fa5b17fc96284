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
///
/// Lock-stepped as theirs: the next line begins when all 21 notifications of the last one have come and each client has
/// put together what was sent. Who got the last one writes; theirs take turns.
enum LobbyBenchmark {
  static let service = BluetoothUUID(high: 0x8D9E_0001_5A6B_4C7D, low: 0x8E9F_A0B1_C2D3_E4F5)
  static let write = BluetoothUUID(high: 0x8D9E_0002_5A6B_4C7D, low: 0x8E9F_A0B1_C2D3_E4F5)
  static let notify = BluetoothUUID(high: 0x8D9E_0003_5A6B_4C7D, low: 0x8E9F_A0B1_C2D3_E4F5)
  static let clients = 7

  /// What was sent and what has come, as the engines themselves see it.
  final class Tally: @unchecked Sendable {
    let lines: Int
    @exclusivity(unchecked) var notifications = 0
    @exclusivity(unchecked) var writes = 0
    /// Notifications of the value that are still to come.
    @exclusivity(unchecked) var pending = 0
    /// What is being told to all, and what the next write must hold.
    @exclusivity(unchecked) var value: [UInt8] = []
    @exclusivity(unchecked) var move: [UInt8] = []
    @exclusivity(unchecked) var line = 0
    private var stream = RandomStream(seed: 1, component: "W1", purpose: "octets")

    init(lines: Int) { self.lines = lines }

    /// Octets that no other value has: eight of them random, then counted on.
    func octets(_ count: Int) -> [UInt8] {
      let start = unsafeBitCast(stream.next().littleEndian, to: SIMD8<UInt8>.self)
      return Array(unsafeUninitializedCapacity: (count + 7) / 8 * 8) { buffer, filled in
        for block in 0..<(count + 7) / 8 {
          UnsafeMutableRawPointer(buffer.baseAddress! + 8 * block).storeBytes(
            of: start &+ SIMD8(repeating: UInt8(truncatingIfNeeded: block)), as: SIMD8<UInt8>.self)
        }
        filled = count
      }
    }

    /// Compared as the peer compares them: by the C library.
    static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
      one.count == other.count
        && one.withUnsafeBytes { a in other.withUnsafeBytes { memcmp(a.baseAddress!, $0.baseAddress!, a.count) == 0 } }
    }

    @inline(__always)
    func check(_ holds: Bool, _ what: @autoclosure () -> String) {
      if !holds { fatalError("the lobby W1 is not what it should be: \(what())") }
    }
  }

  final class Server: AppEngine {
    private let tally: Tally
    private var links: [LinkID] = []

    init(tally: Tally) { self.tally = tally }

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
        tally.check(Tally.isEqual(octets, tally.move), "a write holds other octets than were written")
        return broadcast()
      default: return []
      }
    }

    private func broadcast() -> [AppEffect] {
      tally.check(tally.pending == 0, "a line begins before the last one has come")
      tally.value = tally.octets(400)
      tally.pending = 3 * links.count
      var effects: [AppEffect] = []
      effects.reserveCapacity(tally.pending)
      for start in stride(from: 0, to: 400, by: 182) {
        let part = Array(tally.value[start..<min(start + 182, 400)])
        for link in links {
          effects.append(.notify(link, characteristic: LobbyBenchmark.notify, octets: part))
        }
      }
      return effects
    }
  }

  final class Client: AppEngine {
    private let tally: Tally
    private var link: LinkID?
    @exclusivity(unchecked) private var value: [UInt8] = []
    @exclusivity(unchecked) private var pieces = 0

    init(tally: Tally) { self.tally = tally }

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
      case .subscribed(let id, _, _): return write(id, 120)
      case .valueReceived(let id, _, let octets):
        tally.notifications += 1
        tally.pending -= 1
        value += octets
        pieces += 1
        if pieces == 3 {
          tally.check(Tally.isEqual(value, tally.value), "a client has put other octets together than were sent")
          value.removeAll(keepingCapacity: true)
          pieces = 0
        }
        // All 21 have come: the game begins, or its next line. The last line is nobody's turn.
        guard tally.pending == 0, tally.notifications >= LobbyBenchmark.ofJoining, tally.line < tally.lines else {
          return []
        }
        tally.line += 1
        return write(id, 150)
      default: return []
      }
    }

    private func write(_ id: LinkID, _ count: Int) -> [AppEffect] {
      tally.move = tally.octets(count)
      return [.write(id, characteristic: LobbyBenchmark.write, octets: tally.move)]
    }
  }

  /// Notifications of the lobby values: three to each client that is there when one more has come.
  static let ofJoining = 3 * clients * (clients + 1) / 2

  static func run(lines: Int) -> (cpu: Double, deliveries: Int, outcome: RunOutcome) {
    let tally = Tally(lines: lines)
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
        configuration.role == .host ? Server(tally: tally) as any AppEngine : Client(tally: tally)
      })
    let cpu = cpuSeconds() - before
    tally.check(tally.notifications == ofJoining + 3 * clients * lines, "\(tally.notifications) notifications")
    tally.check(tally.writes == clients + lines, "\(tally.writes) writes")
    return (cpu, tally.notifications + tally.writes, outcome)
  }

  /// The same lobby on bumble's hosts and its in-process link, which checks the same: CPU seconds and deliveries.
  private static func bumble(lines: Int) -> (cpu: Double, deliveries: Int)? {
    let script = Places.shared.appending(path: "peerbench/lobby.py").path()
    guard FileManager.default.fileExists(atPath: script),
      let output = QueueBenchmark.run(
        "python3", [script, "--mode", "locallink", "--acl-len", "251", "--lines", String(lines)]),
      let object = try? JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any],
      let cpu = object["game_cpu"] as? Double, let delivered = object["delivered"] as? Int
    else { return nil }
    return (cpu, delivered)
  }

  private static let short = 60
  static let long = 2_000
  private static let repetitions = 5

  /// `lines` from the command line (`lobby=600`) serves a profiler, which needs no long run, and asks no peer.
  static func report(lines: Int = long) {
    print("Lobby W1, whole stack: \(short) and \(lines) lines, marginal CPU per delivery")
    let isWhole = lines == long
    var own: [Double] = []
    var peer: [Double] = []
    var last: (cpu: Double, deliveries: Int, outcome: RunOutcome)?
    for _ in 0..<(isWhole ? repetitions : 1) {
      let few = run(lines: short)
      let many = run(lines: lines)
      own.append((many.cpu - few.cpu) / Double(many.deliveries - few.deliveries) * 1e6)
      last = many
      if isWhole, let few = bumble(lines: short), let many = bumble(lines: lines) {
        peer.append((many.cpu - few.cpu) / Double(many.deliveries - few.deliveries) * 1e6)
      }
    }
    guard let last else { return }
    row("  this bench, median", median(own), "µs", target: "≤ 2 µs; all: \(listed(own))")
    if peer.isEmpty, isWhole {
      print("    bumble was not measured: it needs python3 with bumble, and ../shared/peerbench/lobby.py")
    } else if !peer.isEmpty {
      row("  bumble, ACL 251, median", median(peer), "µs", target: "host stack, no air time; all: \(listed(peer))")
      let ratios = zip(peer, own).map { $0 / $1 }
      row(
        "    ratio, median", median(ratios), "x",
        target: "≥ 150; how much cheaper this bench is, with every PDU timed; all: \(listed(ratios))")
    }
    let statistics = last.outcome.statistics
    let deliveries = Double(last.deliveries)
    let share = 100 * Double(statistics.skippedConnectionEvents) / Double(statistics.connectionEvents)
    row(
      "    connection events per delivery", Double(statistics.connectionEvents) / deliveries, "events",
      target: String(format: "%.0f %% of them skipped", share)
        + ", \(statistics.missedConnectionEvents) missed; \(last.deliveries) deliveries")
    row("    events per delivery", Double(statistics.queueEvents) / deliveries, "events", target: "")
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private static func listed(_ values: [Double]) -> String {
    values.map { String(format: "%.2f", $0) }.joined(separator: " ")
  }
}
