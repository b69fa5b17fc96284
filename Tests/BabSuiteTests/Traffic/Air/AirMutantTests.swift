import Bench
import BluetoothWire
import CaptureCheck
import CaptureFormats
import CaptureTestSupport
import Expectations
import SimKernel
import Testing
import VirtualRadio

@testable import Conformance

/// Captures that a bad sniffer would have made of the same run: what is wrong must turn up as gaps, and every ATT PDU
/// that is delivered must be one of those that were really said, in their order.
@Suite("Captures of the air with something wrong")
struct AirMutantTests {
  private static let pdus = Result { try AirRun.shipped("radio/noisy-convention-hall").pdus }

  private func records() throws -> [CaptureRecord] { AirRecords.records(try Self.pdus.get()) }

  /// Each side's PDUs are a subsequence of what it said.
  private func expectNothingInvented(
    _ log: AirLog, _ whole: AirLog, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    for link in whole.opened {
      let twins = log.opened.filter { $0.accessAddress == link.accessAddress }.map(\.index)
      for fromCentral in [true, false] {
        let said = whole.att(link: link.index, fromCentral: fromCentral)
        let heard = log.att.filter { twins.contains($0.side.link) && $0.side.fromCentral == fromCentral }.map(\.octets)
        var position = said.startIndex
        for pdu in heard {
          guard let place = said[position...].firstIndex(of: pdu) else {
            let what = said.contains(pdu) ? "twice or out of order" : "never said"
            let place = "link \(link.index), from central: \(fromCentral), behind \(position) of \(said.count)"
            Issue.record("\(what): \(place): \(pdu.count) octets \(pdu.prefix(8))", sourceLocation: sourceLocation)
            return
          }
          position = place + 1
        }
      }
    }
  }

  @Test("Every Nth data PDU is missing", arguments: [2, 3, 5, 7, 10, 50, 500])
  func drops(nth: Int) throws {
    let records = try records()
    let whole = AirLog.reading(records)
    var count = 0
    let kept = records.filter { record in
      guard case .air(let header) = record.body, header.accessAddress != LL.advertisingAccessAddress else {
        return true
      }
      count += 1
      return count % nth != 0
    }
    let log = AirLog.reading(kept)
    expectNothingInvented(log, whole)
    expect(log.count(.missed) > 0)
    expect(log.att.count < whole.att.count)
    expect(log.gaps.count <= kept.count)
  }

  @Test("Random PDUs are missing, also several in a row", arguments: [1, 2, 3, 4])
  func losesRandomly(seed: UInt64) throws {
    let records = try records()
    let whole = AirLog.reading(records)
    var random = RandomStream(seed: seed, component: "test", purpose: "air")
    var losing = false
    let kept = records.filter { record in
      guard case .air(let header) = record.body, header.accessAddress != LL.advertisingAccessAddress else {
        return true
      }
      losing = random.next() % 10 < (losing ? 5 : 1)
      return !losing
    }
    let log = AirLog.reading(kept)
    expectNothingInvented(log, whole)
    expect(log.count(.missed) > 0)
  }

  @Test("A good CRC is called bad")
  func flipsCRC() throws {
    var records = try records()
    let whole = AirLog.reading(records)
    var flipped = 0
    for index in records.indices {
      guard case .air(var header) = records[index].body, header.accessAddress != LL.advertisingAccessAddress,
        records[index].octets.count > 2, header.isCRCValid == true
      else { continue }
      flipped += 1
      if flipped % 9 != 0 { continue }
      header.isCRCValid = false
      records[index].body = .air(header)
    }
    let log = AirLog.reading(records)
    expectNothingInvented(log, whole)
    expect(log.count(.missed) > flipped / 20)
    expect(log.att.count < whole.att.count)
  }

  @Test("Directions are swapped now and then")
  func swapsDirections() throws {
    var records = try records()
    for index in stride(from: 0, to: records.count, by: 11) {
      guard case .air(var header) = records[index].body, let direction = header.isFromCentral else { continue }
      header.isFromCentral = !direction
      records[index].body = .air(header)
    }
    let log = AirLog.reading(records)
    expect(log.count(.missed) > 0)
  }

  @Test("Only one direction is heard", arguments: [true, false])
  func hearsOneDirection(central: Bool) throws {
    let records = try records()
    let whole = AirLog.reading(records)
    let kept = records.filter { record in
      guard case .air(let header) = record.body else { return true }
      return header.isFromCentral != !central
    }
    let log = AirLog.reading(kept)
    expectNothingInvented(log, whole)
    expect(log.att.allSatisfy { $0.side.fromCentral == central })
    let said = whole.att.filter { $0.side.fromCentral == central }.count
    equal(log.att.count, said)
  }

  @Test("The capture begins in the middle", arguments: [true, false])
  func beginsLate(tellsDirection: Bool) throws {
    let pdus = try Self.pdus.get()
    let whole = AirLog.reading(AirRecords.records(pdus))
    let records = AirRecords.records(pdus, tellsDirection: tellsDirection)
    let lastConnect = try required(
      records.lastIndex { record in
        guard case .air(let header) = record.body, header.accessAddress == LL.advertisingAccessAddress else {
          return false
        }
        return record.octets[0] & 0x0F == 5
      })
    let log = AirLog.reading(Array(records[(lastConnect + 200)...]))
    expect(!log.opened.isEmpty)
    expect(log.opened.allSatisfy { !$0.isFromStart && $0.viewpoint == .air && $0.central == nil })
    expect(log.opened.allSatisfy { link in whole.opened.contains { $0.accessAddress == link.accessAddress } })
    expect(log.att.count > 20)
    expectNothingInvented(log, whole)
  }
}
