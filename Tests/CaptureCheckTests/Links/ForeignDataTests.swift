import BluetoothWire
import CaptureFormats
import Expectations
import SimKernel
import Testing

@testable import CaptureCheck

@Suite("ACL data that is not that of an LE link, and fragments that do not fit")
struct ForeignDataTests {
  @Test("Data of a BR/EDR connection is told as such, never as a link, whatever it looks like")
  func classic() {
    let script = HCIScript()
    script.event("03 00 0B00 010203040506 01 00")
    script.att(0x0B, toHost: true, "1B 1000 01")
    expect(script.links.isEmpty && script.recorder.foreign == [.classic])
    script.disconnect(0x0B)
    script.connect(0x0B)
    script.att(0x0B, toHost: true, "1B 1000 01")
    expect(script.links.count == 1 && script.recorder.att.count == 1)
  }

  @Test("Without its beginning, the channels tell BR/EDR from LE; others leave it open")
  func undecided() {
    let script = HCIScript()
    script.frame(0x0C, toHost: true, channel: 0x41, "0102")
    script.acl(0x0C, toHost: true, boundary: 1, "0102")
    script.frame(0x0C, toHost: true, channel: 1, "0A 01 0200 0200")
    script.frame(0x0C, toHost: true, channel: 0x41, "0102")
    script.att(0x0C, toHost: true, "1B 1000 01")
    equal(script.recorder.foreign, [.undecided, .undecided, .classic, .classic, .classic])
    expect(script.links.isEmpty)
    script.frame(0x40, toHost: true, channel: 0x41, "0102")
    script.att(0x40, toHost: true, "1B 1000 01")
    script.frame(0x40, toHost: true, channel: 0x41, "0102")
    expect(script.links.count == 1 && script.recorder.foreign.count == 6)
  }

  @Test("Qualcomm's debug handle and reserved handles never become links")
  func debug() {
    let script = HCIScript()
    script.att(0x0EDC, toHost: true, "1B 1000 01")
    script.att(0x0FF1, toHost: true, "1B 1000 01")
    script.att(0x0F00, toHost: false, "1B 1000 01")
    script.event("3E 01 00 000F 00 00 010203040506 1800 0000 F401 00")
    expect(script.links.isEmpty && script.recorder.foreign == [.debug, .debug, .reservedHandle])
    // A controller that opens the handle means it.
    script.connect(0x0EDC)
    script.att(0x0EDC, toHost: true, "1B 1000 01")
    expect(script.links.count == 1 && script.recorder.att.count == 1)
  }

  @Test("What is still sent after a disconnection opens no new link; data from below a second later does")
  func closed() {
    let script = HCIScript()
    script.connect(0x40)
    script.disconnect(0x40)
    script.att(0x40, toHost: false, "52 1000 01")
    expect(script.recorder.foreign == [.closed] && script.links.count == 1)
    script.att(0x40, toHost: true, "1B 1000 01")
    expect(script.recorder.foreign == [.closed, .closed] && script.links.count == 1)
    script.pause = .seconds(1)
    script.att(0x40, toHost: true, "1B 1000 01")
    expect(script.links.count == 2 && !script.links[1].isFromStart)
  }

  @Test("A frame in fragments becomes whole, each direction for itself; without a direction the flags tell")
  func recombination() {
    let script = HCIScript()
    script.connect(0x40)
    script.acl(0x40, toHost: true, "0700 0400 1B 1000")
    script.acl(0x40, toHost: false, "0400 0400 52 1000")
    script.acl(0x40, toHost: true, boundary: 1, "01020304")
    script.acl(0x40, toHost: false, boundary: 1, "05")
    script.acl(0x40, toHost: nil, boundary: 2, "0300 0400 1B 1000")
    script.acl(0x40, toHost: nil, boundary: 0, "0300 0400 52 1000")
    equal(
      script.recorder.att.map(\.octets), ["1B100001020304", "52100005", "1B1000", "521000"].map { [UInt8].hex($0) })
    equal(script.recorder.att.map(\.fromCentral), [false, true, false, true])
    expect(script.recorder.gaps.isEmpty)
  }

  @Test("Fragments that do not fit are gaps, and the next frame is whole again")
  func gaps() {
    let script = HCIScript()
    script.connect(0x40)
    script.acl(0x40, toHost: true, boundary: 1, "01")
    script.acl(0x40, toHost: true, "0700 0400 1B")
    script.acl(0x40, toHost: true, "0100 0400 1B 99")
    script.acl(0x40, toHost: true, "0300 0400 1B")
    script.acl(0x40, toHost: true, boundary: 1, "102030")
    script.acl(0x40, toHost: true, length: 9, "0300 0400 1B 1000")
    script.acl(0x40, toHost: true, length: 3, "0300 0400 1B 1000")
    script.acl(0x40, toHost: true, "0300 04")
    script.acl(0x40, toHost: true, boundary: 1, length: 9, "00")
    script.acl(0x40, toHost: true, boundary: 1, "00 1B 1000")
    script.att(0x40, toHost: true, "1B 1000")
    equal(
      script.recorder.gaps,
      [
        .continuationWithoutStart, .frameUnfinished, .frameTooLong, .frameTooLong, .snapped, .lengthMismatch, .snapped,
        .continuationWithoutStart,
      ])
    equal(script.recorder.att.map(\.octets), [[UInt8].hex("1B1000")])
  }

  @Test("A record that the capturer cut is a gap of its link, and its frame is never taken for whole")
  func snapped() {
    let script = HCIScript()
    script.connect(0x40)
    let cut: [UInt8] = [0x02, 0x40, 0x20, 0x0B, 0x00, 0x07, 0x00, 0x04, 0x00, 0x1B]
    script.reader.read(
      CaptureRecord(
        number: 2, link: .h4, nanoseconds: 0, originalLength: 16, mark: 1, body: .opaque(.snapped), octets: cut[...]),
      file: 0, at: .zero)
    script.acl(0x40, toHost: true, boundary: 1, "01020304")
    script.att(0x40, toHost: true, "1B 1000")
    equal(script.recorder.gaps, [.snapped, .continuationWithoutStart])
    equal(script.recorder.att.map(\.octets), [[UInt8].hex("1B1000")])
  }

  @Test("Headers that are cut are told as asides")
  func cut() {
    let script = HCIScript()
    script.reader.read(
      .init(
        number: 1, link: .h4, nanoseconds: 0, originalLength: 3,
        body: .hci(adapter: 0, indicator: 2, isToHost: true), octets: [0x40, 0x20, 0x01]), file: 0, at: .zero)
    equal(script.recorder.events.count, 1)
    if case .aside = script.recorder.events[0].kind {} else { Issue.record("no aside") }
  }
}
