import Expectations
import SimKernel
import Testing
import VirtualRadio

@testable import HCIPorts

@Suite("A run in lockstep")
struct LockstepTests {
  private let reset: [UInt8] = [0x01, 0x03, 0x0C, 0x00]
  private let complete: [UInt8] = [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]

  private func settings(_ begin: TimeBegin = .firstSeat, settle: SimDuration? = nil) -> LiveSettings {
    var settings = LiveSettings()
    settings.clock = .lockstep
    settings.begin = begin
    settings.settle = settle
    settings.endsWithHosts = true
    return settings
  }

  private func milliseconds(_ count: Int64) -> SimInstant { .zero + .milliseconds(count) }

  /// A host that has its first turn.
  private func host(_ run: LiveRun, _ device: Int = 0, group: UInt32 = 0) -> RawClient {
    let client = RawClient(tcp: run.open(tcp: device))
    client.write(LockstepMessage.hello(version: 1, group: group).encoded)
    equal(client.read(4), LockstepMessage.seated(version: 1).encoded)
    return client
  }

  private func expectTurn(_ client: RawClient, _ instant: SimInstant, _ packets: [UInt8] = []) {
    equal(client.read(packets.count + 11), packets + LockstepMessage.turn(at: instant).encoded)
  }

  private func wait(_ client: RawClient, _ instant: SimInstant?) {
    client.write(LockstepMessage.wait(until: instant).encoded)
  }

  @Test("Time goes to the instant that a host names, and an hour takes no hour")
  func instants() throws {
    let run = LiveRun([.host()], settings: settings(), script: [milliseconds(5), milliseconds(50)])
    let guest = host(run)
    expectTurn(guest, .zero)
    wait(guest, milliseconds(20))
    expectTurn(guest, milliseconds(20))
    equal(run.witness.handled, [milliseconds(5)])
    wait(guest, .zero + .seconds(3_600))
    expectTurn(guest, .zero + .seconds(3_600))
    guest.close()
    let report = try required(try run.report())
    expect(report.ending == .hostsLeft && report.clock == .lockstep)
    equal(report.now, .zero + .seconds(3_600))
    equal(run.witness.handled, [milliseconds(5), milliseconds(50)])
  }

  @Test("Packets of a turn enter when all hosts wait, in the order of the ports, whoever was first")
  func order() throws {
    let run = LiveRun([.host(0), .host(1)], settings: settings(.allSeats))
    let (second, first) = (host(run, 1), host(run, 0))
    expectTurn(first, .zero)
    expectTurn(second, .zero)
    second.write(reset)
    wait(second, milliseconds(3))
    first.write(reset)
    wait(first, nil)
    expectTurn(first, .zero, complete)
    expectTurn(second, .zero, complete)
    let entries = run.witness.entries.map { [Int($0.instant.nanoseconds), $0.device] }
    equal(entries, [[0, 0], [0, 1], [0, 0], [0, 1]])
    equal(run.witness.packets(device: 0), [reset])
    _ = try run.stopped()
  }

  @Test("An instant that has passed gives the turn at once, and not without limit")
  func past() throws {
    let run = LiveRun([.host()], settings: settings())
    let guest = host(run)
    expectTurn(guest, .zero)
    wait(guest, milliseconds(9))
    expectTurn(guest, milliseconds(9))
    wait(guest, milliseconds(4))
    expectTurn(guest, milliseconds(9))
    for _ in 0..<LockstepSeat.emptyTurns { wait(guest, .zero); if guest.read(11).first != 0x54 { break } }
    expect(guest.isClosedByPeer())
    try equal(run.report()?.ending, .hostsLeft)
    equal(run.witness.lines(with: "lets no time pass").count, 1)
  }

  @Test("Ports of a group get their turns together")
  func groups() throws {
    let run = LiveRun([.host(0), .host(1)], settings: settings(.allSeats))
    let (first, second) = (host(run, 0, group: 7), host(run, 1, group: 7))
    expectTurn(first, .zero)
    expectTurn(second, .zero)
    wait(second, nil)
    wait(first, milliseconds(6))
    expectTurn(first, milliseconds(6))
    expectTurn(second, milliseconds(6))
    _ = try run.stopped()
  }

  @Test("A host that leaves in its turn is gone at that instant, and time stands while nobody is there")
  func leaves() throws {
    var settings = settings()
    settings.endsWithHosts = false
    let run = LiveRun([.host()], settings: settings, script: [milliseconds(30)])
    let early = host(run)
    expectTurn(early, .zero)
    wait(early, milliseconds(10))
    expectTurn(early, milliseconds(10))
    early.write(reset)
    early.close()
    expect(LiveRun.until { run.witness.events(device: 0).last == .detached })
    let late = host(run)
    expectTurn(late, milliseconds(10))
    expect(run.witness.handled.isEmpty)
    equal(run.witness.events(device: 0), [.attached, .packet(reset), .detached, .attached])
    _ = try run.stopped()
  }

  @Test(
    "Whoever breaks the rules of turns is sent away, and both sides are told why",
    arguments: [
      ([0x01, 0x03, 0x0C, 0x00], "first octet is 01"), ([0x54, 0x01, 0x05, 2, 0, 0, 0, 0], "speaks version 2"),
      ([0x54, 0x02, 0x00], "has not said hello"), ([0x54, 0x77, 0x00], "neither a packet nor a message"),
    ] as [([UInt8], String)])
  func misuse(octets: [UInt8], reason: String) throws {
    let run = LiveRun([.host()], settings: settings())
    let guest = RawClient(tcp: run.open(tcp: 0))
    guest.write(octets)
    let end = guest.read(255)
    expect(end.starts(with: [0x54, 0x83]))
    expect(String(decoding: end.dropFirst(3), as: UTF8.self).contains(reason))
    expect(LiveRun.until { !run.witness.lines(with: reason).isEmpty })
    expect(run.witness.entries.isEmpty)
    _ = try run.stopped()
  }

  @Test("A packet without the turn ends the connection")
  func outOfTurn() throws {
    let run = LiveRun([.host()], settings: settings())
    let guest = host(run)
    expectTurn(guest, .zero)
    wait(guest, nil)
    guest.write(reset)
    expect(guest.isClosedByPeer())
    try equal(run.report()?.ending, .hostsLeft)
    expect(run.witness.packets(device: 0).isEmpty)
  }

  @Test("A host that cannot say what it waits for is taken to wait when it is silent")
  func plain() throws {
    let run = LiveRun([.host()], settings: settings(settle: .milliseconds(2)), script: [milliseconds(7)])
    let guest = RawClient(tcp: run.open(tcp: 0))
    guest.write(reset)
    equal(guest.read(7), complete)
    expect(LiveRun.until { run.witness.handled == [milliseconds(7)] })
    guest.close()
    try equal(run.report()?.ending, .hostsLeft)
  }
}
