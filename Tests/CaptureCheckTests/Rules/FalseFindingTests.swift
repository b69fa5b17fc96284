import BluetoothWire
import CaptureFormats
import CaptureTestSupport
import Expectations
import Judging
import Testing

@testable import CaptureCheck

/// What was a finding once, and is none: the capture does not prove it. Each capture is one that a fault of the sniffer
/// or of another device makes out of innocent traffic.
@Suite("Findings that were false")
struct FalseFindingTests {
  private static let read: [UInt8] = [3, 0, 4, 0, 0x0A, 0x15, 0x00]
  private static let value: [UInt8] = [2, 0, 4, 0, 0x0B, 7]

  private func findings(_ script: RuleScript) -> [String] { RuleCaptures.lines(script.judge()) }

  // MARK: (a) An answer that never comes

  @Test("After an answer that never came, requests that are answered are innocent")
  func absentAnswer() {
    var script = RuleScript.host()
    script.client([0x0A, 0x15, 0x00])
    script.completesPackets = false
    script.client([0x0A, 0x12, 0x00])
    let guilty = script.last
    script.completesPackets = true
    script.completedPackets(1)
    script.server([0x0B, 1])
    for _ in 0..<5 {
      script.client([0x0A, 0x15, 0x00])
      script.server([0x0B, 1])
    }
    equal(findings(script), ["RequestsGoOneByOne at \(guilty)"])
  }

  @Test("Where the opcode tells which request was answered, the next ones are judged again")
  func tellingAnswer() {
    var script = RuleScript.host()
    script.client([0x0A, 0x15, 0x00])
    script.client([0x12, 0x12, 0x00, 1])
    script.server([0x13])
    let before = script.judge([RequestsGoOneByOne.self])[0]
    script.client([0x0A, 0x15, 0x00])
    script.client([0x0A, 0x12, 0x00])
    let after = script.judge([RequestsGoOneByOne.self])[0]
    equal(before.findings.count, 1)
    equal(after.findings.count, 2)
    // One request is innocent, and a finding is a judgement.
    equal(after.judged, before.judged + 2)
    equal(after.open, before.open)
  }

  @Test("Late answers to several requests are nobody's fault")
  func lateAnswers() {
    var script = RuleScript.host()
    for _ in 0..<2 { script.client([0x0A, 0x15, 0x00]) }
    script.server([0x0B, 1])
    script.client([0x12, 0x12, 0x00, 1])
    script.server([0x0B, 2])
    script.server([0x13])
    expect(script.judge([ResponsesAnswerRequests.self])[0].findings.isEmpty)
    equal(script.judge([RequestsGoOneByOne.self])[0].findings.count, 1)
  }

  @Test("A confirmation too many for an unconfirmed indication is nobody's fault")
  func lateConfirmation() {
    var script = RuleScript.host()
    script.server([0x1D, 0x12, 0x00, 1])
    script.server([0x1D, 0x12, 0x00, 2])
    script.client([0x1E])
    script.client([0x1E])
    let result = script.judge([IndicationsAreConfirmedOneByOne.self])[0]
    equal(result.findings.count, 1)
    equal(result.findings.first?.expected, "ATT_HANDLE_VALUE_CFM before the next indication")
  }

  // MARK: (b) PDUs that cannot be decrypted

  @Test("Every PDU that the sniffer could not decrypt is a gap, not only the first")
  func undecrypted() {
    var script = RuleScript.cleanAir
    let begin = script.records.count
    var unread: [Int] = []
    for _ in 0..<3 {
      script.exchange(.start(Self.read))
      script.exchange(.empty, .start([UInt8](repeating: 0xA5, count: 11)))
      unread.append(script.records.count - 1)
    }
    for index in begin..<script.records.count where script.records[index].octets.count > 2 {
      script.records[index] = SnifferDamage.altered(script.records[index]) {
        $0.isEncrypted = true
        $0.isDecrypted = !unread.contains(index)
      }
    }
    equal(findings(script), [])
    let log = AirLog.reading(script.records)
    equal(log.count(.encrypted), 3)
    equal(log.att.suffix(3).map(\.octets), Array(repeating: [0x0A, 0x15, 0x00], count: 3))
  }

  // MARK: (c) Events of which nothing was heard

  @Test("Connection events of which nothing was heard are a gap: the answer was in one of them")
  func unheardEvents() {
    var script = RuleScript.air()
    var unheard: [Int] = []
    for _ in 0..<2 {
      script.exchange(.start(Self.read))
      let from = script.records.count
      script.exchange(.empty, .start(Self.value))
      script.exchange()
      // Two PDUs of each end: their sequence numbers are as if nothing had been there.
      unheard.append(contentsOf: from..<script.records.count)
    }
    script.exchange()
    script.records = script.records.indices.filter { !unheard.contains($0) }.map { script.records[$0] }
    equal(findings(script), [])
    equal(AirLog.reading(script.records).count(.unheardEvent), 2)
  }

