import AppSeam
import SimKernel
import VirtualNetwork

/// Windows and searches of AWDL (Docs/virtual-network-laws.md, section 4).
extension RadioLaw {
  /// Sequences of both ends that stay as they are.
  private enum Windows: String, CaseIterable {
    case idle = "idle and idle"
    case active = "active and active"
    case shared = "half of the active windows"

    var channels: [WiFiChannel?] {
      let (lower, upper) = (WiFiChannel.social6, WiFiChannel.social149)
      return (0..<16).map { entry in
        switch self {
        case .idle: entry == 8 ? lower : [0, 9, 10].contains(entry) ? upper : nil
        case .active: entry < 8 ? upper : lower
        case .shared: entry % 4 < 2 ? nil : upper
        }
      }
    }

    /// Entries with a channel, and those of them at whose beginning the radio changes to it.
    var common: (entries: Int, changes: Int) {
      let channels = channels
      let entries = channels.indices.filter { channels[$0] != nil }
      return (entries.count, entries.count { channels[$0] != channels[($0 + 15) % 16] })
    }

    /// Runs of entries without a channel.
    var gaps: [Int] {
      var gaps: [Int] = []
      var run = 0
      // From an entry with a channel on, so that no gap is cut.
      let first = channels.firstIndex { $0 != nil } ?? 0
      for step in 1...16 {
        if channels[(first + step) % 16] == nil {
          run += 1
        } else {
          if run > 0 { gaps.append(run) }
          run = 0
        }
      }
      return gaps
    }

    var room: NetworkRoom {
      var room = RadioLaw.oneHop(megabits: 54)
      room.peerToPeer.active = channels
      return room
    }
  }

  /// Milliseconds.
  private static let entry = 65.536
  private static let period = 16 * entry
  private static let switching = 1.024

  static let awdlWindows = RadioLaw(
    name: "awdl-windows", subject: .network,
    claim: "Two AWDL peers have the share of the channel's throughput that their common windows have of the time",
    source: "Stute, Kreitschmann and Hollick, MobiCom 2018, arXiv 1808.03156; NET 4.1 to 4.7",
    form: "(common entries − changes of channel / 64) / 16",
    tolerance: "3 %: frames that do not fit into a window wait",
    unit: "% of one channel that is always common", decimals: 2,
    counterexample: .network { room in
      // One entry less.
      if let last = room.peerToPeer.active?.lastIndex(where: { $0 != nil }) { room.peerToPeer.active?[last] = nil }
    },
    measure: { distortion in
      let span = SimDuration.microseconds(12 * 16 * 65_536)
      func packets(_ room: NetworkRoom, _ distortion: Distortion) throws -> Double {
        let bench = try pairs(1, room, distortion)
        bench.saturate([0], datagrams, fullDatagram, for: span)
        return Double(bench.arrivals[1].count)
      }
      let always = try packets(oneHop(megabits: 54), .none)
      return Outcome(
        try Windows.allCases.map { windows in
          let (entries, changes) = windows.common
          let expected = 100 * (Double(entries) - Double(changes) / 64) / 16
          return .within(
            0.03 * expected, windows.rawValue, expected, 100 * (try packets(windows.room, distortion)) / always)
        })
    })

  static let awdlWait = RadioLaw(
    name: "awdl-wait", subject: .network,
    claim: "A frame for an AWDL peer waits for the next common window",
    source: "Stute, Kreitschmann and Hollick, MobiCom 2018; NET 4.7",
    form: "Σ (gap + 1 TU)² / (2·1 024 TU) + Σ over other changes (1 TU)² / (2·1 024 TU) + DIFS + 67.5 µs + T",
    tolerance: LawPoint.standardErrorsText, unit: "ms", decimals: 3,
    counterexample: .network { room in
      if let last = room.peerToPeer.active?.lastIndex(where: { $0 != nil }) { room.peerToPeer.active?[last] = nil }
    },
    measure: { distortion in
      Outcome(
        try Windows.allCases.map { windows in
          let bench = try pairs(1, windows.room, distortion)
          var random = RandomStream(seed: 1, component: "law", purpose: "frames")
          var samples = Samples()
          for number in 0..<2_000 {
            // Evenly over the period, with time for the one before to arrive.
            bench.run(for: .nanoseconds(1_048_576_000 + Int64(random.below(1_048_576_000))))
            let start = bench.timeline.now
            guard bench.send([1], datagrams, 0),
              bench.run(to: start + .seconds(1), until: { bench.arrivals[1].count == number + 1 })
            else { throw Unmeasurable("a frame did not arrive") }
            samples.add((bench.timeline.now - start).milliseconds)
          }
          let gaps = windows.gaps
          let changes = windows.common.changes - gaps.count
          let wait =
            gaps.reduce(0.0) { $0 + RealNumbers.power(Double($1) * entry + switching, 2) }
            + Double(changes) * switching * switching
          // The datagram has an IPv6 header of 40 octets and one of UDP.
          let frame = WiFiExchange.ppdu(49 + 38, megabits: 54, isLower: false)
          let own = (WiFiExchange.distributedSpace(isLower: false) + WiFiExchange.meanBackOff + frame) / 1_000
          return .mean(windows.rawValue, wait / (2 * period) + own, samples)
        })
    })

