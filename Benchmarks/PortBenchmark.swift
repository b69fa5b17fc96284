import BabSim
import Bench
import Foundation
import HCIPorts
import SimKernel
import VirtualRadio

/// What the ports add: the round trip of a command, beside a bare echo in the same run, and how many controllers are
/// served in real time.
enum PortBenchmark {
  static let lobby = """
    name: lobby
    radio: ideal
    dialect: sdk
    duration: 3s
    devices: { host: { at: [0, 0] }, client: { count: 7, around: host, radius: 2 m } }
    game: { scenario: coffee-shop, lines: 16, autoplay: { think: 300ms..900ms, accuracy: 80%..100% } }
    steps:
      - host: start hosting
      - all clients: join
      - when: host has exactly 8 players
        within: 5min
        host: { set scenario: coffee-shop }
      - after: 500ms
        host: start lobby game
    expect:
      - that: host is FINISHED
        within: 10min

    """
  static let names = ["host"] + (1...7).map { "client-\($0)" }

  static func session(_ seats: [SessionRecording.NamedSeat], seed: UInt64) throws -> LiveSession {
    let header = SessionRecording.Header(
      bench: "bench", file: "lobby.yaml", scenario: lobby, settings: [], seed: seed, seats: seats)
    return try LiveSession(
      header, scenario: try ScenarioReader.read(text: lobby, file: "lobby.yaml", language: .bab()).get(),
      engines: { BabEngines.reference($1) })
  }

  static func report() {
    do {
      try roundTrips()
      try controllers()
    } catch {
      print("  ports could not be measured: \(error)")
    }
  }

  // MARK: Round trip

  private static let reset: [UInt8] = [0x01, 0x03, 0x0C, 0x00]
  private static let rounds = 5_000

  /// The time from HCI_Reset to its Command Complete event at an idle lobby's host seat.
  static func roundTrips() throws {
    print("Port, HCI_Reset to Command Complete, \(rounds) rounds")
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(getpid())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for way in ["TCP", "Unix"] {
      let echo = way == "TCP" ? try Line.listen() : try Line.listen(path: folder + "/echo")
      let bare = LatencySamples(try echo.dial(), answer: reset.count)
      let address = way == "TCP" ? PortAddress.tcp(host: "127.0.0.1", port: 0) : .unix(path: folder + "/port")
      let live = LiveThread(
        [PortConfiguration(device: 0, name: "host", partner: .host, address: address)],
        world: { ManyWorlds([try session([.init(device: "host", seat: .foreignHost)], seed: 1)]) })
      guard let place = live.opened() else { throw PortError("the port did not open") }
      let served = LatencySamples(try Line.dial(place.address), answer: 7)
      _ = live.end()
      for (name, p) in [("p50", 500), ("p99", 990)] {
        row("  \(way), bare echo, \(name)", bare.microseconds(p), "µs", target: "")
        row("  \(way), port, \(name)", served.microseconds(p), "µs", target: "")
        row("    added by the port, \(name)", served.microseconds(p) - bare.microseconds(p), "µs", target: "≤ 1000 µs")
        row("    ratio", served.microseconds(p) / bare.microseconds(p), "x", target: "")
      }
    }
  }

  /// Sorted nanoseconds of every round.
  struct LatencySamples {
    var sorted: [UInt64] = []

    init(_ descriptor: Int32, answer: Int) {
      defer { close(descriptor) }
      var octets = [UInt8](repeating: 0, count: 64)
      for round in 0..<(PortBenchmark.rounds + 100) {
        let start = DispatchTime.now().uptimeNanoseconds
        guard write(descriptor, PortBenchmark.reset, 4) == 4 else { return }
        var got = 0
        while got < answer {
          let count = read(descriptor, &octets, answer - got)
          if count <= 0 { return }
          got += count
        }
        if round >= 100 { sorted.append(DispatchTime.now().uptimeNanoseconds - start) }
      }
      sorted.sort()
    }

    func microseconds(_ permille: Int) -> Double {
      sorted.isEmpty ? .nan : Double(sorted[min(sorted.count * permille / 1_000, sorted.count - 1)]) / 1_000
    }
  }

  // MARK: Controllers

  /// Lobbies of eight controllers, each with a host stack of ours at it in another run on another thread, all playing
  /// by the wall clock; twice as many until the lag of the serving side is over 5 ms.
  static func controllers() throws {
    print("Controllers served in real time, eight-peer lobbies that play, all packets over Unix sockets")
    var lobbies = 1
    while lobbies <= 64 {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(getpid())-\(lobbies)").path
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      func ports(_ partner: PortConfiguration.Partner) -> [PortConfiguration] {
        (0..<lobbies * 8).map {
          PortConfiguration(device: $0, name: "\($0)", partner: partner, address: .unix(path: "\(folder)/\($0)"))
        }
      }
      func worlds(_ seat: Seat, _ count: Int) -> @Sendable () throws -> any PacedWorld {
        {
          ManyWorlds(
            try (0..<count).map { index in
              try session(names.map { .init(device: $0, seat: seat) }, seed: UInt64(index))
            })
        }
      }
      let serving = LiveThread(ports(.host), begin: .allSeats, world: worlds(.foreignHost, lobbies))
      guard serving.opened() != nil else { throw PortError("the ports did not open") }
      let playing = LiveThread(ports(.controller), world: worlds(.foreignController, lobbies))
      guard playing.opened() != nil else { throw PortError("the controllers were not reached") }
      Thread.sleep(forTimeInterval: 15)
      _ = playing.end()
      guard let report = serving.end() else { throw PortError("no report") }
      let p99 = Double(report.lag.p99.nanoseconds) / 1e6
      row(
        "  \(lobbies * 8) controllers, lag p99", p99, "ms",
        target:
          "≤ 5 ms; p50 \(report.lag.p50) s, \(report.lag.events) events, \(report.ports.reduce(0) { $0 + $1.packetsIn })"
          + " packets in, \(report.ports.reduce(0) { $0 + $1.packetsOut }) out")
      if p99 > 5 { return }
      lobbies *= 2
    }
  }
}

