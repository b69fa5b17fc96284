import AppSeam
import BluetoothWire
import Expectations
import SimKernel
import Testing

@testable import Platform
@testable import VirtualRadio

@Suite("A platform whose radio is off, silent or far away")
struct PlatformRadioTests {
  private static func isDisconnected(_ input: AppInput) -> Bool {
    if case .disconnected = input { true } else { false }
  }

  @Test("Radio off: the app knows at once, peers hear “power off”, and after the delay the air is silent")
  func off() throws {
    let bench = try required(Apps.connected(clients: 2))
    let before = bench.seen.count
    let start = bench.now
    bench.apply(.radioOff, 0)
    equal(bench.inputs(0, since: before), [.radioPower(false)])
    expect(!bench.platforms[0].isAdvertising)
    bench.run(for: .seconds(1))
    for client in 1...2 {
      equal(
        bench.inputs(client, since: before), [.disconnected(LinkID(0), reason: .remoteDeviceTerminatedDueToPowerOff)])
      let heard = try required(bench.time(client, Self.isDisconnected))
      expect(heard > start && heard <= start + DevicePlatform.powerOffDelay)
    }
    equal(bench.inputs(0, since: before).filter(Self.isDisconnected).count, 2)
    expect(!bench.platforms[0].isPoweredOn && bench.platforms[0].links.isEmpty)
    bench.perform(1, .scan(services: []))
    bench.run(for: .seconds(3))
    expect(!bench.inputs(1, since: before).contains { if case .discovered = $0 { true } else { false } })
    bench.apply(.radioOff, 0)
    equal(bench.faults(0), [.radioOff], "off is off")
  }

  @Test("Radio on: a new stack comes up without the old one's services, and the app is told")
  func on() throws {
    let bench = try required(Apps.connected())
    let stack = bench.platforms[0].host
    bench.apply(.radioOff, 0)
    bench.run(for: .seconds(1))
    let before = bench.seen.count
    bench.apply(.radioOn, 0)
    expect(bench.platforms[0].host !== stack && bench.platforms[0].isPoweredOn)
    equal(bench.inputs(0, since: before), [.radioPower(true)])
    expect(!bench.platforms[0].host.database.characteristics.contains { $0.uuid == Apps.command })
    bench.perform(0, .publish(Apps.definition), .advertise(Apps.request))
    bench.perform(1, .scan(services: [Apps.service]))
    expect(bench.wait { bench.inputs(1, since: before).contains { if case .subscribed = $0 { true } else { false } } })
    equal(bench.link(0, to: 1), LinkID(1), "numbers of links go on")
  }

  @Test("What an app wanted before the radio went off is not begun by anything but the app")
  func wantsAreForgotten() throws {
    let bench = PlatformBench([Apps.server, Apps.client])
    bench.launch(0)
    bench.apply(.radioOff, 0)
    bench.run(for: .seconds(1))
    bench.apply(.radioOn, 0)
    bench.apply(.background, 0)
    bench.apply(.foreground, 0)
    bench.run(for: .seconds(1))
    expect(!bench.platforms[0].isAdvertising)
    bench.launch(1)
    bench.run(for: .seconds(2))
    equal(bench.inputs(1), [.launched])
  }

  @Test("Radio off and on within the delay ends every link too")
  func offAndOn() throws {
    let bench = try required(Apps.connected())
    let stack = bench.platforms[0].host
    let before = bench.seen.count
    bench.apply(.radioOff, 0)
    bench.apply(.radioOn, 0)
    bench.run(for: .seconds(10))
    expect(bench.platforms[0].host !== stack && bench.platforms[0].isPoweredOn)
    let told = bench.inputs(0, since: before)
    expect(told.first == .radioPower(false) && told.contains(.radioPower(true)))
    equal(told.filter(Self.isDisconnected).count, 1)
    equal(bench.inputs(1, since: before).filter(Self.isDisconnected).count, 1)
    expect(bench.platforms[0].links.isEmpty && bench.platforms[1].links.isEmpty)
  }

  @Test("While the radio is off every request is refused at once, and none comes to life later", arguments: [0, 1])
  func refusedWhileOff(secondsLater: Int64) throws {
    let bench = try required(Apps.connected())
    bench.apply(.radioOff, 1)
    bench.run(for: .seconds(secondsLater))
    let before = bench.seen.count
    let host = PlatformBench.address(0)
    bench.perform(1, .connect(host), .advertise(Apps.request), .scan(services: []))
    bench.perform(1, .notify(LinkID(5), characteristic: Apps.state, octets: [1]))
    bench.perform(1, .write(LinkID(5), characteristic: Apps.command, octets: [1]))
    let told = bench.inputs(1, since: before)
    expect(told.contains(.connectFailed(host, reason: .commandDisallowed)))
    expect(told.contains(.advertisingStarted(false)))
    expect(told.contains(.submitted(LinkID(5), characteristic: Apps.state, accepted: false)))
    expect(
      told.contains(
        .writeCompleted(LinkID(5), characteristic: Apps.command, error: ATT.ErrorCode.unlikelyError.rawValue)))
    bench.run(for: .seconds(1))
    let off = bench.seen.count
    bench.apply(.radioOn, 1)
    bench.run(for: .seconds(3))
    equal(bench.inputs(1, since: off), [.radioPower(true)])
    expect(bench.platforms[1].links.isEmpty && !bench.platforms[1].isAdvertising)
  }