  // MARK: (d) Directions that cannot be

  @Test("An answer that is said to come from the side that spoke last is believed of nobody")
  func twoInARow() {
    var script = RuleScript.air()
    script.exchange(.start(Self.read))
    script.exchange(.empty, .start(Self.value))
    let answer = script.records.count - 1
    script.records[answer] = SnifferDamage.altered(script.records[answer]) { $0.isFromCentral = true }
    script.exchange()
    equal(findings(script), [])
    let log = AirLog.reading(script.records)
    expect(log.air.last { $0.octets.count > 2 }?.header.isFromCentral == nil)
    equal(log.count(.missed), 1)
  }

  @Test("A PDU at the anchor that is said to be the peripheral's is believed of nobody, and neither is what follows")
  func peripheralAtAnchor() {
    var script = RuleScript.air()
    script.exchange(.start(Self.read))
    script.records[script.records.count - 2] = SnifferDamage.altered(script.records[script.records.count - 2]) {
      $0.isFromCentral = false
    }
    script.exchange(.empty, .start(Self.value))
    script.exchange()
    equal(findings(script), [])
    equal(AirLog.reading(script.records).count(.missed), 1)
  }

  // MARK: (e) CRCs

  @Test("A CRC that is wrong is wrong, though the header calls it right")
  func wrongCRC() {
    var script = RuleScript.air()
    let notification: [UInt8] = [4, 0, 4, 0, 0x1B, 0x00, 0x00, 7]
    script.exchange(.empty, .start(notification))
    var advertising = RuleScript()
    advertising.advertise(.advInd(advertiser: RuleScript.advertiser, data: [2, 1, 6, 5, 9, 0x42], chSel: false))
    // Without a CRC, or with zeros in its place, the header is all there is.
    for crc: UInt32? in [nil, 0] {
      script.records[script.last - 1] = SnifferDamage.altered(script.records[script.last - 1]) { $0.crc = crc }
      equal(findings(script), ["HandlesAreNotReserved at \(script.last)"])
      advertising.records[0] = SnifferDamage.altered(advertising.records[0]) { $0.crc = crc }
      equal(findings(advertising), ["AdvertisingStructuresFit at 1"])
    }
    let data = LL.crc24(pdu: Array(script.records[script.last - 1].octets), initial: RuleScript.request.crcInit)
    let primary = LL.crc24(pdu: Array(advertising.records[0].octets), initial: LL.advertisingCRCInit)
    for (error, isGuilty) in [(UInt32(0), true), (0x10, false)] {
      script.records[script.last - 1] = SnifferDamage.altered(script.records[script.last - 1]) { $0.crc = data ^ error }
      expect(findings(script).isEmpty != isGuilty)
      advertising.records[0] = SnifferDamage.altered(advertising.records[0]) { $0.crc = primary ^ error }
      expect(findings(advertising).isEmpty != isGuilty)
    }
  }

  // MARK: Extended advertising

  @Test("A structure that goes on in the next PDU of a chain accuses nobody; one that does not is too long")
  func chainedStructure() {
    var pdu = LL.ExtendedPDU()
    pdu.advertiser = RuleScript.advertiser
    pdu.dataInfo = .init(did: 1, sid: 0)
    pdu.data = [5, 9, 0x42]
    for isContinued in [true, false] {
      pdu.pointer = isContinued ? .init(to: 3, after: 900_000, isAccurate: true, phy: .le1M) : nil
      var script = RuleScript()
      script.onAir(LL.advertisingAccessAddress, pdu.octets)
      equal(findings(script), (isContinued ? [] : ["AdvertisingStructuresFit at 1"]))
    }
  }

  // MARK: (f) Control PDUs and the data length

  @Test("A control PDU may be longer than the data length that was agreed")
  func longControl() {
    var script = RuleScript()
    script.advertise(.advInd(advertiser: RuleScript.advertiser, data: [2, 1, 6], chSel: false))
    script.advertise(.connectInd(RuleScript.request))
    // LL_PERIODIC_SYNC_IND: 35 octets, where data has 27.
    script.exchange(.control([0x1C] + [UInt8](repeating: 0, count: 34)))
    expect(script.judge([PayloadsFitDataLength.self])[0].findings.isEmpty)
    script.exchange(.start([31, 0, 4, 0, 0x52, 0x12] + [UInt8](repeating: 0, count: 29)))
    equal(script.judge([PayloadsFitDataLength.self])[0].findings.count, 1)
  }

