import BluetoothWire
import Expectations
import Testing

@testable import CaptureCheck

@Suite("Links at the HCI of a controller")
struct LinkLifeTests {
  private func address(_ text: String, _ kind: BluetoothAddress.Kind = .publicDevice) -> BluetoothAddress {
    BluetoothAddress(kind: kind, bits: UInt64(text.filter { $0 != ":" }, radix: 16)!)
  }

  @Test("LE Connection Complete opens a link with its role, peer and parameters; its disconnection closes it")
  func connectionComplete() {
    let script = HCIScript()
    script.done(0x1009, returns: "665544332211")
    script.command(0x200D, "6000 3000 00 00 015544332211 00 1800 1800 0000 F401 0000 0000")
    script.connect(0x40, role: 0)
    script.event("3E 03 00 4000 0C00 0400 9001")
    script.event("3E 07 4000 FB00 4808 1B00 4801")
    script.event("3E 0C 00 4000 02 02")
    script.event("08 00 4000 01")
    script.disconnect(0x40)
    let link = script.links[0]
    equal(script.recorder.lives, ["opened 0", "closed 0 13"])
    equal(script.recorder.changes, [.parameters, .dataLength, .phy, .encryption])
    expect(link.viewpoint == .host(.central) && link.isFromStart)
    expect(link.central == address("11:22:33:44:55:66") && link.peripheral == address("11:22:33:44:55:01"))
    equal([link.interval, link.peripheralLatency, link.supervisionTimeout], [12, 4, 400])
    expect(link.maxTxOctets == 251 && link.maxRxOctets == 27 && link.phy == 2 && link.isEncrypted)
    equal(link.attMTU, 23)
  }

  @Test(
    "Enhanced Connection Complete of both versions keeps identity and private addresses apart",
    arguments: ["0A", "29"])
  func enhanced(subevent: String) {
    let script = HCIScript()
    script.done(0x1009, returns: "665544332211")
    script.command(0x2006, "A000 A000 00 02 00 000000000000 07 00")
    script.event(
      "3E \(subevent) 00 4100 01 03 AABBCCDDEEC0 010203040540 111213141545 2800 0000 C800 05"
        + (subevent == "29" ? "FF FFFF" : ""))
    let link = script.links[0]
    equal(link.viewpoint, .host(.peripheral))
    equal(link.central, address("C0:EE:DD:CC:BB:AA", .random))
    equal(link.peripheral, address("11:22:33:44:55:66"))
    equal(link.peripheralPrivate, address("40:05:04:03:02:01", .random))
    equal(link.centralPrivate, address("45:15:14:13:12:11", .random))
    equal(link.interval, 40)
  }

  @Test("Own address: the random one that the controller took, and that of the advertising set that was ended")
  func ownAddress() {
    let script = HCIScript()
    script.done(0x1009, returns: "665544332211")
    script.command(0x2005, "0A0B0C0D0EC1")
    script.event("0E 01 0520 0C")
    expect(script.reader.adapters[0].randomAddress == nil)
    script.done(0x2005, "0A0B0C0D0EC2")
    script.command(0x200D, "6000 3000 00 00 015544332211 01 1800 1800 0000 F401 0000 0000")
    script.connect(0x40)
    equal(script.links[0].central, address("C2:0E:0D:0C:0B:0A", .random))
    for set in ["00", "01"] {
      script.done(0x2036, "\(set) 1300 A00000 A00000 07 01 00 000000000000 00 7F 01 00 01 00 00")
      script.done(0x2035, "\(set) \(set)0B0C0D0EC3")
    }
    script.connect(0x41, role: 1)
    expect(script.links[1].peripheral == nil)
    script.event("3E 12 00 01 4100 00")
    equal(script.links[1].peripheral, address("C3:0E:0D:0C:0B:01", .random))
    equal(script.recorder.changes, [.addresses])
  }

  @Test("A failed connection opens nothing, a failed disconnection closes nothing")
  func failures() {
    let script = HCIScript()
    script.event("3E 01 02 4000 00 00 010203040506 1800 0000 F401 00")
    expect(script.links.isEmpty)
    script.connect(0x40)
    script.event("05 0C 4000 13")
    expect(script.links[0].isUp)
  }

