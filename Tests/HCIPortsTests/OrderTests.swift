import Expectations
import SimKernel
import Testing
import VirtualRadio

@testable import HCIPorts

@Suite("Orders for a run that goes on")
struct OrderTests {
  private func run(_ folder: ScratchFolder, _ settings: LiveSettings = LiveSettings()) throws -> LiveRun {
    LiveRun([.host()], settings: settings, control: try ControlAddress(parsing: "unix:" + folder("room")))
  }

  private func line(_ client: RawClient) -> String {
    var octets: [UInt8] = []
    while octets.last != 0x0A, octets.count < 200 {
      let one = client.read(1)
      if one.isEmpty { break }
      octets += one
    }
    return String(decoding: octets.dropLast(), as: UTF8.self)
  }

  private func port(_ answer: String) -> Int { Int(answer.split(separator: ":").last ?? "") ?? 0 }

  @Test("A port that is opened while the run goes on takes a host, and one that is closed sends it away unheard")
  func ports() throws {
    let folder = ScratchFolder()
    let run = try run(folder)
    _ = run.open()
    let boss = RawClient(unix: folder("room"))
    boss.write(Array("open 1\n".utf8))
    let guest = RawClient(tcp: port(line(boss)))
    guest.write([0x01, 0x03, 0x0C, 0x00])
    equal(guest.read(7), [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00])
    boss.write(Array("close 1\n".utf8))
    equal(line(boss), "ok")
    expect(guest.isClosedByPeer())
    let report = try required(run.stopped())
    equal(report.ports.map(\.name), ["guest-0", "guest-1"])
    equal(run.witness.events(device: 1), [.attached, .packet([0x01, 0x03, 0x0C, 0x00])])
  }

  @Test("Answers come in the order of the orders, also those that take a while, and after the last word")
  func order() throws {
    let folder = ScratchFolder()
    let run = try run(folder)
    _ = run.open()
    let boss = RawClient(unix: folder("room"))
    boss.write(Array("open 1\nsay one\nopen 2\nsay two\r\nnonsense\n".utf8))
    expect(line(boss).hasPrefix("h4:tcp:"))
    equal(line(boss), "one")
    expect(line(boss).hasPrefix("h4:tcp:"))
    equal(line(boss), "two")
    _ = try run.stopped()
  }

  @Test("In lockstep an order of a host that has the turn comes at the instant of that turn")
  func lockstep() throws {
    let folder = ScratchFolder()
    var settings = LiveSettings()
    settings.clock = .lockstep
    settings.begin = .firstSeat
    settings.endsWithHosts = true
    let run = try run(folder, settings)
    let host = RawClient(tcp: run.open(tcp: 0))
    host.write(LockstepMessage.hello(version: 1, group: 0).encoded)
    equal(host.read(4), LockstepMessage.seated(version: 1).encoded)
    equal(host.read(11), LockstepMessage.turn(at: .zero).encoded)
    let later = SimInstant.zero + .milliseconds(7)
    host.write(LockstepMessage.wait(until: later).encoded)
    equal(host.read(11), LockstepMessage.turn(at: later).encoded)
    let boss = RawClient(unix: folder("room"))
    boss.write(Array("now\n".utf8))
    equal(line(boss), "\(later)")
    host.close()
    _ = try run.report()
  }
}
