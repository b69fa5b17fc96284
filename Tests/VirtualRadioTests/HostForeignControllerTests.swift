import BluetoothWire
import Expectations
import SimKernel
import Testing
import VirtualRadio

@Suite("Our host stack over controllers with ways of their own (Core v5.4, Vol 4, Part E)")
struct HostForeignControllerTests {
  private static let peer = BluetoothAddress(kind: .random, bits: 0xC000_0000_0009)
  /// LE Connection Complete: central, handle 0x0040, the peer above, 30 ms, 4 s.
  private static let connected = "043e130100400000010900000000c018000000900100"

  /// Central with one link at handle 0x0040.
  private func linked() throws -> ScriptedController {
    let controller = ScriptedController { $0.requestedDataLength = nil }
    _ = try controller.start()
    controller.host.connect(to: Self.peer)
    let events = try controller.give("040f0400010d20", Self.connected)
    equal(events.count, 1)
    _ = controller.takeSent()
    return controller
  }

  @Test("Num_HCI_Command_Packets of 0 holds the next command back, until an answer to nothing gives credit (4.4)")
  func commandCredit() throws {
    let controller = ScriptedController(["01030c00": ["040e0400030c00"]])
    try equal(controller.start(), [])
    equal(controller.takeSent(), ["01030c00"])
    try equal(controller.give("040e03010000"), [.poweredOn])
    expect(controller.sent.count > 3)
  }

  @Test("Credit that never comes is a controller fault after 2 s, and the stack goes on")
  func noCredit() throws {
    let controller = ScriptedController(["01030c00": ["040e0400030c00"]])
    _ = try controller.start()
    try equal(controller.wait(.milliseconds(1_999)), [])
    try equal(controller.wait(.milliseconds(1)), [.controllerFault("no command was taken for 2 s"), .poweredOn])
  }

  @Test(
    "LE data that shares the other buffers: zeros or a refusal lead to Read Buffer Size (7.8.2, 7.4.5)",
    arguments: ["040e0701022000000000", "040e0401022001"])
  func sharedBuffers(answer: String) throws {
    let controller = ScriptedController([
      "01022000": [answer], "01051000": ["040e0b01051000fd03400a000800"],
    ])
    try equal(controller.start(), [.poweredOn])
    equal(controller.sent.last, "01051000")
  }

  @Test("A controller without optional commands is not asked for them, and one that refuses them works")
  func optionalCommands() throws {
    let none = "040e4401021000" + String(repeating: "00", count: 64)
    for answers in [["01021000": [none]], ["01021000": ["040e0401021001"], "01312003000202": ["040e0401312001"]]] {
      let controller = ScriptedController(answers) { $0.requested2M = true }
      try equal(controller.start(), [.poweredOn])
      controller.host.connect(to: Self.peer)
      _ = try controller.give("040f0400010d20", Self.connected)
      let asked = controller.sent.filter { ["013120", "012220", "011620"].contains($0.prefix(6)) }
      equal(asked.isEmpty, (answers.count == 1))
    }
  }

  @Test("LE Enhanced Connection Complete is a connection too (7.7.65.10)")
  func enhancedConnection() throws {
    let controller = ScriptedController { $0.requestedDataLength = nil }
    _ = try controller.start()
    controller.host.connect(to: Self.peer)
    let zeros = "000000000000"
    let events = try controller.give(
      "040f0400010d20", "043e1f0a00400000010900000000c0" + zeros + zeros + "18000000900100")
    equal(
      events,
      [
        .connected(
          0x40,
          HostConnection(
            role: .central, peer: Self.peer, interval: 24, peripheralLatency: 0, supervisionTimeout: 400))
      ])
  }

  @Test("A connection told twice stays; another one at the same handle ends the first")
  func connectedTwice() throws {
    let controller = try linked()
    try equal(controller.give(Self.connected), [.controllerFault("handle 64 was connected already")])
    equal(controller.takeSent(), [])
    let events = try controller.give("043e130100400001010800000000c018000000900100")
    equal(events.count, 3)
    equal(events[1], .disconnected(0x40, reason: .connectionTerminatedByLocalHost))
  }

  @Test("Events for handles that are gone or never were, and a second disconnection, change nothing")
  func strangeHandles() throws {
    let controller = try linked()
    try equal(controller.give("041305017700ff00", "04130501400000 00"), [])
    try equal(controller.give("0405040040 0013").count, 1)
    try equal(
      controller.give(
        "0405040040 0013", "0413050140000100", "043e0a030040001800000090 01", "043e0b0740001b0048011b004801",
        "043e0d05400000000000000000000000", "043e0b06400018002800000090 01", "02402005000100040002"), [])
    equal(controller.takeSent(), [])
  }

  @Test("A key request gets a negative reply, and an encryption nobody asked for is nothing (7.8.26, 7.7.8)")
  func encryption() throws {
    let controller = try linked()
    try equal(controller.give("043e0d05400000000000000000000000", "0408040040 0001", "04080406400000"), [])
    equal(controller.takeSent(), ["011b20024000"])
  }

