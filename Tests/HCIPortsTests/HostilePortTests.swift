import Expectations
import Foundation
import SimKernel
import Testing
import VirtualRadio

@testable import HCIPorts

/// What a hostile partner does at one seat, while an honest one has the other.
@Suite("Hostile streams")
struct HostilePortTests {
  private static let reset = ServingPortTests.reset
  private static let resetComplete = ServingPortTests.resetComplete

  /// Where the hostile guest is.
  enum Way: String, CaseIterable, Sendable {
    case tcp, unix, terminal
  }

  /// A run with a hostile seat 0 and an honest seat 1, who is asked after each deed whether he noticed anything.
  private final class Bench {
    let run: LiveRun
    let folder = ScratchFolder()
    private let way: Way
    private let honest: RawClient
    private var asked = 0

    init(_ way: Way, settings: LiveSettings = LiveSettings()) {
      self.way = way
      let address: PortAddress =
        switch way {
        case .tcp: .tcp(host: "127.0.0.1", port: 0)
        case .unix: .unix(path: folder("hci"))
        case .terminal: .pty(path: folder("tty"))
        }
      run = LiveRun([.host(0, address), .host(1)], settings: settings)
      honest = RawClient(tcp: run.open(tcp: 1))
    }

    func guest() -> RawClient {
      switch way {
      case .tcp: RawClient(tcp: run.open(tcp: 0))
      case .unix: RawClient(unix: folder("hci"))
      case .terminal: RawClient(terminal: folder("tty"))
      }
    }

    /// The honest guest is served.
    func isHonestServed() -> Bool {
      asked += 1
      honest.write(HostilePortTests.reset)
      return honest.read(7) == HostilePortTests.resetComplete
    }

    var detachments: Int { run.witness.events(device: 0).count { $0 == .detached } }

    /// Ends the run; the honest guest's seat saw what he did and nothing else.
    func end() throws -> PortReport {
      let report = try required(try run.stopped())
      equal(
        run.witness.events(device: 1), [.attached] + Array(repeating: .packet(HostilePortTests.reset), count: asked))
      expect(report.ports[1].packetsOut == asked && report.ports[1].lossesOfStep == 0)
      return report.ports[0]
    }
  }

  @Test("Garbage: Hardware Error once, one line, and HCI_Reset brings the port back in step", arguments: Way.allCases)
  func garbage(way: Way) throws {
    let bench = Bench(way)
    let guest = bench.guest()
    guest.write([0xAA] + [UInt8](repeating: 0x55, count: 3_000))
    equal(guest.read(4), ScriptedWorld.hardwareError)
    expect(bench.isHonestServed())
    guest.write(HostilePortTests.reset)
    equal(guest.read(7), HostilePortTests.resetComplete)
    let report = try bench.end()
    equal(bench.run.witness.lines(with: "out of step").count, 1)
    expect(report.lossesOfStep == 1 && report.discardedOctets == 3_001)
    equal(bench.run.witness.packets(device: 0), [[0xAA], HostilePortTests.reset])
  }

  @Test("A length beyond the limit is loss of step", arguments: Way.allCases)
  func oversize(way: Way) throws {
    let bench = Bench(way)
    let guest = bench.guest()
    guest.write([0x02, 0x40, 0x00, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 5_000))
    equal(guest.read(4), ScriptedWorld.hardwareError)
    guest.write(HostilePortTests.reset)
    equal(guest.read(7), HostilePortTests.resetComplete)
    expect(bench.isHonestServed())
    try equal(bench.end().lossesOfStep, 1)
  }

  @Test("One octet at a time is as good as all at once", arguments: Way.allCases)
  func slowWriter(way: Way) throws {
    let bench = Bench(way)
    let guest = bench.guest()
    for _ in 0..<20 {
      for octet in HostilePortTests.reset {
        guest.write([octet])
        usleep(200)
      }
      equal(guest.read(7), HostilePortTests.resetComplete)
    }
    expect(bench.isHonestServed())
    try equal(bench.end().packetsIn, 20)
  }

