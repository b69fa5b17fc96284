import Expectations
import Foundation
import SimKernel
import Testing
import VirtualRadio

@testable import HCIPorts

@Suite("Serving ports")
struct ServingPortTests {
  static let reset: [UInt8] = [0x01, 0x03, 0x0C, 0x00]
  static let resetComplete: [UInt8] = [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]

  @Test("TCP: a host talks, leaves, and the seat is free again")
  func tcp() throws {
    let run = LiveRun([.host()])
    let port = run.open(tcp: 0)
    for _ in 0..<2 {
      let guest = RawClient(tcp: port)
      guest.write(ServingPortTests.reset)
      equal(guest.read(7), ServingPortTests.resetComplete)
      guest.close()
      expect(LiveRun.until { run.witness.events(device: 0).last == .detached })
    }
    let report = try required(try run.stopped())
    let one: [ForeignEvent] = [.attached, .packet(ServingPortTests.reset), .detached]
    equal(run.witness.events(device: 0), one + one)
    expect(report.ports[0].attachments == 2 && report.ports[0].packetsIn == 2 && report.ports[0].packetsOut == 2)
    equal(run.witness.lines(with: "serving a host at h4:tcp:\(port), this machine only").count, 1)
    equal(run.witness.lines(with: "has taken the seat").count, 2)
    equal(run.witness.lines(with: "has left").count, 2)
    equal(run.witness.lines.count, 5)
  }

  @Test("An address beyond this machine is said out loud")
  func beyond() throws {
    let run = LiveRun([.host(0, .tcp(host: "0.0.0.0", port: 0))])
    _ = run.open()
    _ = try run.stopped()
    equal(run.witness.lines(with: "REACHABLE FROM OTHER MACHINES").count, 1)
  }

  @Test("A second host is turned away while the first stays")
  func second() throws {
    let run = LiveRun([.host()])
    let port = run.open(tcp: 0)
    let first = RawClient(tcp: port)
    expect(LiveRun.until { run.witness.events(device: 0) == [.attached] })
    expect(RawClient(tcp: port).isClosedByPeer())
    first.write(ServingPortTests.reset)
    equal(first.read(7), ServingPortTests.resetComplete)
    let report = try required(try run.stopped())
    equal(report.ports[0].refusals, 1)
    equal(run.witness.lines(with: "is turned away").count, 1)
  }

  @Test("A port that is taken is refused in one line")
  func taken() throws {
    let other = RawListener()
    let run = LiveRun([.host(0, .tcp(host: "127.0.0.1", port: other.port))])
    guard case .failure(let error)? = run.result() else { throw PortError("it was opened") }
    equal(error.description, "h4:tcp:\(other.port): cannot be served: another program serves there already")
  }

  @Test("Unix: a socket file is made, a stale one replaced, a live one and other files refused")
  func unix() throws {
    let folder = ScratchFolder()
    let path = folder("hci")
    let run = LiveRun([.host(0, .unix(path: path))])
    equal(run.open().count, 1)
    let guest = RawClient(unix: path)
    guest.write(ServingPortTests.reset)
    equal(guest.read(7), ServingPortTests.resetComplete)

    guard case .failure(let live)? = LiveRun([.host(0, .unix(path: path))]).result() else {
      throw PortError("a live socket was replaced")
    }
    equal(live.description, "h4:unix:\(path): another program serves there already")
    _ = try run.stopped()
    expect(!FileManager.default.fileExists(atPath: path))

    let stale = RawClient.stream(AF_UNIX)
    var address = RawClient.unix(path)
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(stale, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    _ = close(stale)
    expect(FileManager.default.fileExists(atPath: path))
    let again = LiveRun([.host(0, .unix(path: path))])
    equal(again.open().count, 1)
    _ = try again.stopped()

    try folder.put("hci")
    guard case .failure(let other)? = LiveRun([.host(0, .unix(path: path))]).result() else {
      throw PortError("a file was replaced")
    }
    expect(other.description.contains("a file that is no socket is there"))
    expect(FileManager.default.fileExists(atPath: path))
  }

  @Test("A terminal: hosts come and go, and the link is gone at the end")
  func terminal() throws {
    let folder = ScratchFolder()
    let link = folder("tty")
    let run = LiveRun([.host(0, .pty(path: link))])
    let device = try required(run.open().first?.terminal)
    try equal(FileManager.default.destinationOfSymbolicLink(atPath: link), device)
    // Every octet value passes: the terminal is raw.
    let all: [UInt8] = [0x01, 0x00, 0xFC, 0xFF] + (0...254).map { UInt8($0) }
    for round in 1...3 {
      let guest = RawClient(terminal: link)
      guest.write(all)
      equal(guest.read(7), [0x04, 0x0E, 0x04, 0x01, 0x00, 0xFC, 0x00])
      guest.close()
      expect(LiveRun.until { run.witness.events(device: 0).count { $0 == .detached } == round })
    }
    let report = try required(try run.stopped())
    equal(
      run.witness.events(device: 0), Array(repeating: [.attached, .packet(all), .detached], count: 3).flatMap { $0 })
    equal(report.ports[0].attachments, 3)
    equal(run.witness.lines.count, 7)
    expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == nil)
  }

  @Test("A link in a terminal's place is replaced, another file is not")
  func terminalLink() throws {
    let folder = ScratchFolder()
    try FileManager.default.createSymbolicLink(atPath: folder("old"), withDestinationPath: "/nowhere")
    let run = LiveRun([.host(0, .pty(path: folder("old")))])
    equal(run.open().count, 1)
    _ = try run.stopped()
    try folder.put("file")
    guard case .failure(let error)? = LiveRun([.host(0, .pty(path: folder("file")))]).result() else {
      throw PortError("a file was replaced")
    }
    expect(error.description.contains("a file is there that is no link"))
  }

  @Test("No /dev/vhci is one clear line")
  func vhci() throws {
    let run = LiveRun([.host(0, .vhci)])
    if access(KernelAdapter.path, F_OK) == 0 {
      print("SKIPPED: there is a \(KernelAdapter.path) here; its refusal cannot be seen")
      _ = try? run.stopped()
      return
    }
    guard case .failure(let error)? = run.result() else { throw PortError("it was opened") }
    expect(error.description.hasPrefix("vhci: no /dev/vhci in this kernel; modprobe hci_vhci"))
  }

  @Test("If one port cannot be opened, none stays")
  func allOrNothing() throws {
    let folder = ScratchFolder()
    try folder.put("b")
    let run = LiveRun([.host(0, .unix(path: folder("a"))), .host(1, .unix(path: folder("b")))])
    #expect(throws: PortError.self) { try run.report() }
    expect(!FileManager.default.fileExists(atPath: folder("a")))
    expect(run.witness.entries.isEmpty)
  }
}
