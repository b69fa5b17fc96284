import AppSeam
import BabSim
import Bench
import BluetoothWire
import Expectations
import Platform
import SimKernel
import Testing

@testable import Conformance
@testable import RunReports

@Suite("What platforms, stacks and links know")
struct CircumstanceTests {
  /// A host (device 0) and a guest (device 1) with a link, 0 at both ends, by hand.
  private struct Script {
    private var book = CircumstanceBook()
    private var sequence = 0
    private var milliseconds: Int64 = 0

    static func address(_ device: Int) -> BluetoothAddress {
      BluetoothAddress(kind: .random, bits: 0xC000_0000_0000 + UInt64(device))
    }
    static let characteristic = BluetoothUUID(0xBAB3)
    static let link = LinkID(0)

    init(hasLink: Bool = true) {
      let devices = ["host", "guest"].enumerated().map { index, name in
        TraceHeader.Device(
          name: name, role: index == 0 ? .host : .client, phone: "ideal", dialect: "sdk", engine: "reference",
          address: Self.address(index), app: "bab")
      }
      book.begin(TraceHeader(scenario: "by hand", seed: 1, devices: devices, options: []))
      guard hasLink else { return }
      add(1, .effect(.connect(Self.address(0))))
      add(1, .input(.connected(Self.link, peer: Self.address(0))))
      add(0, .input(.connected(Self.link, peer: Self.address(1))))
    }

    mutating func subscribe() { add(1, .input(.subscribed(Self.link, characteristic: Self.characteristic, true))) }
    mutating func wait(_ milliseconds: Int64) { self.milliseconds += milliseconds }
    mutating func add(_ device: Int, _ event: TraceEvent) {
      book.read(
        TraceRecord(sequence: sequence, instant: .zero + .milliseconds(milliseconds), device: device, event: event))
      sequence += 1
    }
    /// The host offers a value, and its platform answers.
    mutating func notify(_ octet: UInt8, accepted: Bool) {
      add(0, .effect(.notify(Self.link, characteristic: Self.characteristic, octets: [octet])))
      add(0, .input(.submitted(Self.link, characteristic: Self.characteristic, accepted: accepted)))
    }

    /// What explains that something is missing at a device now, or that something is wrong there.
    func reason(_ device: Int = 1, isAbsence: Bool = true) -> Circumstance? {
      book.circumstances.reason(
        for: .init(at: .zero + .milliseconds(milliseconds), since: nil, device: device, isAbsence: isAbsence))
    }
  }

  @Test("A value that is refused and not sent again explains what is missing; one that is sent again does not")
  func refused() throws {
    var script = Script()
    script.subscribe()
    script.notify(1, accepted: false)
    script.notify(2, accepted: true)
    let reason = try required(script.reason())
    expect(reason.kind == .refusedValueLost && reason.device == 0 && reason.record == 5)
    expect(reason.text.hasPrefix("host went on after its platform had refused a value of BAB3 for guest"))
    script.notify(1, accepted: true)
    expect(script.reason() == nil)
  }

  @Test("A refusal that the app waits out, and one on a link that then ends, are nobody's mistake")
  func waitedOut() {
    var script = Script()
    script.subscribe()
    script.notify(1, accepted: false)
    expect(script.reason() == nil)
    script.add(0, .input(.disconnected(Script.link, reason: .connectionTimeout)))
    script.wait(2_000)
    // What is told then is that nobody can find the host any more.
    equal(script.reason(0)?.kind, .idle)
  }

  @Test("A value that nobody has subscribed to is not a full queue")
  func unwanted() throws {
    var script = Script()
    script.subscribe()
    script.add(0, .effect(.notify(Script.link, characteristic: Script.characteristic, octets: [1])))
    script.add(0, .platform(PlatformRemark(.valueUnwanted, Script.link, "its client has not subscribed to BAB3")))
    script.add(0, .input(.submitted(Script.link, characteristic: Script.characteristic, accepted: false)))
    script.notify(2, accepted: true)
    let reason = try required(script.reason())
    equal(reason.kind, .valueUnwanted)
    equal(reason.text, "host sends a value, but its client has not subscribed to BAB3")
  }

