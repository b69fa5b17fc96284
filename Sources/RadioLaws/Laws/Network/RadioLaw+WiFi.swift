import AppSeam
import SimKernel
import VirtualNetwork

/// Airtime and turns of Wi-Fi (Docs/virtual-network-laws.md, section 2).
extension RadioLaw {
  /// Devices that are always on one channel with each other, so that each frame is on the air once.
  static func oneHop(megabits: Int, _ channel: WiFiChannel = .social149) -> NetworkRoom {
    var room = NetworkRoom()
    room.accessPoint = nil
    room.peerToPeer.sleeps = false
    room.peerToPeer.rate = .ofdm(megabits: megabits)
    room.peerToPeer.active = Array(repeating: channel, count: 16)
    room.peerToPeer.idle = room.peerToPeer.active
    return room
  }

  /// An IP packet of 1 500 octets, as a datagram over IPv6.
  static let fullDatagram = [UInt8](repeating: 0x5A, count: 1_500 - 40 - 8)
  static let datagrams = ConnectionID(0)

  /// Pairs of devices, of which the first has sent the second a datagram.
  static func pairs(_ count: Int, _ room: NetworkRoom, _ distortion: Distortion) throws -> NetworkBench {
    let bench = distortion.networkBench(2 * count, in: room)
    for pair in 0..<count {
      try bench.link(
        2 * pair, to: 2 * pair + 1, type: "_law\(pair)._udp", over: .peerToPeer, id: datagrams)
      _ = bench.send([0], datagrams, 2 * pair)
    }
    bench.run(for: .seconds(5))
    bench.forgetArrivals()
    return bench
  }

  /// Each attempt on its own: good and bad times do not differ.
  private static func loss(_ share: Ratio) -> LossLaw {
    .bursts(meanGood: .seconds(1), meanBad: .seconds(1), lossInGood: share, lossInBad: share)
  }

  /// From one arrival to the next one anywhere, in microseconds. A gap of more than `longest` has another frame in it.
  private static func gaps(_ bench: NetworkBench, longest: Double) -> Samples {
    let instants = bench.arrivals.flatMap { $0.map(\.at) }.sorted()
    var samples = Samples()
    for (before, after) in zip(instants, instants.dropFirst()) {
      let gap = (after - before).microseconds
      if gap <= longest { samples.add(gap) }
    }
    return samples
  }

  static let wifiExchange = RadioLaw(
    name: "wifi-exchange", subject: .network,
    claim: "A saturated Wi-Fi station needs DIFS, its mean back-off, the frame, SIFS and the answer for each packet",
    source: "IEEE 802.11-2020, 10.3, 17.4.3, clause 18; NET 2.1, 2.2, 2.5 to 2.7, 2.9",
    form: "DIFS + 67.5 + T(L + 38, r) + SIFS + T(14, answer), T(L, r) = 20 + 4·⌈(22 + 8L) / 4r⌉, 6 more at 2.4 GHz",
    tolerance: LawPoint.standardErrorsText + "; gaps with a synchronisation frame in them are left out", unit: "µs",
    decimals: 1, counterexample: .network { $0.peerToPeer.rate = .ofdm(megabits: 48) },
    measure: { distortion in
      Outcome(
        try [(54, false), (54, true), (24, false), (12, false), (6, false)].map { megabits, isLower in
          let room = oneHop(megabits: megabits, isLower ? .social6 : .social149)
          let bench = try pairs(1, room, distortion)
          bench.saturate([0], datagrams, fullDatagram, for: .seconds(4))
          let fixed = WiFiExchange.fixed(packet: 1_500, megabits: megabits, isLower: isLower)
          return .mean(
            "1 500 octets at \(megabits) Mb/s, \(isLower ? "2.4" : "5") GHz", fixed + WiFiExchange.meanBackOff,
            gaps(bench, longest: fixed + 136))
        })
    })

  static let wifiShares = RadioLaw(
    name: "wifi-shares", subject: .network,
    claim: "Saturated stations with equal frames have equal shares, and the least of their back-offs is waited for",
    source: "IEEE 802.11-2020, 10.3.4; that back-offs are drawn again is a decision, NET 2.9",
    form: "1 / n each; DIFS + 9·Σ (j / 16)^n + T + SIFS + answer for each packet, j = 1 … 15",
    tolerance: LawPoint.standardErrorsText + "; gaps with a synchronisation frame in them are left out",
    unit: "% of the packets, µs for each", decimals: 2,
    counterexample: .network {
      $0.paths = [.init(from: 0, to: 1, rules: PathRules(loss: loss(Ratio(1, 2))))]
    },
    measure: { distortion in
      var points: [LawPoint] = []
      for count in [2, 3, 4, 8] {
        let bench = try pairs(count, oneHop(megabits: 54), distortion)
        bench.saturate((0..<count).map { 2 * $0 }, datagrams, fullDatagram, for: .seconds(4))
        let packets = (0..<count).map { bench.arrivals[2 * $0 + 1].count }
        let all = packets.reduce(0, +)
        for (name, number) in [("first", packets[0]), ("last", packets[count - 1])] {
          points.append(
            .share("share of the \(name) of \(count) stations", 1 / Double(count), hits: number, of: all))
        }
        let fixed = WiFiExchange.fixed(packet: 1_500, megabits: 54)
        points.append(
          .mean(
            "time of a packet, \(count) stations", fixed + WiFiExchange.winnersBackOff(count),
            gaps(bench, longest: fixed + 136)))
      }
      return Outcome(points)
    })

  static let wifiRepeats = RadioLaw(
    name: "wifi-repeats", subject: .network,
    claim: "A frame is tried up to seven times, with twice the window each time, and is lost after the seventh",
    source: "IEEE 802.11-2020, 10.3.4.3; NET 2.10",
    form: "lost q⁷; for each frame Σ q^i·(DIFS + 9·(2^(4 + i) − 1) / 2 + T + SIFS + answer), i = 0 … 6",
    tolerance: "losses: " + LawPoint.standardErrorsText + "; time 2 %, of which synchronisation frames take up to 1 %",
    unit: "% of the frames, µs for each", decimals: 2,
    counterexample: .network { $0.path.loss = loss(Ratio(6, 10)) },
    measure: { distortion in
      var points: [LawPoint] = []
      for percent in [20, 50] as [UInt64] {
        var room = oneHop(megabits: 54)
        room.path.loss = loss(Ratio(percent, 100))
        let bench = try pairs(1, room, distortion)
        let before = bench.network.statistics.devices[0].losses
        let seconds = 20.0
        bench.saturate([0], datagrams, fullDatagram, for: .seconds(20))
        let lost = bench.network.statistics.devices[0].losses - before
        let frames = lost + bench.arrivals[1].count
        let q = Double(percent) / 100
        let fixed = WiFiExchange.fixed(packet: 1_500, megabits: 54)
        let expected = (0..<7).reduce(0.0) {
          $0 + RealNumbers.power(q, $1) * (fixed + WiFiExchange.meanBackOff(failures: $1))
        }
        points.append(
          .share("lost, each attempt with \(percent) %", RealNumbers.power(q, 7), hits: lost, of: frames))
        points.append(
          .within(
            0.02 * expected, "time of a frame, each attempt lost with \(percent) %", expected,
            seconds * 1e6 / Double(max(frames, 1))))
      }
      return Outcome(points)
    })
}
