import AppSeam
import BluetoothWire
import Expectations
import SimKernel
import Testing

@testable import Platform
@testable import VirtualRadio

@Suite("A platform launches apps and lets them die")
struct PlatformLaunchTests {
  @Test("What an app asks for before its stack is up waits, and is done once it is")
  func held() {
    let bench = PlatformBench([Apps.server])
    let platform = bench.platforms[0]
    platform.launch()
    platform.feed(bench) { true }
    expect(!platform.isPoweredOn)
    equal(platform.held, [.publish(Apps.definition), .advertise(Apps.request)])
    equal(bench.inputs(0), [.launched])
    bench.settle()
    expect(platform.isPoweredOn)
    equal(platform.held, [])
    equal(bench.inputs(0), [.launched, .advertisingStarted(true)])
    let asked = bench.seen.filter { if case .effect = $0.what { true } else { false } }
    equal(asked.map(\.what), [.effect(.publish(Apps.definition)), .effect(.advertise(Apps.request))])
  }

  @Test("Reports and timers wait for no stack")
  func notHeld() {
    let bench = PlatformBench([
      { $0 == .launched ? [.report(AppReport(Word.hello("up"))), .setTimer(TimerID(1), at: .zero)] : [] }
    ])
    let platform = bench.platforms[0]
    platform.launch()
    platform.feed(bench) { true }
    equal(platform.held, [])
    equal(platform.timers.map(\.id), [TimerID(1)])
    expect(bench.seen.map(\.what).contains(.report(AppReport(Word.hello("up")))))
  }

  @Test("What a person wants before the app runs is told right after its launch, in order")
  func wishes() {
    let bench = PlatformBench([Apps.quiet])
    bench.platforms[0].act(AppAction(Word.hello("a")))
    bench.platforms[0].act(AppAction(Word.hello("b")))
    bench.settle()
    equal(bench.seen, [])
    bench.launch(0)
    equal(bench.inputs(0), [.launched, .user(AppAction(Word.hello("a"))), .user(AppAction(Word.hello("b")))])
    bench.platforms[0].act(AppAction(Word.hello("c")))
    bench.settle()
    equal(bench.inputs(0).last, .user(AppAction(Word.hello("c"))))
  }

  @Test("An app that runs is not launched again, and a device without one stays dark")
  func launches() {
    let bench = PlatformBench([Apps.server, nil])
    bench.launch(0, 0, 1)
    equal(bench.launches, [1, 0])
    equal(bench.inputs(0).filter { $0 == .launched }.count, 1)
    bench.platforms[1].act(AppAction(Word.hello("anybody there")))
    bench.run(for: .seconds(1))
    expect(!bench.platforms[1].isPoweredOn)
    expect(bench.seen.allSatisfy { $0.device == 0 })
  }

  @Test("A killed app's links end cleanly, its timers and its advertising stop; its stack stays up")
  func kill() throws {
    let bench = try required(Apps.connected())
    let stack = bench.platforms[0].host
    bench.perform(0, .setTimer(TimerID(7), at: bench.now + .seconds(1)))
    let before = bench.seen.count
    bench.apply(.kill, 0)
    bench.run(for: .seconds(5))
    equal(bench.inputs(0, since: before), [], "a dead app is told nothing")
    expect(bench.platforms[0].links.isEmpty && bench.platforms[1].links.isEmpty)
    equal(bench.inputs(1, since: before), [.disconnected(LinkID(0), reason: .remoteUserTerminatedConnection)])
    expect(bench.platforms[0].timers.isEmpty)
    expect(!bench.platforms[0].isAdvertising)
    expect(bench.platforms[0].host === stack && bench.platforms[0].isPoweredOn)
    bench.perform(1, .scan(services: []))
    bench.run(for: .seconds(5))
    expect(!bench.inputs(1, since: before).contains { if case .discovered = $0 { true } else { false } })
  }

  @Test("A relaunched app is a new one; it serves on the same stack, and its links have new numbers")
  func relaunch() throws {
    let bench = try required(Apps.connected())
    let stack = bench.platforms[0].host
    bench.apply(.kill, 0)
    bench.run(for: .seconds(1))
    let before = bench.seen.count
    bench.apply(.relaunch, 0)
    equal(bench.launches, [2, 1])
    equal(bench.inputs(0, since: before).first, .launched)
    expect(bench.platforms[0].host === stack)
    bench.perform(1, .scan(services: [Apps.service]))
    expect(bench.wait { bench.inputs(1, since: before).contains { if case .subscribed = $0 { true } else { false } } })
    expect(bench.link(0, to: 1) == LinkID(1) && bench.link(1, to: 0) == LinkID(1))
    bench.perform(0, .notify(LinkID(1), characteristic: Apps.state, octets: [1, 2]))
    bench.perform(1, .write(LinkID(1), characteristic: Apps.command, octets: [3]))
    bench.run(for: .seconds(1))
    expect(bench.values(1) == [[1, 2]] && bench.values(0) == [[3]])
    equal(bench.faults(0), [.kill, .relaunch])
  }