  @Test("An app without patience gives up; one that has waited for 5 s has not, and a link ends it")
  func patience() throws {
    for (patience, isNamed) in [(100, true), (5_000, false)] as [(Int64, Bool)] {
      var script = Script(hasLink: false)
      for _ in 1...3 {
        script.add(1, .effect(.connect(Script.address(0))))
        script.wait(patience)
        script.add(1, .effect(.cancelConnect(Script.address(0))))
        script.wait(900)
      }
      script.add(1, .effect(.connect(Script.address(0))))
      script.wait(2_000)
      equal((script.reason()?.kind == .givesUp), isNamed, "\(String(describing: script.reason()))")
      script.add(1, .input(.connected(Script.link, peer: Script.address(0))))
      script.wait(500)
      expect(script.reason() == nil)
    }
  }

  @Test("A link that only one end has is with nobody, until the other end has one again")
  func deadLink() throws {
    var script = Script()
    script.add(1, .input(.disconnected(Script.link, reason: .connectionTimeout)))
    script.add(1, .effect(.scan(services: [Script.characteristic])))
    script.wait(2_000)
    let reason = try required(script.reason())
    expect(reason.kind == .deadLink && reason.device == 0 && reason.peer == 1)
    script.add(0, .input(.disconnected(Script.link, reason: .connectionTimeout)))
    expect(script.reason()?.kind != .deadLink)
  }

  @Test("A request without an answer of the app explains what is missing, and what is wrong it does not")
  func unanswered() throws {
    var script = Script()
    script.subscribe()
    let asked = GATTInput.writesAsked(
      RequestID(7), Script.link, type: BluetoothUUID(0xBAB2),
      [WritePart(attribute: AttributeKey(1), offset: 0, octets: [1])], needsAnswer: true)
    script.add(0, .input(.gatt(asked)))
    script.wait(2_000)
    let reason = try required(script.reason())
    expect(reason.kind == .requestUnanswered && reason.device == 0)
    equal(reason.text, "a write to BAB2 of guest waits for an answer of the app of host")
    expect(script.reason(isAbsence: false) == nil)
    script.add(0, .effect(.gatt(.answer(RequestID(7), value: [], error: nil))))
    expect(script.reason() == nil)
  }

  @Test("30 s without an answer are of who does not answer, and told once")
  func timeout() throws {
    var script = Script()
    script.subscribe()
    let asked = GATTInput.readAsked(
      RequestID(7), Script.link, AttributeKey(1), type: BluetoothUUID(0xBAB2), offset: 0)
    script.add(0, .input(.gatt(asked)))
    script.wait(30_000)
    script.add(1, .platform(PlatformRemark(.transactionTimeout, Script.link, "no answer within 30 s")))
    try equal(required(script.reason()).kind, .requestUnanswered)
  }

  @Test("A long interval that the app has asked for, until it asks for a short one")
  func interval() throws {
    var script = Script()
    script.subscribe()
    script.add(0, .effect(.gap(.requestInterval(Script.link, shortest: 24, longest: 40))))
    script.wait(2_000)
    expect(script.reason() == nil)
    script.add(0, .effect(.gap(.requestInterval(Script.link, shortest: 800, longest: 800))))
    script.wait(2_000)
    let reason = try required(script.reason())
    equal(reason.text, "the app of host has asked for a connection interval of 1000 ms on link 0")
    script.add(0, .effect(.gap(.requestInterval(Script.link, shortest: 6, longest: 12))))
    expect(script.reason() == nil)
  }

  @Test("A link without a subscription, with the one before that had one")
  func subscription() throws {
    var script = Script()
    script.subscribe()
    script.add(1, .input(.disconnected(Script.link, reason: .connectionTimeout)))
    script.add(1, .effect(.connect(Script.address(0))))
    script.add(1, .input(.connected(LinkID(1), peer: Script.address(0))))
    script.wait(500)
    expect(script.reason() == nil)
    script.wait(2_000)
    let reason = try required(script.reason())
    equal(reason.text, "guest has not subscribed to anything on link 1, as it had on link 0")
    script.add(1, .input(.subscribed(LinkID(1), characteristic: Script.characteristic, true)))
    expect(script.reason() == nil)
  }

