import AppSeam
import SimKernel
import VirtualNetwork

/// Throughput and patience of TCP (Docs/virtual-network-laws.md, section 6).
extension RadioLaw {
  private static let stream = ConnectionID(0)
  /// Octets of data in a segment over IPv4, and of the packet.
  private static let segment = 1_460
  private static let packet = 1_500

  /// A connection from device 1 to device 0 over a path with a delay.
  private static func connection(
    _ distortion: Distortion, delay: SimDuration, bitsPerSecond: Int64? = nil,
    change: (inout NetworkStation) -> Void = { _ in }
  ) throws -> NetworkBench {
    var room = NetworkRoom.ideal
    room.air = .fixed(delay: delay)
    room.path.bitsPerSecond = bitsPerSecond
    let bench = distortion.networkBench(2, in: room) { station, _ in change(&station) }
    try bench.link(1, to: 0, over: .infrastructure, id: stream)
    return bench
  }

  static let tcpThroughput = RadioLaw(
    name: "tcp-throughput", subject: .network,
    claim: "A stream has the smaller of its path's rate and a window for each round trip",
    source: "RFC 9293, 3.8.6; NET 6.12, 6.15",
    form: "min(R·1460 / 1500, W / (RTT + 1540·8 / R)), W in whole segments and one less than the receive buffer",
    tolerance: "2 %", unit: "kbit/s", decimals: 0,
    counterexample: .network { $0.path.delay = .milliseconds(3) },
    measure: { distortion in
      let rate = 10_000.0
      var points: [LawPoint] = []
      for roundTrip in [5, 20, 50, 200] as [Int64] {
        for window in [14_600, 29_200, 65_536, 131_072] {
          let bench = try connection(distortion, delay: .microseconds(roundTrip * 500), bitsPerSecond: 10_000_000) {
            $0.stream.receiveBuffer = window
            $0.stream.sendBuffer = 400_000
          }
          let piece = [UInt8](repeating: 0x5A, count: 16_384)
          bench.onRoom = { device, id in while bench.send(piece, id, device) {} }
          while bench.send(piece, stream, 1) {}
          // Slow start is left out.
          bench.run(for: .seconds(3))
          bench.forgetArrivals()
          bench.run(for: .seconds(10))
          let measured = Double(bench.arrivals[0].reduce(0) { $0 + $1.octets }) * 8 / 10_000
          let trip = Double(roundTrip) + Double(packet + 40) * 8 / rate
          let usable = Double((window / segment - 1) * segment) * 8
          let expected = min(rate * Double(segment) / Double(packet), usable / trip)
          points.append(
            .within(0.02 * expected, "window \(window), round trip \(roundTrip) ms", expected, measured))
        }
      }
      return Outcome(points)
    })

  static let tcpSlowStart = RadioLaw(
    name: "tcp-slow-start", subject: .network,
    claim: "A new stream doubles what it sends with each round trip",
    source: "RFC 5681, 3.1; RFC 6928; NET 6.15, 6.16", form: "⌈log₂(n / 10 + 1)⌉ + 1/2 round trips for n segments",
    tolerance: "exact", unit: "round trips from the request for a connection", decimals: 2,
    counterexample: .station { station, _ in station.stream.initialWindow = 2 },
    measure: { distortion in
      Outcome(
        try [1, 10, 11, 30, 31, 70, 71, 310, 311].map { segments in
          var room = NetworkRoom.ideal
          room.air = .fixed(delay: .milliseconds(50))
          let bench = distortion.networkBench(2, in: room) { station, _ in
            station.stream.receiveBuffer = 4_000_000
            station.stream.sendBuffer = 4_000_000
          }
          // Addresses are asked for before.
          try bench.link(1, to: 0, type: "_before._tcp", over: .infrastructure, id: ConnectionID(2))
          try bench.connect(1, to: 0, over: .infrastructure, id: stream)
          let start = bench.timeline.now
          let octets = [UInt8](repeating: 0x5A, count: segments * segment)
          guard bench.run(to: start + .seconds(5), until: { bench.isReady(stream) }) else {
            throw Unmeasurable("no connection came about")
          }
          _ = bench.send(octets, stream, 1)
          let isThere = bench.run(to: start + .seconds(20)) {
            bench.arrivals[0].reduce(0) { $0 + $1.octets } == octets.count
          }
          if !isThere { throw Unmeasurable("octets did not arrive") }
          var rounds = 0
          while 10 * ((1 << rounds) - 1) < segments { rounds += 1 }
          return .exact(
            "\(segments) segments", Double(rounds) + 0.5, (bench.timeline.now - start).milliseconds / 100)
        })
    })

  static let tcpPatience = RadioLaw(
    name: "tcp-patience", subject: .network,
    claim: "A segment without acknowledgement is sent nine times, a SYN eight times, each time after twice as long",
    source: "RFC 6298, 2, 5; RFC 9293, 3.8.3; the least and the greatest time are decisions, NET 6.2, 6.21, 6.22",
    form: "Σ min(0.2·2^i, 60), i = 0 … 8; Σ min(2^i, 60), i = 0 … 7", tolerance: "exact", unit: "s", decimals: 1,
    counterexample: .station { station, _ in station.stream.minimumTimeout = .milliseconds(1) },
    measure: { distortion in
      func failure(_ bench: NetworkBench, after start: SimInstant) throws -> Double {
        var failed: SimInstant?
        bench.run(to: start + .seconds(400)) {
          failed = bench.instant(1) { if case .failed(stream, _) = $0 { true } else { false } }
          return failed != nil
        }
        guard let failed else { throw Unmeasurable("the connection did not fail") }
        return (failed - start).milliseconds / 1_000
      }
      let established = try connection(distortion, delay: .milliseconds(1))
      // A sample of the round trip.
      _ = established.send([1], stream, 1)
      established.run(for: .seconds(1))
      established.apply(.partition(from: nil), 0)
      _ = established.send([1], stream, 1)
      let sent = established.timeline.now

      var room = NetworkRoom.ideal
      room.air = .fixed(delay: .milliseconds(1))
      let opening = distortion.networkBench(2, in: room)
      try opening.link(1, to: 0, type: "_before._tcp", over: .infrastructure, id: ConnectionID(2))
      opening.listen(0)
      opening.perform(.browse(type: "_law._tcp", peerToPeer: false), 1)
      opening.run(for: .seconds(3))
      opening.apply(.partition(from: nil), 0)
      guard let endpoint = opening.found(1) else { throw Unmeasurable("nothing was found") }
      let asked = opening.timeline.now
      opening.perform(.connect(stream, ConnectRequest(endpoint: endpoint, interfaces: [.infrastructure])), 1)
      return Outcome([
        .exact("segment", 102.2, try failure(established, after: sent)),
        .exact("SYN", 183, try failure(opening, after: asked)),
      ])
    })
}

extension NetworkBench {
  fileprivate func isReady(_ id: ConnectionID) -> Bool {
    instant(1) { if case .ready(id, _) = $0 { true } else { false } } != nil
  }
}
