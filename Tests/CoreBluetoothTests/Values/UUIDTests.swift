import CoreBluetooth
import Expectations
import Foundation
import Testing

@Suite("CBUUID")
struct UUIDTests {
  @Test("CBUUID() is there as for every object of Apple's, and is no UUID of anybody's")
  func empty() { expect(CBUUID().data == Data(count: 16) && CBUUID() == CBUUID()) }

  @Test("Four, eight and 36 characters are read, in either case")
  func strings() {
    equal(CBUUID(string: "180d").uuidString, "180D")
    equal(CBUUID(string: "0000180d").uuidString, "0000180D")
    let long = "12345678-9abc-def0-1234-56789abcdef0"
    equal(CBUUID(string: long).uuidString, long.uppercased())
  }

  @Test("Data have 2, 4 or 16 octets, most significant first")
  func data() {
    equal(CBUUID(string: "180D").data, Data([0x18, 0x0D]))
    equal(CBUUID(data: Data([0x18, 0x0D])), CBUUID(string: "180D"))
    equal(CBUUID(string: "12345678-9ABC-DEF0-1234-56789ABCDEF0").data.count, 16)
    equal(CBUUID(string: "12345678-9ABC-DEF0-1234-56789ABCDEF0").data.first, 0x12)
    equal(CBUUID(data: Data([0, 0, 0x18, 0x0D])).data.count, 4)
  }

  @Test("Equality and hash are those of the 128 bits, whatever the form")
  func equality() {
    let forms = ["180D", "0000180D", "0000180D-0000-1000-8000-00805F9B34FB"].map { CBUUID(string: $0) }
    for form in forms {
      equal(form, forms[0])
      equal(form.hash, forms[0].hash)
    }
    equal(Set(forms).count, 1)
    expect(CBUUID(string: "180D") != CBUUID(string: "180F"))
    equal([forms[0]: 1][forms[2]], 1)
  }

  @Test("A UUID of Foundation keeps its 128 bits")
  func foundation() {
    let uuid = UUID(uuidString: "12345678-9ABC-DEF0-1234-56789ABCDEF0")!
    equal(CBUUID(nsuuid: uuid).uuidString, uuid.uuidString)
  }

  @Test("A copy is the same object")
  func copying() {
    let uuid = CBUUID(string: "180D")
    expect(uuid.copy() as? CBUUID === uuid)
  }

  @Test("A text that is no UUID raises an exception, which ends the process")
  func badText() async {
    await #expect(processExitsWith: .failure) { _ = CBUUID(string: "heart rate") }
  }

  @Test("Data of another length raise an exception, which ends the process")
  func badData() async {
    await #expect(processExitsWith: .failure) { _ = CBUUID(data: Data([1, 2, 3])) }
  }

  @Test("UUIDs of descriptors are those of the Assigned Numbers")
  func assigned() {
    equal(CBUUIDCharacteristicUserDescriptionString, "2901")
    equal(CBUUIDClientCharacteristicConfigurationString, "2902")
    equal(CBUUIDCharacteristicFormatString, "2904")
  }
}