  @Test("An advertiser that was found and not connected to, with its level")
  func found() throws {
    var script = Script(hasLink: false)
    let heard = Advertisement(address: Script.address(0), localName: "x", serviceUUIDs: [], rssi: -74)
    script.add(1, .input(.discovered(heard)))
    script.wait(2_000)
    let reason = try required(script.reason())
    expect(reason.text.hasPrefix("guest was told of host (-74 dBm, at 0.000 s)"))
    // What it did not do is nothing that the host can be asked about.
    expect(script.reason(0) == nil)
    script.add(1, .effect(.connect(Script.address(0))))
    expect(script.reason() == nil)
  }

  @Test("A phone without room, until a link ends; what explains more comes first")
  func room() throws {
    var script = Script(hasLink: false)
    script.add(0, .platform(PlatformRemark(.noRoomForLinks, nil, "3 of 3 links as peripheral are in use")))
    script.wait(2_000)
    let heard = Advertisement(address: Script.address(0), localName: "x", serviceUUIDs: [], rssi: -74)
    script.add(1, .input(.discovered(heard)))
    script.wait(2_000)
    let reason = try required(script.reason())
    equal(
      reason.text, "host has no room for another link and does not advertise: 3 of 3 links as peripheral are in use")
    script.add(0, .input(.advertisingStarted(true)))
    try equal(required(script.reason()).kind, .notConnected)
  }

  @Test("An app without room that asks again, and one that does not")
  func roomAgain() throws {
    var script = Script()
    let full = PlatformRemark(.noRoomForLinks, nil, "1 of 1 links as peripheral are in use")
    script.add(0, .platform(full))
    script.add(0, .input(.disconnected(Script.link, reason: .connectionTimeout)))
    script.add(1, .input(.disconnected(Script.link, reason: .connectionTimeout)))
    script.add(1, .effect(.scan(services: [])))
    script.wait(2_000)
    let text = try required(script.reason()).text
    expect(text.hasSuffix("(with guest); a link is free since 0.000 s, and its app has not asked to advertise again"))
    script.add(0, .effect(.advertise(AdvertisementRequest(localName: "x", serviceUUIDs: []))))
    try expect(required(script.reason()).text.hasSuffix("are in use (with guest)"))
  }

  @Test("An app that ends its link, with what it was told before; one whose person leaves does not")
  func left() throws {
    var script = Script()
    let found = ServiceDefinition.Characteristic(uuid: Script.characteristic, properties: .indicate)
    script.add(1, .input(.servicesDiscovered(Script.link, service: BluetoothUUID(0xBAB1), characteristics: [found])))
    script.add(1, .effect(.disconnect(Script.link)))
    script.add(1, .input(.disconnected(Script.link, reason: .connectionTerminatedByLocalHost)))
    script.wait(2_000)
    let reason = try required(script.reason())
    equal(reason.kind, .leftLink)
    equal(
      reason.text,
      "the app of guest has ended its link with host by itself, after: link 0 has 1 characteristic of service BAB1"
        + " (BAB3: indicate)")
    var ordered = Script()
    ordered.subscribe()
    ordered.add(1, .input(.user(AppAction(BabAction.leave))))
    ordered.add(1, .effect(.disconnect(Script.link)))
    ordered.add(1, .input(.disconnected(Script.link, reason: .connectionTerminatedByLocalHost)))
    ordered.wait(2_000)
    expect(ordered.reason() == nil)
  }

  @Test("An app that looks for nobody any more, since when and since what")
  func idle() throws {
    var script = Script()
    script.subscribe()
    script.add(1, .input(.disconnected(Script.link, reason: .connectionTimeout)))
    script.wait(2_000)
    let reason = try required(script.reason())
    equal(
      reason.text,
      "the app of guest neither scans, advertises nor connects, since it was told: link 0 ended: reason 0x08,"
        + " connection timeout")
    script.add(1, .effect(.scan(services: [])))
    expect(script.reason() == nil)
  }

