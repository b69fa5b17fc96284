import BabSuite
import Bench
import Bystanders
import Conformance
import Expectations
import SimKernel
import Testing

/// A scenario that nobody wrote: links that are idle most of the time, and things that happen to them at instants which
/// follow from those of packets, by whole milliseconds. In half of the rooms the clocks of centrals are a few parts per
/// million off and those of peripherals are not: connection events drift past the timers of senders, and meet them to
/// the nanosecond now and then.
private struct DrawnRoom {
  private var stream: RandomStream
  private(set) var text = ""
  private var everyone: [String] = []

  init(seed: UInt64) {
    stream = RandomStream(seed: seed, component: "test", purpose: "rooms")
    let pairs = 1 + Int(stream.below(3))
    let hasLobby = stream.below(3) == 0
    let meets = stream.below(2) == 0
    text = stream.below(4) == 0 ? "radio: { preset: ideal, packet loss: 2% }\n" : ""
    text += "duration: 6s\ndevices:\n"
    // With one central all links share a radio; with one each they may collide.
    let centrals = stream.below(2) == 0 ? 1 : pairs
    for number in 0..<centrals {
      let clock = pick(["2 ppm", "-2 ppm", "3 ppm", "4 ppm", "-4 ppm", "5 ppm"])
      device("c\(number)", "protocol: bystander, role: central", meets ? clock : nil)
    }
    for number in 0..<pairs {
      device("p\(number)", "protocol: bystander, role: peripheral", meets ? "0 ppm" : nil)
    }
    if hasLobby {
      device("host", "role: host", nil)
      for number in 1...1 + stream.below(2) { device("client-\(number)", "role: client", nil) }
    }
    text += "traffic:\n"
    for number in 0..<pairs {
      let (central, peripheral) = ("c\(number % centrals)", "p\(number)")
      flow(peripheral, central, meets)
      if !meets, stream.below(2) == 0 { flow(central, peripheral, meets) }
    }
    if hasLobby { text += "game: { heartbeat: \(pick(["500ms", "1s", "2s", "5s"])), lines: 4 }\n" }
    text += "steps:\n"
    if hasLobby { text += "  - host: start hosting\n  - { client-1: join }\n" }
    text += "  - after: \(meets ? "14s" : "3s")\n"
    for _ in 0..<stream.below(5) { fault() }
    text += "expect:\n  - c0 has at most 9 links\n"
  }

  private mutating func pick(_ words: [String]) -> String { words[Int(stream.below(UInt64(words.count)))] }

  /// - Parameter clock: its error; then its intervals are what its phone has. Nil: both are drawn.
  private mutating func device(_ name: String, _ role: String, _ clock: String?) {
    let phone = pick(["ideal", "iphone", "android", "linux"])
    let interval = pick(["7.5ms", "15ms", "20ms", "30ms", "50ms"])
    text +=
      clock.map { "  \(name): { \(role), phone: \(phone), clock: \($0) }\n" }
      ?? "  \(name): { \(role), phone: { preset: \(phone), connection interval: \(interval) } }\n"
    everyone.append(name)
  }

  private mutating func flow(_ from: String, _ to: String, _ meets: Bool) {
    let pause = meets ? pick(["100ms", "250ms", "1s"]) : pick(["10ms", "20ms", "30ms", "50ms", "333ms", "1s", "3s"])
    text += "  - { from: \(from), to: \(to), every: \(pause) }\n"
  }

  private mutating func fault() {
    let who = pick(everyone)
    let pause = pick(["100ms", "150ms", "300ms", "1s", "1.05s"])
    let (first, second): (String, String?) =
      switch stream.below(8) {
      case 0: ("vanish", "appear")
      case 1: ("radio off", "radio on")
      case 2: ("kill", "relaunch")
      case 3: ("go out of range", "come back")
      case 4: ("background", "foreground")
      case 5: ("{ use channels: 0..10 }", nil)
      case 6: ("{ update connection: { connection interval: \(pick(["30ms", "50ms", "100ms"])) } }", nil)
      default: ("disconnect", nil)
      }
    text += "  - { after: \(pause), \(who): \(first) }\n"
    if let second { text += "  - { after: \(pick(["100ms", "1s", "1.5s"])), \(who): \(second) }\n" }
  }
}

/// Decision 0005 over whole benches: apps with clocks of their own, people, faults. Thirty rooms; two thousand with
/// `BABBENCH_PROOFS=1`.
@Suite("Drawn rooms: stepped, skipped and observed")
struct SkippedWorldTests {
  private static let slices = 10
  private static let perSlice = Part.isAll ? 200 : 3

  /// Sees every PDU, so that nothing is skipped, and lets connection events run ahead.
  private final class AirReader: TraceReader {
    var wantsAir: Bool { true }
    var wantsHCI: Bool { true }
    func read(_ record: TraceRecord) {}
  }

  private static func outcome(
    _ scenario: Scenario, seed: UInt64, steps: Bool = false, readers: [any TraceReader] = []
  ) throws -> RunOutcome {
    var options = RunOptions(seed: seed)
    options.stepsIdleEvents = steps
    return try World.run(scenario, options: options, readers: readers, engines: [AppProtocol.bab, .bystander].engines)
  }

  /// - Returns: connection events that were skipped.
  @discardableResult
  private static func compare(_ text: String, seed: UInt64, _ name: String) throws -> Int {
    let scenario = try ScenarioReader.read(
      text: text, file: "\(name).yaml", language: ScenarioLanguage([.bab, .bystander])
    ).get()
    let skipped = try outcome(scenario, seed: seed)
    let others = [
      ("stepped", try outcome(scenario, seed: seed, steps: true)),
      ("observed", try outcome(scenario, seed: seed, readers: [AirReader()])),
    ]
    for (mode, other) in others {
      equal(skipped.digest, other.digest, "\(name), \(mode):\n\(text)")
      equal(skipped.devices, other.devices, "\(name), \(mode)")
      expect(skipped.endInstant == other.endInstant && skipped.ending == other.ending, "\(name), \(mode)")
    }
    return skipped.statistics.skippedConnectionEvents
  }

  @Test("One digest, and the same of every device", arguments: 0..<slices)
  func same(slice: Int) throws {
    var skipped = 0
    for number in 0..<Self.perSlice {
      let seed = UInt64(slice * Self.perSlice + number)
      skipped += try Self.compare(DrawnRoom(seed: seed).text, seed: seed, "room \(seed)")
    }
    expect(skipped > 0, "rooms in which nothing is skipped show nothing")
  }

  @Test("A value that a timer hands over at the very end of the central's PDU goes with the answer", arguments: 1...20)
  func flow(seed: UInt64) throws {
    // In 10 of 40 such rooms a timer of the sensor meets that end to the nanosecond at some time.
    let text = """
      devices:
        c: { protocol: bystander, role: central, phone: iphone }
        p: { protocol: bystander, role: peripheral }
      traffic: [ { from: p, to: c, every: 100ms } ]
      steps: [ after: 20s ]
      expect: [ c has at least 1 link ]
      """
    try Self.compare(text, seed: seed, "flow \(seed)")
  }
}