  @Test("The services of a killed app go with it: whoever looks after its relaunch finds each of them once")
  func servicesOnce() throws {
    let bench = try required(Apps.connected())
    bench.apply(.kill, 0)
    bench.run(for: .seconds(1))
    bench.apply(.relaunch, 0)
    let published = bench.platforms[0].host.database.characteristics.filter { $0.uuid == Apps.command }
    withKnownIssue("a stack has no way to take a service back") { equal(published.count, 1) }
  }

  @Test("An app that is relaunched at once is told of the old links before it is told of their end")
  func relaunchAtOnce() throws {
    let bench = try required(Apps.connected())
    let before = bench.seen.count
    bench.apply(.relaunch, 0)
    bench.run(for: .seconds(2))
    let told = bench.inputs(0, since: before).filter { if case .advertisingStarted = $0 { false } else { true } }
    equal(
      told,
      [
        .launched, .connected(LinkID(0), peer: PlatformBench.address(1)),
        .disconnected(LinkID(0), reason: .connectionTerminatedByLocalHost),
      ])
  }

  @Test("A kill before the stack is up leaves nothing of what the app had asked for")
  func killedEarly() {
    let bench = PlatformBench([Apps.server, Apps.client])
    bench.platforms[0].launch()
    bench.platforms[0].feed(bench) { true }
    bench.platforms[0].apply(.kill)
    bench.launch(1)
    bench.run(for: .seconds(2))
    expect(bench.platforms[0].isPoweredOn && !bench.platforms[0].isAdvertising)
    equal(bench.inputs(1), [.launched])
  }

  // MARK: Timers

  @Test("A timer fires once, at its instant; set again it moves; cancelled it is silent; one in the past is due now")
  func timers() throws {
    let bench = PlatformBench([Apps.quiet])
    bench.launch(0)
    bench.perform(0, .setTimer(TimerID(1), at: .zero + .seconds(1)), .setTimer(TimerID(2), at: .zero + .seconds(1)))
    bench.perform(0, .setTimer(TimerID(3), at: .zero + .seconds(1)), .setTimer(TimerID(1), at: .zero + .seconds(3)))
    bench.perform(0, .cancelTimer(TimerID(2)), .cancelTimer(TimerID(99)))
    bench.run(until: .zero + .seconds(2))
    equal(bench.inputs(0), [.launched, .timer(TimerID(3))])
    bench.perform(0, .setTimer(TimerID(4), at: .zero))
    bench.run(until: .zero + .seconds(9))
    equal(bench.inputs(0), [.launched, .timer(TimerID(3)), .timer(TimerID(4)), .timer(TimerID(1))])
    equal(bench.time(0) { $0 == .timer(TimerID(3)) }, .zero + .seconds(1))
    equal(bench.time(0) { $0 == .timer(TimerID(4)) }, .zero + .seconds(2))
    equal(bench.time(0) { $0 == .timer(TimerID(1)) }, .zero + .seconds(3))
    expect(bench.platforms[0].timers.isEmpty)
  }

  @Test("A timer's number may be any, and each is its own")
  func timerNumbers() {
    let bench = PlatformBench([Apps.quiet])
    bench.launch(0)
    for number in [0, -1, .max, .min] { bench.perform(0, .setTimer(TimerID(number), at: bench.now + .seconds(1))) }
    bench.run(for: .seconds(1))
    equal(bench.inputs(0).dropFirst(), [0, -1, .max, .min].map { .timer(TimerID($0)) }[...])
  }

  @Test("What is kept can be replaced or grow, up to 1 MiB in all; what is more than that is not kept")
  func kept() {
    let bench = PlatformBench([Apps.quiet])
    bench.launch(0)
    let platform = bench.platforms[0]
    let most = [UInt8](repeating: 7, count: 1 << 20)
    bench.perform(0, .keepMore([1]), .keepMore([2, 3]))
    equal(platform.kept, [1, 2, 3])
    bench.perform(0, .keep([4]), .keepMore([]), .keepMore(most))
    equal(platform.kept, [4])
    bench.perform(0, .keep(most + [8]), .keepMore([UInt8](most.dropLast())))
    equal(platform.kept, [4] + most.dropLast())
    bench.perform(0, .keepMore([9]))
    expect(platform.kept.count == 1 << 20 && platform.kept.last == 7)
    bench.perform(0, .keep([]))
    expect(platform.kept.isEmpty)
  }
}