  @Test("A handle is used again: behind a disconnection, a reset, a lost one, and a monitor's adapter that went")
  func reuse() {
    let script = HCIScript()
    script.connect(0x40)
    script.disconnect(0x40, reason: 8)
    script.connect(0x40)
    script.done(0x0C03)
    script.connect(0x40)
    script.connect(0x40)
    script.monitor(1)
    script.connect(0x40)
    script.reader.finish()
    equal(
      script.recorder.lives,
      [
        "opened 0", "closed 0 8", "opened 1", "closed 1", "opened 2", "closed 2", "opened 3", "closed 3", "opened 4",
        "closed 4",
      ])
  }

  @Test("Adapters of one capture keep their handles apart, and a monitor introduces them")
  func adapters() {
    let script = HCIScript()
    script.monitor(0, "00 01 665544332211 6863693000000000")
    script.connect(0x40, peer: 1)
    script.adapter = 1
    script.monitor(10, "675544332211 0F00")
    script.connect(0x40, peer: 2)
    script.att(0x40, toHost: true, "1B 1000 02")
    script.adapter = 0
    script.att(0x40, toHost: true, "1B 1000 01")
    script.disconnect(0x40)
    equal(script.recorder.lives, ["opened 0", "opened 1", "closed 0 13"])
    equal(script.reader.adapters.map(\.name), ["hci0", nil])
    equal(script.links.map(\.central), ["11:22:33:44:55:66", "11:22:33:44:55:67"].map { address($0) })
    equal(script.recorder.att.map { "\($0.link):\($0.octets.last!)" }, ["1:2", "0:1"])
  }

  @Test("In the middle of its life: ATT opens it and does not tell the role; what only one side may do tells")
  func middle() {
    let script = HCIScript()
    script.att(0x40, toHost: true, "1B 1000 01")
    let link = script.links[0]
    expect(!link.isFromStart && link.attMTU == nil && link.viewpoint == .hostOfUnknownRole && link.central == nil)
    script.att(0x40, toHost: false, "52 1000 01")
    equal(script.recorder.changes, [])
    // Connection Parameter Update Request goes from the peripheral to the central.
    script.frame(0x40, toHost: false, channel: 5, "12 01 0800 1800 2800 0000 F401")
    expect(script.recorder.changes == [.role] && link.viewpoint == .host(.peripheral))
    script.att(0x40, toHost: false, "1B 1000 01")
    equal(script.recorder.att.map(\.fromCentral), [false, true, false])
  }

  @Test(
    "What tells the role",
    arguments: [
      ("parameter update request from below", HCI.Role.central, "", true, UInt16(5), "12 01 0800 1800 2800 0000 F401"),
      ("parameter update response from below", .peripheral, "", true, 5, "13 01 0200 0000"),
      ("pairing request from below", .peripheral, "", true, 6, "01 03 00 01 10 00 00"),
      ("security request from below", .central, "", true, 6, "0B 01"),
      ("key request", .peripheral, "3E 05 4000 0000000000000000 0000", false, 0, ""),
      ("role discovery", .central, "0E 01 0908 00 4000 00", false, 0, ""),
      ("advertising set ended", .peripheral, "3E 12 00 00 4000 00", false, 0, ""),
    ])
  func roles(_ name: String, _ role: HCI.Role, _ event: String, _ toHost: Bool, _ channel: UInt16, _ frame: String) {
    let script = HCIScript()
    script.att(0x40, toHost: true, "1B 1000 01")
    if !event.isEmpty { script.event(event) } else { script.frame(0x40, toHost: toHost, channel: channel, frame) }
    equal(script.links[0].viewpoint, .host(role), "\(name)")
    equal(script.recorder.changes, [.role])
  }

  @Test("Enable Encryption is the central's, Long Term Key Request Reply the peripheral's")
  func rolesByCommand() {
    for (opcode, role) in [(UInt16(0x2019), HCI.Role.central), (0x201A, .peripheral), (0x201B, .peripheral)] {
      let script = HCIScript()
      script.att(0x40, toHost: true, "1B 1000 01")
      script.command(opcode, "4000")
      equal(script.links[0].viewpoint, .host(role))
    }
  }

  @Test("An LE event about a handle proves a link that the capture did not see come up")
  func eventOpens() {
    let script = HCIScript()
    script.event("3E 07 4000 FB00 4808 FB00 4808")
    expect(script.links.count == 1 && script.links[0].maxTxOctets == 251 && !script.links[0].isFromStart)
  }
}
