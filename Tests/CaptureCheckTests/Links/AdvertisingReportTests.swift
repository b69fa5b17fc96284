import BluetoothWire
import Expectations
import Testing

@testable import CaptureCheck

@Suite("Advertising as controllers report it")
struct AdvertisingReportTests {
  @Test("Several legacy reports in one event, and a directed one")
  func legacy() {
    let script = HCIScript()
    script.event("3E 02 02 00 01 0605040302C1 03 020106 C4 04 00 060504030201 00 7F")
    script.event("3E 0B 01 01 01 0605040302C1 01 010203040546 B0")
    let heard = script.recorder.advertisements
    equal(heard.map { "\($0.address)" }, ["C1:02:03:04:05:06", "01:02:03:04:05:06", "C1:02:03:04:05:06"])
    expect(heard.map(\.isConnectable) == [true, false, true] && heard.map(\.isScanResponse) == [false, true, false])
    expect(heard.map { Array($0.data) } == [[2, 1, 6], [], []] && heard.map(\.rssi) == [-60, nil, -80])
    expect(heard.allSatisfy { $0.heardBy === script.reader.adapters[0] })
  }

  @Test("Extended reports: fragments are put together per advertiser and set; a truncated one says so")
  func extended() {
    func report(_ kind: String, _ last: String, _ set: String, _ data: String) -> String {
      "3E 0D 01 \(kind) 01 \(last)05040302C1 01 02 \(set) 7F C4 0000 00 000000000000"
        + HCIScript.text(UInt8([UInt8].hex(data).count)) + data
    }
    let script = HCIScript()
    script.event(report("2100", "06", "01", "0102"))
    script.event(report("2100", "06", "02", "0A"))
    script.event(report("2100", "06", "01", "03"))
    script.event(report("0000", "06", "01", "04"))
    script.event(report("4000", "06", "02", "0B"))
    script.event(report("1300", "07", "FF", "05"))
    let heard = script.recorder.advertisements
    equal(heard.map { Array($0.data) }, [[1, 2, 3, 4], [10, 11], [5]])
    expect(heard.map(\.isTruncated) == [false, true, false] && heard.map(\.isExtended) == [true, true, false])
    expect(heard[2].isConnectable)
  }

  @Test("Events that are shorter than their reports end them")
  func cut() {
    let whole = [UInt8].hex("3E 0D 01 1300 01 06050403 02C1 01 02 FF 7F C4 0000 00 000000000000 01 05")
    for count in 2..<whole.count {
      let script = HCIScript()
      script.event(whole.prefix(count).map(HCIScript.text).joined())
      expect(script.recorder.advertisements.isEmpty)
    }
  }
}