  // MARK: What public captures showed

  /// A MediaTek controller, WCBonner/GoveeBTTempLogger and others: LE Advertising Report of type 0x03 with six octets,
  /// which are the address in a scan request of somebody else.
  @Test("A controller that reports a scan request as advertising accuses nobody")
  func reportedScanRequest() {
    var script = RuleScript.reset()
    script.report(RuleScript.peer, [0xEF, 0x01, 0x6D, 0x14, 0x22, 0x7A])
    expect(findings(script).isEmpty)
  }

  /// A Broadcom controller in a Galaxy S10+ sends records of its own with the handle 0x0FF1.
  @Test("Records that a controller sends on a reserved handle are no data")
  func controllerRecords() {
    var script = RuleScript.host()
    script.acl(0x0FF1, toHost: true, [1, 0, 4, 0, 0x13])
    expect(findings(script).isEmpty)
  }

  @Test("Data of a link that has just ended opens no other one")
  func lateData() {
    var script = RuleScript.host()
    script.event(0x05, [0] + RuleScript.word(0x40) + [0x13])
    script.acl(0x40, toHost: true, [3, 0, 4, 0, 0x1B, 0x12, 0x00])
    expect(findings(script).isEmpty)
  }

  /// `10 00 01 00 ff ff 00 28` of a Linux program: an octet too many, and no server knows where that search starts.
  @Test("An error to a request of the wrong length may name any handle")
  func malformedRequest() {
    var script = RuleScript.host()
    script.client([0x10, 0x00, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28])
    script.server([0x01, 0x10, 0x00, 0x00, 0x0A])
    expect(script.judge([ErrorsNameTheirRequest.self])[0].findings.isEmpty)
  }

  @Test("A response with the identifier 0 may echo its request")
  func echoedIdentifier() {
    var script = RuleScript.host()
    script.acl(0x40, toHost: true, [6, 0, 5, 0, 0x13, 0x00, 2, 0, 0, 0])
    expect(script.judge([SignallingPDUsAreWellFormed.self])[0].findings.isEmpty)
  }

  @Test("Who never was a client owes no confirmation")
  func serverOnly() {
    var script = RuleScript.host()
    script.client([0x1D, 0x03, 0x00, 1, 0, 0xFF, 0xFF])
    script.pass(seconds: 31)
    script.event(0x05, [0] + RuleScript.word(0x40) + [0x13])
    expect(script.judge([TransactionsEndInTime.self])[0].findings.isEmpty)
  }

  @Test("An answer behind other octets of a slow link may be late, and one of an idle link may not")
  func slowLink() {
    for isBusy in [true, false] {
      var script = RuleScript.host()
      script.client([0x0A, 0x15, 0x00])
      // Packets beside the link prove that the time has passed.
      if !isBusy { script.pass(seconds: 31) }
      for _ in 0..<31 where isBusy {
        script.wait(milliseconds: 1_000)
        script.server([0x1B, 0x15, 0x00, 1])
      }
      script.server([0x0B, 1])
      equal(script.judge([TransactionsEndInTime.self])[0].findings.isEmpty, isBusy)
    }
  }

  @Test("An event that meets the end of its connection halfway opens no other one")
  func lateEvent() {
    var script = RuleScript.host()
    script.disconnect()
    let length = RuleScript.word(251) + RuleScript.word(2_120)
    script.event(0x3E, [0x07] + RuleScript.word(0x40) + length + length)
    expect(findings(script).isEmpty)
    // Another connection's data without its event is found.
    script.acl(0x41, toHost: true, [3, 0, 4, 0, 0x0A, 0x15, 0x00])
    equal(script.judge([DataGoesToConnectedHandles.self])[0].findings.count, 1)
  }

  /// BTstack logs words between its parts as commands of OGF 0x3D.
  @Test("Words between BTstack and its programs need no allowance")
  func internalCommands() {
    var script = RuleScript.reset()
    for _ in 0..<3 { script.command(0xF424, []) }
    expect(findings(script).isEmpty)
  }

  @Test("A PDU that is sent again and again is one finding", arguments: [1, 4])
  func retransmissions(times: Int) {
    for pdu in [RulePDU(llid: 0, payload: [1]), .start([97, 0, 5, 0] + [UInt8](repeating: 1, count: 97))] {
      var script = RuleScript.air()
      script.exchange(pdu, nil)
      let first = script.records[script.last - 1]
      for copy in 1..<times {
        var again = first
        again.number += copy
        again.nanoseconds += Int64(copy) * 30_000_000
        script.records.append(again)
      }
      equal(script.judge([DataHeadersAreDefined.self, PayloadsFitDataLength.self]).flatMap(\.findings).count, 1)
    }
  }
}