  @Test("An app that is launched while the radio is off is told so, and its stack comes up with the radio")
  func launchedWhileOff() {
    let bench = PlatformBench([Apps.quiet])
    bench.apply(.radioOff, 0)
    bench.run(for: .seconds(1))
    bench.launch(0)
    equal(bench.inputs(0), [.launched, .radioPower(false)])
    expect(!bench.platforms[0].isPoweredOn)
    bench.apply(.radioOn, 0)
    equal(bench.inputs(0), [.launched, .radioPower(false), .radioPower(true)])
    expect(bench.platforms[0].isPoweredOn)
  }

  @Test("A vanished device is missed only by a supervision timeout, on both sides, and can come again")
  func vanish() throws {
    let bench = try required(Apps.connected())
    let before = bench.seen.count
    let start = bench.now
    bench.apply(.vanish, 0)
    equal(bench.inputs(0, since: before), [], "neither app nor stack know")
    bench.run(for: .seconds(10))
    for device in 0...1 {
      expect(bench.inputs(device, since: before).contains(.disconnected(LinkID(0), reason: .connectionTimeout)))
      let heard = try required(bench.time(device, Self.isDisconnected))
      expect(heard > start + .seconds(3) && heard < start + .seconds(6))
    }
    bench.perform(1, .scan(services: [Apps.service]))
    bench.run(for: .seconds(2))
    expect(!bench.inputs(1, since: before).contains { if case .discovered = $0 { true } else { false } })
    bench.apply(.appear, 0)
    expect(bench.wait { bench.link(1, to: 0) == LinkID(1) })
    equal(bench.faults(0), [.vanish, .appear])
  }

  @Test("Vanished and off are two things: a radio that is switched on again stays silent until it appears")
  func vanishedAndOn() {
    let bench = PlatformBench([Apps.quiet, Apps.client])
    bench.launch(0, 1)
    bench.apply(.vanish, 0)
    bench.apply(.radioOff, 0)
    bench.run(for: .seconds(1))
    bench.apply(.radioOn, 0)
    bench.perform(0, .publish(Apps.definition), .advertise(Apps.request))
    bench.run(for: .seconds(3))
    equal(bench.inputs(1), [.launched])
    bench.apply(.appear, 0)
    expect(bench.wait { bench.link(1, to: 0) != nil })
  }

  @Test("A radio that is off does not appear")
  func appearWhileOff() {
    let bench = PlatformBench([Apps.server, Apps.client])
    bench.launch(0, 1)
    expect(bench.wait { bench.link(1, to: 0) != nil })
    bench.apply(.vanish, 0)
    bench.apply(.radioOff, 0)
    bench.run(for: .seconds(10))
    bench.apply(.appear, 0)
    bench.perform(1, .scan(services: []))
    let before = bench.seen.count
    bench.run(for: .seconds(3))
    expect(!bench.inputs(1, since: before).contains { if case .discovered = $0 { true } else { false } })
    expect(bench.platforms[0].links.isEmpty)
  }

  @Test("Out of range ends the link, and back is where it was, however often it went")
  func outOfRange() throws {
    let bench = try required(Apps.connected())
    let place = bench.platforms[1].position
    bench.apply(.outOfRange, 1)
    bench.apply(.outOfRange, 1)
    bench.run(for: .seconds(10))
    expect(bench.platforms[0].links.isEmpty && bench.platforms[1].links.isEmpty)
    bench.perform(1, .scan(services: [Apps.service]))
    bench.run(for: .seconds(2))
    expect(bench.platforms[1].links.isEmpty)
    bench.apply(.comeBack, 1)
    equal(bench.platforms[1].position, place)
    expect(bench.wait { bench.link(1, to: 0) == LinkID(1) })
    bench.apply(.comeBack, 1)
    equal(bench.platforms[1].position, place)
    bench.apply(.move(Position(x: 7, y: 8, z: 9)), 1)
    equal(bench.platforms[1].position, Position(x: 7, y: 8, z: 9))
    equal(bench.faults(1).count, 4)
  }
}