  @Test("A connection parameter request of the link layer is answered (7.7.65.6, 7.8.31)")
  func parameterRequest() throws {
    let controller = try linked()
    try equal(controller.give("043e0b0640001800280000009001"), [])
    equal(controller.takeSent().map { $0.prefix(6) }, ["012020"])
  }

  @Test("A hardware error restarts the controller; what was on is told, what is wanted begins again (7.7.16)")
  func hardwareError() throws {
    let controller = try linked()
    controller.host.startScanning()
    _ = try controller.give()
    _ = controller.takeSent()
    let events = try controller.give("04100142")
    equal(
      events,
      [
        .controllerFault("hardware error 66"), .disconnected(0x40, reason: .connectionTerminatedByLocalHost),
        .poweredOn,
      ])
    equal(controller.sent.first, "01030c00")
    equal(controller.sent.last, "010c20020101")
    // Again and again: it is given up.
    _ = try controller.give("04100142")
    try equal(controller.give("04100142").last, .controllerLost)
    try equal(controller.give("04100142", Self.connected), [])
    // Switched on again by its owner it begins anew.
    try equal(controller.start(), [.poweredOn])
  }

  @Test("A controller that answers no reset is asked three times, and given up")
  func silence() throws {
    let controller = ScriptedController()
    controller.silent = [.reset]
    try equal(controller.start(), [])
    let events = try controller.wait(.seconds(20))
    equal(events.count, 4)
    equal(events.last, .controllerLost)
    equal(controller.sent, ["01030c00", "01030c00", "01030c00"])
  }

  @Test("What was under way before a reset is not taken for what comes after it")
  func lateEvents() throws {
    let controller = ScriptedController()
    controller.silent = [.reset]
    controller.host.start(at: controller.now)
    let late = [
      Self.connected, "040e04010a2000", "043e0f020100010100000000c003020106f1", "04130501400001 00",
      "02402005000100040002", "04050400400013",
    ]
    for packet in late { try equal(controller.give(packet), []) }
    try equal(controller.give("040e0401030c00"), [.poweredOn])
  }

  @Test("A disconnection that is refused: an unknown handle is gone, another may be tried again (7.1.6)")
  func refusedDisconnection() throws {
    let controller = try linked()
    controller.silent = [.disconnect]
    controller.host.disconnect(0x40)
    try equal(controller.give("040f040c010604"), [])
    controller.host.disconnect(0x40)
    try equal(
      controller.give("040f0402010604"),
      [
        .controllerFault("handle 64 was gone without a word"),
        .disconnected(0x40, reason: .connectionTerminatedByLocalHost),
      ])
    equal(controller.takeSent(), ["01060403400013", "01060403400013"])
  }

  @Test("A cancelled attempt whose end is never told ends all the same")
  func endlessAttempt() throws {
    let controller = ScriptedController(["010e2000": ["040e04010e200c"]])
    _ = try controller.start()
    controller.host.connect(to: Self.peer)
    _ = try controller.give("040f0400010d20")
    controller.host.cancelConnect()
    try equal(controller.give(), [])
    try equal(
      controller.wait(.seconds(5)),
      [
        .controllerFault("a cancelled connection attempt did not end"),
        .connectFailed(Self.peer, reason: .unknownConnectionIdentifier),
      ])
  }

  @Test("Several reports in one event are several advertisers, directed advertising has no data (7.7.65.2)")
  func reports() throws {
    let controller = ScriptedController()
    _ = try controller.start()
    controller.host.startScanning()
    let events = try controller.give(
      "043e1c0202" + "00010100000000c003020106f1" + "000002000000000003020106f2",
      "043e0c0201" + "01010300000000c000f1")
    equal(events.count, 3)
    equal(events.last, .directedReport(BluetoothAddress(kind: .random, bits: 0xC000_0000_0003), rssi: -15))
    try equal(controller.give("043e0c0201" + "01010300000000c000f1"), [], "once for a scan")
  }

  @Test("Directed advertising that timed out is no attempt to connect (7.8.9)")
  func advertisingTimeout() throws {
    let controller = ScriptedController { configuration in
      configuration.advertisingKind = .connectableDirectedHighDuty
      configuration.advertisingTarget = Self.peer
    }
    _ = try controller.start()
    controller.host.startAdvertising(data: [], scanResponse: [])
    try equal(controller.give(), [.advertisingStarted(.success)])
    expect(controller.sent.contains("0106200fa000a000010101" + "0900000000c0" + "0700"))
    controller.host.connect(to: BluetoothAddress(kind: .random, bits: 0xC000_0000_0009))
    try equal(controller.give(), [])
    let timeout = "043e1301" + "3c" + "0000" + "01" + "01" + "0600000000c0" + "0000" + "0000" + "0000" + "00"
    try equal(controller.give(timeout), [.advertisingTimedOut])
    try equal(controller.give(timeout), [])
  }
}