/// Several sessions as one world: eight devices each, one after the other.
private final class ManyWorlds: PacedWorld {
  private let sessions: [LiveSession]

  init(_ sessions: [LiveSession]) { self.sessions = sessions }

  private(set) var now = SimInstant.zero
  var nextInstant: SimInstant? { sessions.compactMap(\.nextInstant).min() }
  var endInstant: SimInstant? { nil }

  func advance(to instant: SimInstant) {
    for session in sessions where session.nextInstant.map({ $0 <= instant }) ?? false { session.advance(to: instant) }
    now = instant
  }

  func enter(_ event: ForeignEvent, device: Int) {
    let session = sessions[device / 8]
    session.advance(to: now)
    session.enter(event, device: device % 8)
  }

  func popOutward() -> (device: Int, packet: [UInt8])? {
    for (index, session) in sessions.enumerated() {
      if let (device, packet) = session.popOutward() { return (index * 8 + device, packet) }
    }
    return nil
  }
}

/// A live run on a thread of its own. Its fields are set before a semaphore is signalled and read after it was waited
/// for.
private final class LiveThread: @unchecked Sendable {
  private let stop = LiveStop()
  private let isOpen = DispatchSemaphore(value: 0)
  private let isOver = DispatchSemaphore(value: 0)
  private var place: OpenPort?
  private var report: LiveReport?

  init(
    _ ports: [PortConfiguration], begin: TimeBegin = .atOnce, world: @escaping @Sendable () throws -> any PacedWorld
  ) {
    Thread.detachNewThread { [self] in
      do {
        var settings = LiveSettings()
        settings.begin = begin
        let loop = LiveLoop(
          world: try world(), ports: ports, settings: settings, log: { _ in },
          opened: { [self] in
            place = $0.first
            isOpen.signal()
          })
        report = try loop.run(until: stop)
      } catch {
        print("  \(error)")
      }
      isOpen.signal()
      isOver.signal()
    }
  }

  func opened() -> OpenPort? {
    isOpen.wait()
    return place
  }

  func end() -> LiveReport? {
    stop.stop()
    isOver.wait()
    return report
  }
}

/// Sockets without anything: what the ports are compared with.
private struct Line {
  var descriptor: Int32
  var address: PortAddress

  /// Listens, and sends whatever comes back, on a thread of its own.
  static func listen(path: String? = nil) throws -> Line {
    let listener = stream(path == nil ? AF_INET : AF_UNIX)
    var address = PortAddress.unix(path: path ?? "")
    if path == nil { address = .tcp(host: "127.0.0.1", port: 0) }
    guard with(address, { bind(listener, $0, $1) }) == 0, Foundation.listen(listener, 4) == 0 else {
      throw PortError("no socket for the echo")
    }
    if path == nil {
      var name = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafeMutablePointer(to: &name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(listener, $0, &length) }
      }
      address = .tcp(host: "127.0.0.1", port: Int(UInt16(bigEndian: name.sin_port)))
    }
    Thread.detachNewThread {
      let peer = accept(listener, nil, nil)
      noDelay(peer)
      var octets = [UInt8](repeating: 0, count: 64)
      while true {
        let count = read(peer, &octets, 64)
        if count <= 0 { break }
        _ = write(peer, octets, count)
      }
      close(peer)
      close(listener)
    }
    return Line(descriptor: listener, address: address)
  }

  func dial() throws -> Int32 { try Line.dial(address) }

  static func dial(_ address: PortAddress) throws -> Int32 {
    let isUnix = if case .unix = address { true } else { false }
    let descriptor = stream(isUnix ? AF_UNIX : AF_INET)
    guard with(address, { connect(descriptor, $0, $1) }) == 0 else { throw PortError("cannot connect to \(address)") }
    noDelay(descriptor)
    return descriptor
  }

  private static func noDelay(_ descriptor: Int32) {
    var one: Int32 = 1
    _ = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func stream(_ family: Int32) -> Int32 {
    #if os(Linux)
      socket(family, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket(family, SOCK_STREAM, 0)
    #endif
  }

  private static func with(_ address: PortAddress, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    switch address {
    case .tcp(_, let port):
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_port = in_port_t(UInt16(port).bigEndian)
      name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      return withUnsafePointer(to: &name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
      }
    case .unix(let path):
      var name = sockaddr_un()
      name.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
      return withUnsafePointer(to: &name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
      }
    default: return -1
    }
  }
}
