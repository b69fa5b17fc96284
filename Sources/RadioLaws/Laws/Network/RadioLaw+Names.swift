import AppSeam
import SimKernel
import VirtualNetwork

/// DNS-SD over Multicast DNS (Docs/virtual-network-laws.md, section 7).
extension RadioLaw {
  private static let runs = 2_000

  static let nameClaim = RadioLaw(
    name: "name-claim", subject: .network,
    claim: "A listener has its name after a wait of up to 250 ms and three probes",
    source: "RFC 6762, 8.1; NET 7.3", form: "250 / 2 + 3·250", tolerance: LawPoint.standardErrorsText, unit: "ms",
    decimals: 1, counterexample: .names { $0.probes = 2 },
    measure: { distortion in
      var samples = Samples()
      for seed in 1...UInt64(runs) {
        let bench = distortion.nameBench(1, seed: seed)
        bench.register(0)
        bench.run(to: .zero + .seconds(5))
        guard let own = bench.name(0) else { throw Unmeasurable("there is no name") }
        samples.add((own.at - .zero).milliseconds)
      }
      return Outcome([.mean("from listening to the name", 875, samples)])
    })

  static let nameConflicts = RadioLaw(
    name: "name-conflicts", subject: .network,
    claim: "Devices that want one name end with a name, and the numbers from 2 on, each once",
    source: "RFC 6762, 8.1, 8.2, 9; RFC 6763, Appendix D; NET 7.4, 7.5",
    form: "Law, Law (2) … Law (n), and no device is renamed later", tolerance: "exact",
    unit: "% of all orders", decimals: 0,
    counterexample: .names { $0.probes = 0 },
    measure: { distortion in
      Outcome(
        [2, 3, 8].map { count in
          let orders = 50
          var right = 0
          for seed in 1...UInt64(orders) {
            let bench = distortion.nameBench(count, seed: seed)
            var random = RandomStream(seed: seed, component: "law", purpose: "order")
            for device in 0..<count {
              bench.register(device)
              bench.run(to: bench.now + .milliseconds(Int64(random.below(600))))
            }
            let wanted = ["Law"] + (2...count).map { "Law (\($0))" }
            bench.run(to: bench.now + .seconds(20))
            let names = (0..<count).compactMap { bench.name($0)?.name }
            let kept = (0..<count).allSatisfy { device in
              bench.told[device].count { if case .registered = $0.event { true } else { false } } == 1
            }
            if kept, names.sorted() == wanted.sorted() { right += 1 }
          }
          return .exact("\(count) devices", 100, 100 * Double(right) / Double(orders))
        })
    })

  static let nameSearch = RadioLaw(
    name: "name-search", subject: .network,
    claim: "A browser that comes later finds a listener after the wait of its question and that of the answer",
    source: "RFC 6762, 5.2, 6; NET 7.8, 7.10", form: "70 + 70 + 2·delay", tolerance: LawPoint.standardErrorsText,
    unit: "ms", decimals: 1,
    counterexample: .network { $0.path.delay = .milliseconds(5) },
    measure: { distortion in
      Outcome(
        try [1, 20].map { (delay: Int64) in
          var samples = Samples()
          for seed in 1...UInt64(runs) {
            var room = NetworkRoom.ideal
            room.air = .fixed(delay: .milliseconds(delay))
            let bench = distortion.networkBench(2, in: room, seed: seed)
            bench.listen(0)
            bench.run(to: .zero + .seconds(10))
            bench.perform(.browse(type: "_law._tcp", peerToPeer: false), 1)
            guard bench.run(to: .zero + .seconds(20), until: { bench.found(1) != nil }) else {
              throw Unmeasurable("nothing was found")
            }
            samples.add((bench.timeline.now - .zero).milliseconds - 10_000)
          }
          return .mean("delay \(delay) ms", 140 + 2 * Double(delay), samples)
        })
    })

  static let nameLoss = RadioLaw(
    name: "name-loss", subject: .network,
    claim: "Multicast that is lost is not sent again: a listener is found with the first message that arrives",
    source: "IEEE 802.11-2020, 10.3.6; NET 2.7, 7.16", form: "(1 − q)·q^(i − 1) with the i-th message about it",
    tolerance: LawPoint.standardErrorsText, unit: "% of the searches", decimals: 2,
    counterexample: .names { $0.announcements = 1 },
    measure: { distortion in
      var points: [LawPoint] = []
      for percent in [20, 50] as [UInt64] {
        var found = Array(repeating: 0, count: 4)
        var late = 0
        for seed in 1...UInt64(runs) {
          let bench = distortion.nameBench(2, seed: seed)
          var random = RandomStream(seed: seed, component: "law", purpose: "loss")
          bench.isLost = { from, _ in from == 0 && random.below(100) < percent }
          bench.browse(1)
          bench.run(to: .zero + .seconds(60))
          // The browser's questions are rare now: the first messages are the announcements.
          bench.register(0)
          bench.run(to: bench.now + .milliseconds(2_200)) { bench.found(1) != nil }
          if bench.found(1) == nil { late += 1 } else { found[min(bench.responses[0], 4) - 1] += 1 }
        }
        let loss = Double(percent) / 100
        points += [
          .share("first announcement, \(percent) % lost", 1 - loss, hits: found[0], of: runs),
          .share("second announcement, \(percent) % lost", loss * (1 - loss), hits: found[1], of: runs),
          .share("later, \(percent) % lost", loss * loss, hits: late, of: runs),
        ]
      }
      return Outcome(points)
    })

  static let nameEnd = RadioLaw(
    name: "name-end", subject: .network,
    claim: "A service is lost a second after its goodbye, and 120 s after the last word of one that vanished",
    source: "RFC 6762, 10, 10.1; NET 7.7, 7.12", form: "1; 120", tolerance: "exact", unit: "s", decimals: 0,
    counterexample: .names {
      $0.hostTimeToLive = 4_500
      $0.goodbyeTime = .seconds(2)
    },
    measure: { distortion in
      Outcome(
        try [("goodbye", true, 1.0), ("vanished", false, 120)].map { name, saysGoodbye, expected in
          let bench = distortion.nameBench(2, seed: 1)
          bench.register(0)
          bench.browse(1)
          bench.run(to: .zero + .seconds(10)) { bench.responses[0] == 2 }
          let start = bench.now
          if saysGoodbye { bench.unregister(0) }
          bench.isLost = { _, _ in true }
          bench.run(to: .zero + .seconds(10_000)) { bench.lost(1) != nil }
          guard let lost = bench.lost(1) else { throw Unmeasurable("it was not lost") }
          return .exact(name, expected, (lost - start).milliseconds / 1_000)
        })
    })
}
