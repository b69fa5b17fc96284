import BeamSuite
import Bench
import Conformance
import Expectations
import SimKernel
import Stress
import Testing

/// The measures of an app on a network against what a fixed air must make of them (NET 1.8): every packet takes one
/// delay, and nothing waits for anything.
@Suite("Measures in a fixed air")
struct StreamLawTests {
  /// A guest is there from the beginning, two come while the host speaks.
  private static func talk(_ delay: Int64, host: String = AppProtocol.reference) -> String {
    """
    protocol: beamscribe
    network: { preset: ideal, delay: \(delay - 1)ms }
    devices: { host: { engine: \(host) }, guest: { count: 3 } }
    beamscribe: { speech: { every: 300ms, partials: 1, finals: 60 } }
    steps:
      - host: start event
      - guest-1: join
      - when: guest-1 is showing
        within: 20s
      - guest-2, guest-3: join
      - when: all guests are showing
        within: 20s
      - host: battery low
      - when: host has 60 finals
        within: 60s
      - after: 5s
    """
  }

  /// Nanoseconds, or what else a measure is counted in, of one run; by device.
  struct Samples {
    let measures: RunMeasures

    init(_ text: String) throws {
      let app = AppProtocol.beamscribe
      let scenario = try ScenarioReader.read(text: text, file: "a.yaml", language: ScenarioLanguage([app])).get()
      let reader = MeasureReader([app])
      _ = try World.run(scenario, options: RunOptions(seed: 3), readers: [reader], engines: [app].engines)
      measures = try required(reader.measures)
    }

    func all(_ name: String) throws -> [RunMeasures.Sample] {
      measures.samples[try required(measures.measures.firstIndex { $0.name == name })]
    }

    /// The different values of all samples.
    func values(_ name: String) throws -> [Int64] { Set(try all(name).map(\.value)).sorted() }

    func count(_ name: String) throws -> Int { try all(name).count }
  }

  private static let millisecond: Int64 = 1_000_000

  @Test("Times are multiples of the delay, and the gate's 4 s", arguments: [1, 30] as [Int64])
  func forms(_ delay: Int64) throws {
    let samples = try Samples(Self.talk(delay))
    let (way, gate) = (delay * Self.millisecond, 4_000 * Self.millisecond)
    // SYN, and SYN with ACK.
    try equal(samples.values("stream"), [2 * way])
    try equal(samples.values("gate"), [gate])
    // The host is told of the stream one way later, and the history takes another one.
    try equal(samples.values("history"), [gate + 2 * way])
    for name in ["text", "partial", "alert", "transit", "text-spread", "alert-spread"] {
      try equal(samples.values(name), [way], "\(name)")
    }
    try equal(samples.values("claimed-latency"), [way])
    try equal(samples.count("alert"), 3)
    try equal(samples.count("history"), 3)
    try equal(samples.values("lost-streams"), [0])
  }

  @Test("A seat is the service, the stream and the history, one after the other")
  func sum() throws {
    let samples = try Samples(Self.talk(1))
    let services = try samples.all("service")
    equal(services.count, 3)
    for seat in try samples.all("seat") {
      let service = try required(services.first { $0.device == seat.device })
      equal(seat.value, service.value + 4_004 * Self.millisecond)
      // A question waits 20 … 120 ms, and its answer as long again where others may answer too (RFC 6762, 5.2 and 6).
      // Who asks while the host still claims its name waits for that: up to 250 ms, and three probes 250 ms apart
      // (8.1).
      let claim: Int64 = seat.device == 1 ? 1_000 : 0
      expect(service.value <= (claim + 242) * Self.millisecond)
    }
  }

  @Test("Every live final is measured once at each guest that is there, and none that a history brings")
  func counts() throws {
    let samples = try Samples(Self.talk(1))
    let histories = try samples.all("history")
    equal(histories.count, 3)
    let text = try samples.all("text")
    // All but the finals of the first seconds are live at guest-1, those of some more seconds at the others.
    let counts = (1...3).map { guest in text.count { $0.device == guest } }
    expect(counts[0] > counts[1] && counts[1] == counts[2])
    expect(counts[0] < 60 && counts[2] > 20)
  }

  @Test("A gate of three seconds is measured as one, and everything behind it is a second earlier")
  func early() throws {
    let samples = try Samples(Self.talk(1, host: "gate-of-three-seconds"))
    try equal(samples.values("gate"), [3_000 * Self.millisecond])
    try equal(samples.values("history"), [3_002 * Self.millisecond])
  }

  @Test("A host that holds all back while one guest is at the gate is late")
  func late() throws {
    let samples = try Samples(Self.talk(1, host: "gate-for-all"))
    let latest = try required(try samples.values("text").last)
    expect(latest > 3_000 * Self.millisecond && latest <= 4_001 * Self.millisecond)
  }

  @Test("What never arrives has no sample")
  func missing() throws {
    try equal(Samples(Self.talk(1, host: "alert-to-first-only")).count("alert"), 1)
    let (reference, forgetful) = (
      try Samples(Self.talk(1)), try Samples(Self.talk(1, host: "live-chunk-forgotten"))
    )
    try expect(forgetful.count("text") < reference.count("text"))
  }
}
