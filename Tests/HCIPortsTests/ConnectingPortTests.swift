import Expectations
import Foundation
import SimKernel
import Testing
import VirtualRadio

@testable import HCIPorts

@Suite("Connecting ports")
struct ConnectingPortTests {
  private static let reset = ServingPortTests.reset
  private static let resetComplete = ServingPortTests.resetComplete

  @Test("A controller is connected before time begins, and its host speaks first")
  func tcp() throws {
    let listener = RawListener()
    let run = LiveRun([.controller(0, .tcp(host: "127.0.0.1", port: listener.port))]) {
      $0.answers = false
      $0.greeting = [ConnectingPortTests.reset]
    }
    let controller = listener.accept()
    equal(controller.read(4), ConnectingPortTests.reset)
    controller.write(ConnectingPortTests.resetComplete)
    expect(LiveRun.until { run.witness.packets(device: 0) == [ConnectingPortTests.resetComplete] })
    equal(run.witness.entries.first?.instant, .zero)
    controller.close()
    expect(LiveRun.until { run.witness.events(device: 0).last == .detached })
    _ = try run.stopped()
    equal(run.witness.lines(with: "has left").count, 1)
  }

  @Test("A controller that loses step is gone for the world until it has answered HCI_Reset")
  func outOfStep() throws {
    let listener = RawListener()
    let run = LiveRun([.controller(0, .tcp(host: "localhost", port: listener.port))]) { $0.answers = false }
    let controller = listener.accept()
    controller.write(ConnectingPortTests.resetComplete + [0x00, 0x17, 0x17])
    equal(controller.read(4), ConnectingPortTests.reset)
    controller.write(ConnectingPortTests.resetComplete + [0x04, 0x13, 0x00])
    expect(LiveRun.until { run.witness.packets(device: 0).count == 2 })
    let report = try required(try run.stopped())
    equal(
      run.witness.events(device: 0),
      [
        .attached, .packet(ConnectingPortTests.resetComplete), .detached, .attached, .packet([0x04, 0x13, 0x00]),
      ])
    expect(report.ports[0].lossesOfStep == 1 && report.ports[0].discardedOctets == 3)
    equal(run.witness.lines(with: "out of step").count, 1)
  }

  @Test("A controller behind a terminal")
  func terminal() throws {
    let terminal = try Terminal(.pty(path: nil))
    let run = LiveRun([.controller(0, .pty(path: terminal.path))]) {
      $0.answers = false
      $0.greeting = [ConnectingPortTests.reset]
    }
    let controller = RawClient(descriptor: dup(terminal.master))
    equal(controller.read(4), ConnectingPortTests.reset)
    controller.write(ConnectingPortTests.resetComplete)
    expect(LiveRun.until { run.witness.packets(device: 0) == [ConnectingPortTests.resetComplete] })
    try equal(run.stopped()?.ending, .stopped)
    terminal.close()
  }

  @Test("Our two sides understand each other: a serving port and a connecting one")
  func bothSides() throws {
    let folder = ScratchFolder()
    let serving = LiveRun([.host(0, .unix(path: folder("hci")))])
    equal(serving.open().count, 1)
    let connecting = LiveRun([.controller(0, .unix(path: folder("hci")))]) {
      $0.answers = false
      $0.greeting = [ConnectingPortTests.reset]
    }
    expect(LiveRun.until { connecting.witness.packets(device: 0) == [ConnectingPortTests.resetComplete] })
    _ = try serving.stopped()
    expect(LiveRun.until { connecting.witness.events(device: 0).last == .detached })
    _ = try connecting.stopped()
  }

  @Test("What is missing is said in one line")
  func missing() throws {
    let folder = ScratchFolder()
    try folder.put("file")
    // A port that was free a moment ago.
    let free = RawListener().port
    let cases: [(PortAddress, String)] = [
      (.tcp(host: "127.0.0.1", port: free), "h4:tcp:\(free): connection refused: no controller is served there"),
      (.tcp(host: "localhost", port: free), "h4:tcp:localhost:\(free): connection refused"),
      (.unix(path: folder("none")), "no such socket: no controller is served there"),
      (.unix(path: folder("file")), "connection refused"),
      (.pty(path: folder("none")), "no such device"),
      (.pty(path: folder("file")), "this is no terminal device"),
    ]
    for (address, text) in cases {
      guard case .failure(let error)? = LiveRun([.controller(0, address)]).result() else {
        throw PortError("\(address) was connected")
      }
      expect(error.description.contains(text), "\(error)")
      expect(!error.description.contains("\n"))
    }
  }

  @Test("Errors of the library below are told in words, and never as they are spelt there")
  func reasons() {
    let errors: [(any Error, String)] = [
      (PortError.system(ECONNRESET), "connection reset"), (CancellationError(), "the system does not say why"),
      (CocoaError(.fileNoSuchFile), "the system does not say why"),
    ]
    for (error, words) in errors { equal(PortError.reason(error), words) }
  }

  @Test("A user channel that cannot be had is one clear line")
  func userChannel() throws {
    guard case .failure(let error)? = LiveRun([.controller(0, .user(adapter: 65_534))]).result() else {
      throw PortError("an adapter that is not there was opened")
    }
    expect(error.description.hasPrefix("user:hci65534: no "), "\(error)")
  }

  @Test(
    "Each reason has its line",
    arguments: [
      (EAFNOSUPPORT, "no Bluetooth in this kernel"), (ENODEV, "no such adapter"), (EPERM, "CAP_NET_ADMIN"),
      (EBUSY, "hciconfig hci3 down"), (EUSERS, "another program"), (EIO, "cannot be opened"),
    ])
  func reasons(code: Int32, text: String) {
    let error = PortError.connecting(.user(adapter: 3), PortError.system(code))
    expect(error.description.contains(text), "\(error)")
  }
}
