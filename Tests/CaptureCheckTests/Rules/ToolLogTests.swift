import BluetoothWire
import CaptureFormats
import Expectations
import Judging
import Testing

@testable import CaptureCheck

/// Logs of programs that speak as the central themselves: no sequence numbers of their own, and their computer's times.
@Suite("Logs of programs that speak themselves")
struct ToolLogTests {
  /// A connection from its CONNECT_IND, with ATT_MTU exchanged.
  private static func log() -> RuleScript {
    var script = RuleScript()
    script.tool(LL.advertisingAccessAddress, LL.AdvertisingPDU.connectInd(RuleScript.request).octets)
    script.hear()
    script.say(2, [3, 0, 4, 0, 0x02, 23, 0])
    script.hear(2, [3, 0, 4, 0, 0x03, 23, 0])
    return script
  }

  @Test("Nothing is missing where the central has no sequence numbers, and times are rough")
  func whole() {
    var script = Self.log()
    for handle in UInt8(1)...9 {
      script.say(2, [3, 0, 4, 0, 0x0A, handle, 0])
      script.hear()
      script.hear(2, [2, 0, 4, 0, 0x0B, handle])
    }
    let results = script.judge([RequestsGoOneByOne.self, ResponsesAnswerRequests.self, FramesAreWhole.self])
    expect(results.allSatisfy { $0.findings.isEmpty && $0.open == 0 && $0.judged > 0 }, "\(results)")
    equal(results[0].judged, 10)
  }

  @Test("A PDU of the peripheral that is lost on its way to the program leaves what it may have been open")
  func lost() {
    for drops in 1...4 {
      var script = Self.log()
      script.say(2, [3, 0, 4, 0, 0x0A, 1, 0])
      script.hear(lost: drops)
      script.say(2, [3, 0, 4, 0, 0x0A, 2, 0])
      script.hear(2, [2, 0, 4, 0, 0x0B, 2])
      let result = script.judge([RequestsGoOneByOne.self])[0]
      expect(result.findings.isEmpty && result.open > 0, "\(drops)")
    }
  }

  @Test("A program that calls everything its own is not believed")
  func undirected() {
    var script = Self.log()
    for index in script.records.indices {
      guard case .air(var header) = script.records[index].body, header.isFromCentral != nil else { continue }
      header.isFromCentral = true
      script.records[index].body = .air(header)
    }
    expect(script.judge().allSatisfy { $0.findings.isEmpty })
  }

  @Test("The radio sends what the header says: a start of one octet, and another one, are no frame")
  func fragments() {
    var script = Self.log()
    script.say([0x02, 1, 0x20, 0, 0, 0])
    script.hear()
    expect(script.judge([FramesAreWhole.self])[0].findings.isEmpty)
    script.say([0x02, 1, 0x20, 0, 0, 0])
    equal(script.judge([FramesAreWhole.self])[0].findings.map(\.record), [script.last])
    // One octet is a start as good as any (erratum 10216).
    var whole = Self.log()
    whole.say(2, [3])
    whole.hear()
    whole.say(1, [0, 4, 0, 0x0A, 1, 0])
    let results = whole.judge([FramesAreWhole.self, RequestsGoOneByOne.self])
    expect(results.allSatisfy { $0.findings.isEmpty } && results[1].judged == 2)
  }

  @Test("A request between two fragments of the answer, and an error that names another handle, are found")
  func misses() {
    var script = Self.log()
    script.say(2, [7, 0, 4, 0, 0x08, 1, 0, 9, 0, 3, 0x28])
    script.hear(2, [9, 0, 4, 0, 0x09, 7])
    script.say(2, [7, 0, 4, 0, 0x08, 4, 0, 9, 0, 3, 0x28])
    let early = script.last
    script.hear(1, [2, 0, 2, 3, 0, 1, 0x2A])
    script.hear(2, [5, 0, 4, 0, 0x01, 0x08, 0xFF, 0xFF, 0x0A])
    let results = script.judge([RequestsGoOneByOne.self, ErrorsNameTheirRequest.self])
    equal(results[0].findings.map(\.record), [early])
    equal(results[1].findings.map(\.record), [script.last])
  }

  @Test("A CONNECT_IND whose header says fewer octets than its record has was sent with as many")
  func request() {
    var script = RuleScript()
    var octets = LL.AdvertisingPDU.connectInd(RuleScript.request).octets
    script.tool(LL.advertisingAccessAddress, octets)
    equal(script.judge([ConnectionRequestsHaveTheirLength.self])[0].verdict, .pass)
    octets[1] = 28
    script.tool(LL.advertisingAccessAddress, octets)
    equal(script.judge([ConnectionRequestsHaveTheirLength.self])[0].findings.map(\.record), [2])
  }
}

extension RuleScript {
  fileprivate mutating func tool(_ accessAddress: UInt32, fromCentral: Bool? = nil, _ pdu: [UInt8]) {
    var header = AirHeader(accessAddress: accessAddress)
    header.isCRCValid = true
    header.isFromCentral = fromCentral
    header.isFromTool = true
    records.append(
      CaptureRecord(
        number: records.count + 1, link: .nordicBLE, nanoseconds: nanoseconds, originalLength: pdu.count + 24,
        body: .air(header), octets: pdu[...]))
  }

  /// What the program sends, header and all.
  fileprivate mutating func say(_ octets: [UInt8]) {
    nanoseconds += 3_700_000
    tool(Self.accessAddress, fromCentral: true, octets)
  }

  fileprivate mutating func say(_ llid: UInt8, _ payload: [UInt8]) { say([llid, UInt8(payload.count)] + payload) }

  /// What its radio receives, an interval after the last.
  /// - Parameter lost: so many before it do not come to the program.
  fileprivate mutating func hear(_ llid: UInt8 = 1, _ payload: [UInt8] = [], lost: Int = 0) {
    let before = records.last { if case .air(let header) = $0.body { header.isFromCentral == false } else { false } }
    let steps = lost + 1
    let sn = before.map { (UInt8(steps & 1) + ($0.octets.octet(at: 0) >> 3)) & 1 } ?? 0
    nanoseconds = (before?.nanoseconds ?? nanoseconds) + Int64(steps) * 30_000_000
    tool(Self.accessAddress, fromCentral: false, [llid | sn << 3 | (1 - sn) << 2, UInt8(payload.count)] + payload)
  }
}
