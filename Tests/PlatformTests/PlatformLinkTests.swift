import AppSeam
import BluetoothWire
import Expectations
import SimKernel
import Testing
import VirtualRadio

@testable import Platform

@Suite("A platform advertises, scans and keeps links as its phone allows")
struct PlatformLinkTests {
  private static func discoveries(_ bench: PlatformBench, _ device: Int, since start: Int = 0) -> [Advertisement] {
    bench.inputs(device, since: start).compactMap {
      if case .discovered(let advertisement) = $0 { advertisement } else { nil }
    }
  }

  private static func phones(_ first: PhonePreset, _ others: PhonePreset) -> (inout PhonePreset, Int) -> Void {
    { phone, index in phone = index == 0 ? first : others }
  }

  // MARK: Background

  @Test(
    "In the background a phone advertises on, hides in the overflow area, or stops; in front again all is as before",
    arguments: PhonePreset.BackgroundAdvertising.allCasesForTests)
  func backgroundAdvertising(habit: PhonePreset.BackgroundAdvertising) {
    let bench = PlatformBench([Apps.server, Apps.quiet]) { phone, _ in phone.background.advertising = habit }
    bench.launch(0, 1)
    bench.apply(.background, 0)
    expect(bench.inputs(0).contains(.background(true)))
    equal(bench.platforms[0].isAdvertising, (habit != .stops))
    bench.run(for: .seconds(1))
    var before = bench.seen.count
    bench.perform(1, .scan(services: []))
    bench.run(for: .seconds(1))
    let found = Self.discoveries(bench, 1, since: before)
    switch habit {
    case .continues: expect(found.contains { $0.localName == "test" && $0.serviceUUIDs == [Apps.service] })
    case .overflowArea: expect(!found.isEmpty && found.allSatisfy { $0.localName == nil && $0.serviceUUIDs == [] })
    case .stops: expect(found.isEmpty)
    }
    before = bench.seen.count
    bench.apply(.foreground, 0)
    bench.perform(1, .stopScanning, .scan(services: [Apps.service]))
    bench.run(for: .seconds(1))
    expect(Self.discoveries(bench, 1, since: before).contains { $0.localName == "test" })
  }

  @Test("The overflow area of an iPhone is read by an iPhone in front that looks for the service, and by nobody else")
  func overflowArea() {
    let other = BluetoothUUID(0xFE77)
    for (phone, services, finds) in [
      (PhonePreset.iphone, [Apps.service], true), (.iphone, [other], false), (.android, [Apps.service], false),
    ] {
      let bench = PlatformBench([Apps.server, Apps.quiet], phone: Self.phones(.iphone, phone))
      bench.launch(0, 1)
      bench.apply(.background, 0)
      bench.run(for: .seconds(1))
      bench.perform(1, .scan(services: services))
      bench.run(for: .seconds(3))
      expect(Self.discoveries(bench, 1).isEmpty != finds, "\(phone.name) \(services)")
    }
  }

  @Test(
    "In the background a phone scans on, only with a filter, or not at all; in front again it does",
    arguments: PhonePreset.BackgroundScanning.allCasesForTests, [true, false])
  func backgroundScanning(habit: PhonePreset.BackgroundScanning, isFiltered: Bool) {
    let bench = PlatformBench([Apps.server, Apps.quiet]) { phone, _ in phone.background.scanning = habit }
    bench.launch(1)
    bench.apply(.background, 1)
    bench.perform(1, .scan(services: isFiltered ? [Apps.service] : []))
    bench.launch(0)
    bench.run(for: .seconds(1))
    let mayScan = habit == .continues || habit == .filteredOnly && isFiltered
    expect(Self.discoveries(bench, 1).isEmpty != mayScan)
    bench.apply(.foreground, 1)
    bench.run(for: .seconds(1))
    expect(!Self.discoveries(bench, 1).isEmpty)
  }

  @Test("An app that wants to advertise where it may not is told at once, and begins in front")
  func refusedInBackground() {
    let bench = PlatformBench([Apps.quiet]) { phone, _ in phone.background.advertising = .stops }
    bench.launch(0)
    bench.apply(.background, 0)
    bench.perform(0, .publish(Apps.definition), .advertise(Apps.request))
    equal(bench.inputs(0).last, .advertisingStarted(false))
    bench.apply(.foreground, 0)
    expect(bench.platforms[0].isAdvertising)
    equal(bench.inputs(0).last, .advertisingStarted(true))
  }

  @Test("What does not fit is refused by a phone that does not shorten")
  func tooLong() {
    let bench = PlatformBench([Apps.quiet], phone: Self.phones(.android, .android))
    bench.launch(0)
    bench.perform(
      0, .advertise(AdvertisementRequest(localName: String(repeating: "x", count: 40), serviceUUIDs: [Apps.service])))
    equal(bench.inputs(0), [.launched, .advertisingStarted(false)])
    expect(!bench.platforms[0].isAdvertising)
  }

  // MARK: Links

  @Test("A phone goes on advertising for its app when a link has ended it")
  func advertisesOn() throws {
    let bench = try required(Apps.connected(clients: 2))
    expect(bench.platforms[0].isAdvertising)
    equal(bench.platforms[0].links.map(\.id), [LinkID(0), LinkID(1)])
  }