  @Test("What was refused, by whom and why; what is granted afterwards is no reason")
  func refusals() throws {
    var script = Script()
    let found = ServiceDefinition.Characteristic(uuid: Script.characteristic, properties: .notify)
    script.add(1, .input(.servicesDiscovered(Script.link, service: BluetoothUUID(0xBAB1), characteristics: [found])))
    script.subscribe()
    script.add(1, .input(.writeCompleted(Script.link, characteristic: Script.characteristic, error: 3)))
    let reason = try required(script.reason())
    expect(reason.kind == .requestRefused && reason.device == 0)
    equal(
      reason.text,
      "a write to BAB3 of guest on link 0 was refused: ATT error 0x03 (write not permitted); its properties are"
        + " notify"
    )
    script.add(1, .input(.writeCompleted(Script.link, characteristic: Script.characteristic, error: nil)))
    script.wait(2_000)
    expect(script.reason() == nil)
    script.add(1, .effect(.writeWithoutResponse(Script.link, characteristic: Script.characteristic, octets: [1])))
    try equal(required(script.reason(isAbsence: false)).kind, .wrongWrite)
  }

  @Test("A subscription to a part of what there is, and one that is ended")
  func partlySubscribed() throws {
    var script = Script()
    let other = BluetoothUUID(0xBAB4)
    let found = [Script.characteristic, other].map { ServiceDefinition.Characteristic(uuid: $0, properties: .notify) }
    script.add(1, .input(.servicesDiscovered(Script.link, service: BluetoothUUID(0xBAB1), characteristics: found)))
    script.add(1, .input(.subscribed(Script.link, characteristic: other, true)))
    script.wait(2_000)
    try equal(required(script.reason()).text, "guest has subscribed to BAB4, and not to BAB3, on link 0")
    script.subscribe()
    expect(script.reason() == nil)
    script.add(1, .effect(.subscribe(Script.link, characteristic: other, false)))
    script.wait(2_000)
    try equal(required(script.reason()).text, "the app of guest has ended its subscription to BAB4 on link 0")
  }

  @Test("A refused value, room for it, and nothing after that")
  func notSentAgain() throws {
    var script = Script()
    script.subscribe()
    script.notify(1, accepted: false)
    script.add(0, .input(.readyToSend(Script.link)))
    script.wait(2_000)
    try equal(required(script.reason()).kind, .notSentAgain)
    script.notify(1, accepted: true)
    expect(script.reason() == nil)
  }

  @Test("What one scans for and the other does not advertise, and one that is not found")
  func filters() throws {
    for (services, kind) in [
      ([BluetoothUUID(0xBAB2)], Circumstance.Kind.filterMismatch), ([BluetoothUUID(0xBAB1)], .notFound),
    ] {
      var script = Script(hasLink: false)
      script.add(1, .effect(.scan(services: services)))
      script.add(0, .effect(.advertise(AdvertisementRequest(localName: "x", serviceUUIDs: [BluetoothUUID(0xBAB1)]))))
      script.wait(2_000)
      try equal(required(script.reason()).kind, kind)
      script.add(1, .effect(.stopScanning))
      expect(script.reason()?.kind != kind)
    }
  }

  @Test("Values that an app reacts to none of; one reaction is enough, and so is a value that it sends")
  func valuesIgnored() throws {
    var script = Script()
    script.subscribe()
    let written = AppInput.valueReceived(Script.link, characteristic: BluetoothUUID(0xBAB2), octets: [1])
    for _ in 1...3 { script.add(0, .input(written)) }
    script.wait(2_000)
    expect(script.reason() == nil)
    script.add(0, .input(written))
    script.wait(2_000)
    let reason = try required(script.reason())
    equal(reason.kind, .valuesIgnored)
    equal(
      reason.text,
      "the app of host was given 4 values of BAB2, has shown and asked for nothing at any of them, and has sent"
        + " none")
    var answered = script
    answered.add(0, .input(written))
    answered.add(0, .effect(.setTimer(TimerID(1), at: .zero)))
    expect(answered.reason() == nil)
    // What it asks for at something else is no reaction.
    script.add(0, .input(.timer(TimerID(1))))
    script.add(0, .effect(.setTimer(TimerID(1), at: .zero)))
    equal(script.reason()?.kind, .valuesIgnored)
    script.notify(1, accepted: true)
    expect(script.reason() == nil)
  }

