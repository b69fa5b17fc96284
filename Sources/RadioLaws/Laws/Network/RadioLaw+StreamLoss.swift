import AppSeam
import SimKernel
import VirtualNetwork

/// What loss leaves of a stream's throughput (Docs/virtual-network-laws.md, 6.3).
extension RadioLaw {
  static let tcpLoss = RadioLaw(
    name: "tcp-loss", subject: .network,
    claim: "A stream whose segments are lost at random has a window that grows by one, is halved, and recovers",
    source: "RFC 5681, 3.1, 3.2; RFC 6582; NET 6.17 to 6.19; Mathis and others, ACM CCR 27(3), 1997, for the limit",
    form: "mean of W → W + 1 with (1 − p)^W, else ⌊W / 2⌋ and a round trip without growth; 1.26 / √p at 0.1 %",
    tolerance: "5 %",
    unit: "segments in a round trip of 20 ms, of 10 streams", decimals: 1,
    counterexample: .network { room in
      for index in room.paths.indices { room.paths[index].rules.loss = .independent(Ratio(1, 50)) }
    },
    measure: { distortion in
      Outcome(
        try [(1, 1_000), (3, 1_000)].map { part, whole in
          let expected = CongestionChain.meanWindow(loss: Double(part) / Double(whole))
          var segments = 0.0
          for seed in 1...10 as ClosedRange<UInt64> {
            segments += try window(distortion, loss: Ratio(UInt64(part), UInt64(whole)), seed: seed)
          }
          return .within(
            0.05 * expected, "loss \(Double(part) / Double(whole) * 100) %", expected, segments / 10)
        })
    })

  /// The mean number of segments that a stream brings in a round trip, after its start.
  private static func window(_ distortion: Distortion, loss: Ratio, seed: UInt64) throws -> Double {
    let id = ConnectionID(0)
    var room = NetworkRoom.ideal
    room.air = .fixed(delay: .milliseconds(10))
    room.paths = [NetworkRoom.PathException(from: 1, to: 0, rules: PathRules(loss: .independent(loss)))]
    let bench = distortion.networkBench(2, in: room, seed: seed) { station, _ in
      station.stream.receiveBuffer = 4_000_000
      station.stream.sendBuffer = 1_000_000
    }
    try bench.link(1, to: 0, over: .infrastructure, id: id)
    let piece = [UInt8](repeating: 0x5A, count: 65_536)
    bench.onRoom = { device, id in while bench.send(piece, id, device) {} }
    while bench.send(piece, id, 1) {}
    bench.run(for: .seconds(10))
    bench.forgetArrivals()
    bench.run(for: .seconds(30))
    return Double(bench.arrivals[0].reduce(0) { $0 + $1.octets }) / 1_460 / 1_500
  }
}
