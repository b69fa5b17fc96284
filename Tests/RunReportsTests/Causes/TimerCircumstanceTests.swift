import AppSeam
import BabSim
import Bench
import BluetoothWire
import Expectations
import Platform
import SimKernel
import Testing

@testable import Conformance

@Suite("What timers and refused subscriptions explain")
struct TimerCircumstanceTests {
  /// A host (device 0) and a guest (device 1), the central, with a link, by hand.
  private struct Script {
    private var book = CircumstanceBook()
    private var sequence = 0
    private var milliseconds: Int64 = 0

    static let link = LinkID(0)
    static let news = BluetoothUUID(0xBAB3)
    static let stream = BluetoothUUID(0xBAB4)

    static func address(_ device: Int) -> BluetoothAddress {
      BluetoothAddress(kind: .random, bits: 0xC000_0000_0000 + UInt64(device))
    }

    init() {
      let devices = ["host", "guest"].enumerated().map { index, name in
        TraceHeader.Device(
          name: name, role: index == 0 ? .host : .client, phone: "ideal", dialect: "sdk", engine: "reference",
          address: Self.address(index), app: "bab")
      }
      book.begin(TraceHeader(scenario: "by hand", seed: 1, devices: devices, options: []))
      add(1, .effect(.connect(Self.address(0))))
      add(1, .input(.connected(Self.link, peer: Self.address(0))))
      add(0, .input(.connected(Self.link, peer: Self.address(1))))
    }

    mutating func wait(_ milliseconds: Int64) { self.milliseconds += milliseconds }
    mutating func add(_ device: Int, _ event: TraceEvent) {
      let instant = SimInstant.zero + .milliseconds(milliseconds)
      book.read(TraceRecord(sequence: sequence, instant: instant, device: device, event: event))
      sequence += 1
    }

    mutating func set(_ timer: Int, in milliseconds: Int64, of device: Int = 0) {
      add(device, .effect(.setTimer(TimerID(timer), at: .zero + .milliseconds(self.milliseconds + milliseconds))))
    }

    /// What explains that something is missing at the guest, or has ended there.
    func reason(isBreach: Bool = false) -> Circumstance? {
      book.circumstances.reason(
        for: .init(
          at: .zero + .milliseconds(milliseconds), since: nil, device: 1, isAbsence: true, isBreach: isBreach))
    }
  }

  @Test("An app that ends a link when its timer fires, with when it has set it; at once where a link was due")
  func ended() throws {
    var script = Script()
    script.set(1, in: 15_000)
    script.wait(15_000)
    script.add(0, .input(.timer(TimerID(1))))
    script.add(0, .effect(.disconnect(Script.link)))
    script.wait(40)
    expect(script.reason()?.kind != .leftLink)
    let reason = try required(script.reason(isBreach: true))
    equal(
      reason.text,
      "the app of host has ended its link with guest by itself, when a timer of it fired, set at 0.000 s for"
        + " 15.000 s (15 s later), when it was told: link 0 with guest is up")
  }

  @Test("What follows something else than a timer, a cancelled one or a step of 10 ms is not put down to it")
  func others() {
    for variant in 0..<3 {
      var script = Script()
      script.set(1, in: variant == 2 ? 10 : 15_000)
      if variant == 1 { script.add(0, .effect(.cancelTimer(TimerID(1)))) }
      script.wait(15_000)
      script.add(0, .input(.timer(TimerID(1))))
      if variant == 0 { script.add(0, .input(.attMTU(Script.link, 185))) }
      script.add(0, .effect(.disconnect(Script.link)))
      script.wait(40)
      equal(script.reason(isBreach: true)?.text.contains("timer"), false)
    }
  }

  @Test("An app that looks for nobody since its timer has fired")
  func idle() throws {
    var script = Script()
    script.add(0, .input(.disconnected(Script.link, reason: .connectionTimeout)))
    script.add(0, .effect(.advertise(AdvertisementRequest(localName: "x", serviceUUIDs: []))))
    script.add(1, .input(.disconnected(Script.link, reason: .connectionTimeout)))
    script.set(2, in: 30_000, of: 1)
    script.add(1, .effect(.scan(services: [])))
    script.wait(30_000)
    script.add(1, .input(.timer(TimerID(2))))
    script.add(1, .effect(.stopScanning))
    script.wait(2_000)
    try equal(
      required(script.reason()).text,
      "the app of guest neither scans, advertises nor connects, since it was told: link 0 ended: reason 0x08,"
        + " connection timeout; then a timer of it fired, set at 0.000 s for 30.000 s (30 s later)")
  }

  @Test("A subscription that was refused, whose app goes on without it; one that it asks for again is not")
  func lacking() throws {
    for isAskedAgain in [false, true] {
      var script = Script()
      let found = [Script.news, Script.stream].map {
        ServiceDefinition.Characteristic(uuid: $0, properties: .notify)
      }
      script.add(1, .input(.servicesDiscovered(Script.link, service: BluetoothUUID(0xBAB1), characteristics: found)))
      script.add(1, .effect(.subscribe(Script.link, characteristic: Script.news, true)))
      script.add(1, .fault(.failure(.subscription, Script.link, asker: .app, code: 0x85)))
      script.add(1, .input(.subscribed(Script.link, characteristic: Script.news, false)))
      script.add(1, .effect(.subscribe(Script.link, characteristic: Script.stream, true)))
      script.add(1, .input(.subscribed(Script.link, characteristic: Script.stream, true)))
      if isAskedAgain { script.add(1, .effect(.subscribe(Script.link, characteristic: Script.news, true))) }
      script.wait(2_000)
      try equal(
        required(script.reason()).text,
        "guest has subscribed to BAB4, and not to BAB3, on link 0"
          + (isAskedAgain
            ? ""
            : "; its subscription to BAB3 was refused at 0.000 s: a subscription on link 0 fails on order with 0x85,"
              + " and it has not asked for it again"))
    }
  }
}