  @Test("The end of a link at which an app does nothing, until it does, or the other one is back")
  func endIgnored() throws {
    var script = Script()
    script.subscribe()
    script.add(0, .effect(.advertise(AdvertisementRequest(localName: "x", serviceUUIDs: []))))
    var told = script
    script.add(0, .input(.disconnected(Script.link, reason: .connectionTimeout)))
    told.add(0, .input(.disconnected(Script.link, reason: .connectionTimeout)))
    told.add(0, .effect(.cancelTimer(TimerID(1))))
    script.wait(2_000)
    told.wait(2_000)
    let reason = try required(script.reason(0))
    expect(reason.kind == .endIgnored && told.reason(0) == nil)
    equal(
      reason.text,
      "the app of host was told: link 0 ended: reason 0x08, connection timeout, which was its link with guest, and"
        + " has shown and asked for nothing at that")
    script.add(0, .input(.connected(LinkID(1), peer: Script.address(1))))
    expect(script.reason(0)?.kind != .endIgnored)
  }

  @Test("A value for a link that has ended explains what its peer misses on the next one")
  func linkOfBefore() throws {
    var script = Script()
    script.add(0, .input(.disconnected(Script.link, reason: .connectionTimeout)))
    script.add(0, .input(.connected(LinkID(1), peer: Script.address(1))))
    script.add(0, .effect(.notify(Script.link, characteristic: Script.characteristic, octets: [1])))
    script.add(0, .platform(PlatformRemark(.valueUnwanted, Script.link, "link 0 is gone")))
    let reason = try required(script.reason())
    equal(reason.kind, .valueUnwanted)
    equal(reason.text, "host sends a value, but link 0 is gone; its link with guest is 1")
  }

  @Test("Names that nobody has said, in what was seen")
  func names() throws {
    let header = try JudgedRun("lobby/two-peers").judgement.header
    let seen = "client-1: line 5 is line-13, the host has line-6, 20 s"
    equal(SaidTrail.names(in: seen, of: header), ["line-13", "line-6"])
  }

  @Test(
    "The reference makes no mistake that a platform knows of",
    arguments: ["lobby/eight-peer-lobby", "lobby/seven-at-once", "radio/crowded-subway", "faults/broken-stack"])
  func silent(_ scenario: String) throws {
    let run = try JudgedRun(scenario, ["devices.host.phone={ preset: ideal, notification queue: 2 }"])
    let ignored: [Circumstance.Kind] = [.valuesIgnored, .endIgnored]
    expect(run.run.circumstances.all.filter { $0.kind.isMistake || ignored.contains($0.kind) }.isEmpty)
  }

  @Test(
    "A mistake that a platform knows of is the reason of what an oracle finds",
    arguments: [
      ("ignores-queue-full", Circumstance.Kind.refusedValueLost), ("oversize-fragment", .valueCut),
    ])
  func mistakes(_ engine: String, _ kind: Circumstance.Kind) throws {
    let phone = "devices.host.phone={ preset: ideal, notification queue: 2 }"
    let run = try JudgedRun("lobby/eight-peer-lobby", ["devices.host.engine=\(engine)", phone])
    let first = try required(Trouble.explained(run.troubles, by: run.run.circumstances).first)
    let reason = try required(first.reason)
    expect(reason.kind == kind && run.judgement.header.name(of: reason.device) == "host")
    try equal(required(run.run.record(reason.record)).device, reason.device)
  }
}
