import AppSeam
import BluetoothWire
import SimKernel
import Testing

@testable import Platform
@testable import VirtualRadio

@Suite("What an app asks about attributes, and which answer is whose")
struct PlatformAttributeTests {
  private static let first = BluetoothUUID(0xFE11)
  private static let second = BluetoothUUID(0xFE12)

  /// A client of a server with two characteristics whose values are fixed, and their handles.
  private func connected() throws -> (bench: PlatformBench, link: LinkID, first: ATT.Handle, second: ATT.Handle) {
    let bench = try #require(Apps.connected())
    let values: [(BluetoothUUID, UInt8)] = [(Self.first, 1), (Self.second, 2)]
    let list = values.enumerated().map { index, value in
      LocalCharacteristic(
        key: AttributeKey(index + 1), uuid: value.0, properties: 0x0A, permissions: [.read, .write], value: [value.1])
    }
    bench.perform(
      0, .gatt(.publish(LocalService(key: ServiceKey(0), uuid: BluetoothUUID(0xFE10), characteristics: list))))
    let link = try #require(bench.link(1, to: 0))
    bench.perform(1, .gatt(.discoverServices(link, [BluetoothUUID(0xFE10)])))
    var service: FoundService?
    #expect(
      bench.wait {
        if case .gatt(.services(_, let found, nil))? = bench.inputs(1).last { service = found.first }
        return service != nil
      })
    bench.perform(1, .gatt(.discoverCharacteristics(link, try #require(service))))
    var found: [FoundCharacteristic] = []
    #expect(
      bench.wait {
        if case .gatt(.characteristics(_, _, let list, nil))? = bench.inputs(1).last { found = list }
        return found.count == 2
      })
    // What the platform asks for itself is answered, too.
    bench.run(for: .seconds(2))
    return (bench, link, found[0].value, found[1].value)
  }

  @Test("One request too many is answered for what it asked, and not for those that wait")
  func reads() throws {
    let (bench, link, first, second) = try connected()
    let before = bench.seen.count
    let reads = Array(repeating: AppEffect.gatt(.read(link, first, type: Self.first)), count: 65)
    bench.platforms[1].perform(reads + [.gatt(.read(link, second, type: Self.second))])
    bench.settle()
    #expect(bench.wait { bench.inputs(1, since: before).count == 66 })
    let answers = bench.inputs(1, since: before)
    #expect(answers[0] == .gatt(.valueRead(link, second, type: Self.second, octets: [], error: 0x11)))
    #expect(
      answers.dropFirst().allSatisfy {
        $0 == .gatt(.valueRead(link, first, type: Self.first, octets: [1], error: nil))
      })
  }

  @Test("So is a write too many")
  func writes() throws {
    let (bench, link, first, second) = try connected()
    let before = bench.seen.count
    let writes = Array(repeating: AppEffect.gatt(.write(link, first, type: Self.first, octets: [3])), count: 65)
    bench.platforms[1].perform(writes + [.gatt(.write(link, second, type: Self.second, octets: [4]))])
    bench.settle()
    #expect(bench.wait { bench.inputs(1, since: before).count >= 66 })
    let answers = bench.inputs(1, since: before)
    #expect(answers[0] == .gatt(.valueWritten(link, second, type: Self.second, error: 0x11)))
    #expect(answers.filter { if case .gatt(.valueWritten(_, first, _, _)) = $0 { true } else { false } }.count == 65)
  }
}