  /// A device listens from the start, another one browses from its third second on.
  /// - Returns: after how many milliseconds they see each other, and how many of the searches found the service within
  ///   20 to 121 ms after that.
  private static func search(_ distortion: Distortion, isPrimed: Bool) throws -> (met: Samples, prompt: Int) {
    var met = Samples()
    var prompt = 0
    for seed in 1...UInt64(searches) {
      var room = oneHop(megabits: 54)
      room.peerToPeer.sleeps = true
      let bench = distortion.networkBench(2, in: room, seed: seed)
      bench.listen(0, peerToPeer: true)
      bench.run(to: .zero + .seconds(3))
      let start = bench.timeline.now
      if isPrimed { bench.perform(.prime(.seconds(10)), 1) }
      bench.perform(.browse(type: "_law._tcp", peerToPeer: true), 1)
      guard bench.run(to: start + .seconds(20), until: { bench.found(1) != nil }),
        let meeting = bench.neighbours.first(where: { $0.device == 1 })
      else { throw Unmeasurable("nothing was found") }
      met.add((meeting.at - start).milliseconds)
      let wait = (bench.timeline.now - meeting.at).milliseconds
      if wait >= 20, wait <= 121 { prompt += 1 }
    }
    return (met, prompt)
  }

  private static let searches = 1_000
  /// Half of the time from one synchronisation frame of a master to the next.
  private static let meanFrameWait = 55 * 1.024

  private static func searchPoints(_ name: String, _ expected: Double, _ outcome: (met: Samples, prompt: Int))
    -> [LawPoint]
  {
    [
      .mean("\(name): the other end is there", expected, outcome.met),
      .exact(
        "\(name): its service is found 20 to 121 ms after that", 100,
        100 * Double(outcome.prompt) / Double(searches)),
    ]
  }

  static let awdlSearch = RadioLaw(
    name: "awdl-search", subject: .network,
    claim:
      "A search wakes the other end's AWDL after 2.0 to 7.6 s and meets it with a synchronisation frame; names follow",
    source: "NET 4.10, 4.12, 4.13: a decision, so that searches take the 2 to 8 s that people see",
    form: "(2 000 + 7 600) / 2 + 110 TU / 2; then 20 … 120 ms and one multicast frame",
    tolerance: LawPoint.standardErrorsText + ", the second exact", unit: "ms, % of the searches", decimals: 1,
    counterexample: .network { $0.peerToPeer.search = .milliseconds(1_000) ... .milliseconds(6_600) },
    measure: { distortion in
      Outcome(searchPoints("asleep", 4_800 + meanFrameWait, try search(distortion, isPrimed: false)))
    })

  static let awdlPrimed = RadioLaw(
    name: "awdl-primed", subject: .network,
    claim: "A device that has primed its AWDL meets one that listens with the next synchronisation frame; names follow",
    source: "NET 4.10, 4.14: a decision", form: "110 TU / 2; then 20 … 120 ms and one multicast frame",
    tolerance: LawPoint.standardErrorsText + ", the second exact", unit: "ms, % of the searches", decimals: 1,
    counterexample: .network { $0.path.delay = .milliseconds(10) },
    measure: { distortion in
      Outcome(searchPoints("primed", meanFrameWait, try search(distortion, isPrimed: true)))
    })
}