  @Test("One link is ended, or all, cleanly; the others stay")
  func disconnect() throws {
    let bench = try required(Apps.connected(clients: 3))
    let second = try required(bench.link(0, to: 2))
    bench.apply(.disconnect(2), 0)
    bench.run(for: .seconds(1))
    equal(bench.faults(0), [.disconnect(second)])
    equal(bench.inputs(2).last, .disconnected(LinkID(0), reason: .remoteUserTerminatedConnection))
    equal(bench.inputs(0).last, .disconnected(second, reason: .connectionTerminatedByLocalHost))
    equal(bench.platforms[0].links.count, 2)
    bench.apply(.disconnect(nil), 0)
    bench.run(for: .seconds(1))
    equal(bench.faults(0).count, 3)
    expect(bench.platforms.allSatisfy { $0.links.isEmpty })
    bench.apply(.disconnect(1), 0)
    equal(bench.faults(0).count, 3)
  }

  @Test("Numbers of links are never used again within one run of an app")
  func linkNumbers() throws {
    let bench = try required(Apps.connected())
    var seen: [LinkID] = []
    for round in 0..<5 {
      let link = try required(bench.link(0, to: 1))
      expect(!seen.contains(link) && link == LinkID(round))
      expect(bench.platforms[0].link(link) != nil)
      expect(seen.allSatisfy { bench.platforms[0].link($0) == nil })
      seen.append(link)
      bench.perform(0, .disconnect(link))
      expect(bench.wait { bench.platforms[1].links.isEmpty && bench.platforms[0].links.isEmpty })
      bench.perform(1, .scan(services: [Apps.service]))
      expect(bench.wait { bench.link(0, to: 1) != nil && bench.link(1, to: 0) != nil })
    }
  }

  @Test("A link is found by its number, whatever links before it have ended")
  func linkByNumber() throws {
    let bench = try required(Apps.connected(clients: 4))
    bench.apply(.disconnect(2), 0)
    bench.run(for: .seconds(1))
    for link in bench.platforms[0].links { expect(bench.platforms[0].link(link.id) === link) }
    for number in [-1, 4, 99] { expect(bench.platforms[0].link(LinkID(number)) == nil) }
    equal(bench.platforms[0].links.count, 3)
  }

  @Test("A connection that nobody answers fails when it is cancelled, and is not told of twice")
  func cancelled() {
    let bench = PlatformBench([Apps.quiet, Apps.quiet])
    bench.launch(0, 1)
    bench.perform(1, .connect(PlatformBench.address(0)), .connect(PlatformBench.address(0)))
    bench.run(for: .seconds(2))
    equal(bench.platforms[1].connecting, [PlatformBench.address(0)])
    bench.perform(1, .cancelConnect(PlatformBench.address(0)))
    bench.run(for: .seconds(2))
    equal(bench.platforms[1].connecting, [])
    equal(bench.inputs(1), [.launched], "who cancels knows")
  }

  @Test("A device may serve one device and be the client of another at the same time")
  func bothRoles() throws {
    let bench = PlatformBench([
      Apps.server,
      { input in
        // Advertises under another name, and connects to the first device.
        if input == .launched { return Apps.server(input) + Apps.client(input) }
        if case .connected(_, let peer) = input, peer != PlatformBench.address(0) { return [] }
        return Apps.client(input)
      },
      { input in
        if case .discovered(let found) = input, found.address != PlatformBench.address(1) { return [] }
        return Apps.client(input)
      },
    ])
    bench.launch(0, 1)
    expect(bench.wait { bench.inputs(1).contains { if case .subscribed = $0 { true } else { false } } })
    bench.launch(2)
    expect(bench.wait { bench.inputs(2).contains { if case .subscribed = $0 { true } else { false } } })
    let up = try required(bench.link(1, to: 0))
    let down = try required(bench.link(1, to: 2))
    equal(bench.platforms[1].links.map(\.role), [.central, .peripheral])
    bench.perform(1, .write(up, characteristic: Apps.command, octets: [1]))
    bench.perform(1, .notify(down, characteristic: Apps.state, octets: [2]))
    bench.perform(0, .notify(try required(bench.link(0, to: 1)), characteristic: Apps.state, octets: [3]))
    bench.perform(2, .write(try required(bench.link(2, to: 1)), characteristic: Apps.command, octets: [4]))
    bench.run(for: .seconds(1))
    expect(bench.values(0) == [[1]] && bench.values(2) == [[2]])
    equal(bench.values(1).sorted { $0[0] < $1[0] }, [[3], [4]])
  }

  @Test(
    "An app that asks for a larger ATT_MTU after the phone's own exchange is told its result", arguments: [247, 23])
  func attMTU(size: Int) throws {
    let bench = try required(
      Apps.connected { phone, _ in
        phone.att.serverMTU = size
        phone.att.clientMTU = size
      })
    equal(bench.platforms[1].link(LinkID(0))?.attMTU, size)
    let before = bench.seen.count
    bench.perform(1, .exchangeMTU(LinkID(0), 500))
    bench.run(for: .seconds(1))
    equal(bench.inputs(1, since: before), [.attMTU(LinkID(0), size)])
  }
}

extension PhonePreset.BackgroundAdvertising {
  static let allCasesForTests: [Self] = [.continues, .overflowArea, .stops]
}

extension PhonePreset.BackgroundScanning {
  static let allCasesForTests: [Self] = [.continues, .filteredOnly, .stops]
}