  @Test("A half packet waits, and is discarded with one line when its host leaves", arguments: Way.allCases)
  func halfPacket(way: Way) throws {
    let bench = Bench(way)
    let guest = bench.guest()
    guest.write(HostilePortTests.reset + [0x02, 0x40, 0x00, 0x10, 0x00, 0x01])
    equal(guest.read(7), HostilePortTests.resetComplete)
    expect(bench.isHonestServed())
    guest.close()
    expect(LiveRun.until { bench.detachments == 1 })
    let next = bench.guest()
    next.write(HostilePortTests.reset)
    equal(next.read(7), HostilePortTests.resetComplete)
    let report = try bench.end()
    equal(bench.run.witness.lines(with: "6 octets that were no whole packet are discarded").count, 1)
    expect(report.discardedOctets == 6 && report.lossesOfStep == 0)
  }

  @Test("A connection that is cut in the middle of a packet")
  func reset() throws {
    let bench = Bench(.tcp)
    for round in 1...10 {
      let guest = bench.guest()
      guest.write([0x01, 0x03])
      expect(LiveRun.until { bench.run.witness.events(device: 0).count == 2 * round - 1 })
      guest.reset()
      expect(LiveRun.until { bench.detachments == round })
    }
    expect(bench.isHonestServed())
    let report = try bench.end()
    expect(report.attachments == 10 && bench.run.witness.packets(device: 0).isEmpty)
    equal(bench.run.witness.lines(with: "guest-0: a host from").count, 20)
  }

  @Test("A hundred connects and closes", arguments: Way.allCases)
  func comingAndGoing(way: Way) throws {
    let bench = Bench(way)
    for round in 0..<100 {
      let guest = bench.guest()
      if round % 3 == 1 { guest.write([0x01]) }
      if round % 3 == 2, way == .tcp { guest.reset() } else { guest.close() }
    }
    expect(bench.isHonestServed())
    // The last ones may still be on their way out when the next one comes, and then he is turned away.
    #expect(
      LiveRun.until {
        let guest = bench.guest()
        var wait = pollfd(fd: guest.descriptor, events: Int16(POLLIN), revents: 0)
        guest.write(HostilePortTests.reset)
        guard poll(&wait, 1, 1_000) > 0 else { return false }
        // At a terminal it may be a Hardware Error for whoever came before, which is shorter.
        let head = guest.read(3)
        return head.count == 3 && head + guest.read(Int(head[2])) == HostilePortTests.resetComplete
      })
    expect(LiveRun.until { bench.run.witness.events(device: 0).last == .detached })
    let report = try bench.end()
    // Whoever came was either seated (and then left) or turned away: a line for each of these, and no other.
    // (At a terminal the octets of one host may run into those of the next, which is loss of step and has its own
    // line.)
    let lines = bench.run.witness.lines.filter { line in
      line.hasPrefix("guest-0: ") && !line.contains("serving a host") && !line.contains("out of step")
    }
    // The last one may have been seen to come and not yet to go.
    let stays = report.attachments - bench.detachments
    expect(stays == 0 || stays == 1)
    equal(lines.count, 2 * report.attachments - stays + report.refusals)
    // A connection that is reset while it waits to be accepted is never seen: that is the system's.
    let seen = report.attachments + report.refusals
    switch way {
    case .terminal: break
    case .tcp: expect(seen >= 67)
    default: expect(seen >= 100)
    }
    equal(bench.run.witness.events(device: 0).count { $0 == .attached }, report.attachments)
  }

  @Test("A host that never reads is sent away when its limit is reached", arguments: Way.allCases)
  func neverReads(way: Way) throws {
    var settings = LiveSettings()
    settings.waitingOctets = 65_536
    let bench = Bench(way, settings: settings)
    let guest = bench.guest()
    // Each of these is answered with about a million octets, more than a socket of this system keeps by itself.
    for _ in 0..<8 { guest.write(ScriptedWorld.flood) }
    expect(LiveRun.until { bench.detachments > 0 })
    expect(bench.isHonestServed())
    guest.close()
    let report = try bench.end()
    equal(bench.run.witness.lines(with: "does not read: more than 65536 octets wait").count, report.drops)
    expect(report.drops >= 1 && (way == .terminal || report.drops == 1))
  }

  @Test("Lines are limited for each port, and those left out are counted")
  func lineLimit() {
    let witness = Witness()
    var log = PortLog(name: "guest", write: { witness.log($0) })
    for _ in 0..<1_000 { log.line("x", now: 0) }
    equal(witness.lines.count, Int(PortLog.burst))
    log.line("y", now: .max)
    equal(witness.lines.last, "guest: y (744 lines before this one were left out)")
  }
}
