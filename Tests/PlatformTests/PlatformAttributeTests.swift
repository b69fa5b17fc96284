import AppSeam
import BluetoothWire
import Expectations
import SimKernel
import Testing

@testable import Platform
@testable import VirtualRadio

@Suite("What an app asks about attributes, and which answer is whose")
struct PlatformAttributeTests {
  @Test("Two services of one UUID are told apart, and where there is one nothing is said of it", arguments: [1, 2])
  func instances(_ count: Int) throws {
    let bench = PlatformBench([
      { input in
        input == .launched
          ? Array(repeating: .publish(Apps.definition), count: count) + [.advertise(Apps.request)] : []
      }, Apps.client,
    ])
    bench.launch(0, 1)
    expect(bench.wait { bench.inputs(1).contains { if case .subscribed = $0 { true } else { false } } })
    let found = bench.inputs(1).compactMap { input -> [ServiceDefinition.Characteristic]? in
      if case .servicesDiscovered(_, Apps.service, let found) = input { found } else { nil }
    }
    equal(
      found,
      [
        (0..<count).flatMap { instance in
          Apps.definition.characteristics.map {
            ServiceDefinition.Characteristic(uuid: $0.uuid, properties: $0.properties, instance: instance)
          }
        }
      ])
  }

  private static let first = BluetoothUUID(0xFE11)
  private static let second = BluetoothUUID(0xFE12)

  /// A client of a server with these characteristics, and what it has found.
  private func connected(
    _ list: [LocalCharacteristic]
  ) throws -> (bench: PlatformBench, link: LinkID, found: [FoundCharacteristic]) {
    let bench = try required(Apps.connected())
    bench.perform(
      0, .gatt(.publish(LocalService(key: ServiceKey(0), uuid: BluetoothUUID(0xFE10), characteristics: list))))
    let link = try required(bench.link(1, to: 0))
    bench.perform(1, .gatt(.discoverServices(link, [BluetoothUUID(0xFE10)])))
    var service: FoundService?
    expect(
      bench.wait {
        if case .gatt(.services(_, let found, nil))? = bench.inputs(1).last { service = found.first }
        return service != nil
      })
    bench.perform(1, .gatt(.discoverCharacteristics(link, try required(service))))
    var found: [FoundCharacteristic] = []
    expect(
      bench.wait {
        if case .gatt(.characteristics(_, _, let list, nil))? = bench.inputs(1).last { found = list }
        return found.count == list.count
      })
    // What the platform asks for itself is answered, too.
    bench.run(for: .seconds(2))
    return (bench, link, found)
  }

  /// A server with two characteristics whose values are fixed, and their handles.
  private func connected() throws -> (bench: PlatformBench, link: LinkID, first: ATT.Handle, second: ATT.Handle) {
    let values: [(BluetoothUUID, UInt8)] = [(Self.first, 1), (Self.second, 2)]
    let (bench, link, found) = try connected(
      values.enumerated().map { index, value in
        LocalCharacteristic(
          key: AttributeKey(index + 1), uuid: value.0, properties: 0x0A, permissions: [.read, .write],
          value: [value.1])
      })
    return (bench, link, found[0].value, found[1].value)
  }

  /// The descriptors of the first characteristic, by type.
  private func descriptors(
    _ bench: PlatformBench, _ link: LinkID, _ characteristic: FoundCharacteristic
  ) -> [BluetoothUUID: ATT.Handle] {
    bench.perform(1, .gatt(.discoverDescriptors(link, characteristic)))
    var found: [FoundDescriptor]?
    expect(
      bench.wait {
        if case .gatt(.descriptors(_, _, let list, nil))? = bench.inputs(1).last { found = list }
        return found != nil
      })
    return Dictionary(uniqueKeysWithValues: (found ?? []).map { ($0.uuid, $0.handle) })
  }

  @Test("A descriptor without a fixed value is what the app answers; one with it is read from the stack, not written")
  func descriptors() throws {
    let (note, own) = (BluetoothUUID(0x2901), BluetoothUUID(0xFE13))
    let (bench, link, found) = try connected([
      LocalCharacteristic(
        key: AttributeKey(1), uuid: Self.first, properties: 0x12, permissions: [.read], value: [1],
        descriptors: [
          LocalDescriptor(key: AttributeKey(2), uuid: note, value: Array("note".utf8)),
          LocalDescriptor(key: AttributeKey(3), uuid: own, value: nil),
        ])
    ])
    let handles = descriptors(bench, link, found[0])
    expect(handles.count == 3 && handles[.clientCharacteristicConfiguration] != nil)
    let (noted, asked) = (try required(handles[note]), try required(handles[own]))

    /// What the client is told after the server's app, if it is asked, has answered by value or error.
    func play(_ effect: GATTEffect, value: [UInt8] = [], error: UInt8? = nil) throws -> (AppInput?, AppInput?) {
      let before = bench.seen.count
      bench.perform(1, .gatt(effect))
      bench.run(for: .seconds(1))
      let question = bench.inputs(0, since: before).last
      switch question {
      case .gatt(.readAsked(let request, _, AttributeKey(3), own, 0)),
        .gatt(.writesAsked(let request, _, own, _, true)):
        bench.perform(0, .gatt(.answer(request, value: value, error: error)))
        bench.run(for: .seconds(1))
      default: break
      }
      return (question, bench.inputs(1, since: before).last)
    }

    var (question, answer) = try play(.read(link, noted, type: note))
    expect(question == nil)
    equal(answer, .gatt(.valueRead(link, noted, type: note, octets: Array("note".utf8), error: nil)))
    (question, answer) = try play(.write(link, noted, type: note, octets: [9]))
    expect(question == nil && answer == .gatt(.valueWritten(link, noted, type: note, error: 0x03)))
    (question, answer) = try play(.read(link, asked, type: own), value: [7, 8])
    expect(question != nil)
    equal(answer, .gatt(.valueRead(link, asked, type: own, octets: [7, 8], error: nil)))
    (question, answer) = try play(.write(link, asked, type: own, octets: [9]))
    guard case .gatt(.writesAsked(_, _, _, let parts, _))? = question else {
      return expect(false, "the app was asked \(String(describing: question))")
    }
    equal(parts, [WritePart(attribute: AttributeKey(3), offset: 0, octets: [9])])
    equal(answer, .gatt(.valueWritten(link, asked, type: own, error: nil)))
    (_, answer) = try play(.write(link, asked, type: own, octets: [9]), error: 0x80)
    equal(answer, .gatt(.valueWritten(link, asked, type: own, error: 0x80)))
    // No value of a descriptor can be notified.
    let before = bench.seen.count
    bench.perform(0, .gatt(.notify(try required(bench.link(0, to: 1)), AttributeKey(3), type: own, octets: [1])))
    bench.run(for: .seconds(1))
    expect(bench.inputs(1, since: before).isEmpty)
  }

  /// A server with one value, whose parts it wants to see, and a configuration of its own; what its app is asked of
  /// what a client asks, and what the client is told after the answer.
  private func asked() throws -> (
    link: LinkID, value: ATT.Handle, configuration: ATT.Handle,
    play: (GATTEffect, [UInt8], UInt8?) -> (asked: AppInput?, told: AppInput?), bench: PlatformBench
  ) {
    let (bench, link, found) = try connected([
      LocalCharacteristic(
        key: AttributeKey(1), uuid: Self.first, properties: 0x3A, permissions: [.read, .write, .parts],
        descriptors: [LocalDescriptor(key: AttributeKey(2), uuid: .clientCharacteristicConfiguration, value: nil)])
    ])
    let handles = descriptors(bench, link, found[0])
    equal(handles.count, 1, "the app's configuration is the only one")
    let configuration = try required(handles[.clientCharacteristicConfiguration])
    let play = { (effect: GATTEffect, value: [UInt8], error: UInt8?) -> (asked: AppInput?, told: AppInput?) in
      let before = bench.seen.count
      bench.perform(1, .gatt(effect))
      bench.run(for: .seconds(1))
      let question = bench.inputs(0, since: before).last
      switch question {
      case .gatt(.partAsked(let request, _, _, _)), .gatt(.executeAsked(let request, _, _, _, _)),
        .gatt(.writesAsked(let request, _, _, _, _)), .gatt(.readAsked(let request, _, _, _, _)):
        bench.perform(0, .gatt(.answer(request, value: value, error: error)))
        bench.run(for: .seconds(1))
      default: break
      }
      return (question, bench.inputs(1, since: before).last)
    }
    return (link, found[0].value, configuration, play, bench)
  }

  @Test("Parts of a prepared write are told and answered one by one, then written or taken back")
  func preparedWrites() throws {
    let (link, value, _, play, _) = try asked()
    let prepare = { GATTEffect.prepare(link, value, type: Self.first, offset: $0, octets: $1) }
    let told = { (offset: Int, octets: [UInt8], error: UInt8?) -> AppInput in
      .gatt(.prepared(link, value, type: Self.first, offset: offset, octets: octets, error: error))
    }
    var (question, answer) = play(prepare(0, [1, 2]), [1, 2], nil)
    guard case .gatt(.partAsked(_, _, Self.first, let part))? = question else {
      return expect(false, "the app was asked \(String(describing: question))")
    }
    equal(part, WritePart(attribute: AttributeKey(1), offset: 0, octets: [1, 2]))
    equal(answer, told(0, [1, 2], nil))
    (_, answer) = play(prepare(2, [3]), [9], nil)
    equal(answer, told(2, [9], nil), "what the app says that it keeps")
    (_, answer) = play(prepare(3, [4]), [], 0x80)
    equal(answer, told(3, [], 0x80), "and that part is not kept")
    (question, answer) = play(.execute(link, true), [], nil)
    guard case .gatt(.executeAsked(_, _, Self.first, let parts, isMeant: true))? = question else {
      return expect(false, "the app was asked \(String(describing: question))")
    }
    expect(parts.map(\.octets) == [[1, 2], [3]] && answer == .gatt(.executed(link, error: nil)))
    _ = play(prepare(0, [5]), [5], nil)
    (question, answer) = play(.execute(link, false), [], nil)
    guard case .gatt(.executeAsked(_, _, _, let dropped, isMeant: false))? = question else {
      return expect(false, "the app was asked \(String(describing: question))")
    }
    expect(dropped.map(\.octets) == [[5]] && answer == .gatt(.executed(link, error: nil)))
    (question, answer) = play(.execute(link, true), [], nil)
    expect(question == nil && answer == .gatt(.executed(link, error: nil)), "nothing is left to be asked about")
  }

  @Test("A configuration that the app answers holds when it has taken it")
  func ownConfiguration() throws {
    let (link, value, configuration, play, bench) = try asked()
    let type = BluetoothUUID.clientCharacteristicConfiguration
    let server = try required(bench.link(0, to: 1))
    let notify = {
      bench.perform(0, .gatt(.notify(server, AttributeKey(1), type: Self.first, octets: [7])))
      return bench.inputs(0).last
    }
    let taken = { AppInput.gatt(.notifySubmitted(server, AttributeKey(1), type: Self.first, accepted: $0)) }
    var (question, answer) = play(.write(link, configuration, type: type, octets: [2, 0]), [], 0x80)
    expect(answer == .gatt(.valueWritten(link, configuration, type: type, error: 0x80)) && notify() == taken(false))
    (question, answer) = play(.write(link, configuration, type: type, octets: [2, 0]), [], nil)
    guard case .gatt(.writesAsked(_, _, type, let parts, needsAnswer: true))? = question else {
      return expect(false, "the app was asked \(String(describing: question))")
    }
    equal(parts, [WritePart(attribute: AttributeKey(2), offset: 0, octets: [2, 0])])
    equal(bench.inputs(0).last, .gatt(.subscription(server, AttributeKey(1), type: Self.first, true)))
    equal(notify(), taken(true))
    bench.run(for: .seconds(1))
    equal(bench.inputs(1).last, .gatt(.notified(link, value, type: Self.first, octets: [7])))
    equal(bench.inputs(0).last, .gatt(.confirmed(server, AttributeKey(1), type: Self.first)))
    (question, answer) = play(.read(link, configuration, type: type), [2, 0], nil)
    expect(question != nil)
    equal(answer, .gatt(.valueRead(link, configuration, type: type, octets: [2, 0], error: nil)))
  }

  @Test("One request too many is answered for what it asked, and not for those that wait")
  func reads() throws {
    let (bench, link, first, second) = try connected()
    let before = bench.seen.count
    let reads = Array(repeating: AppEffect.gatt(.read(link, first, type: Self.first)), count: 65)
    bench.platforms[1].perform(reads + [.gatt(.read(link, second, type: Self.second))])
    bench.settle()
    expect(bench.wait { bench.inputs(1, since: before).count == 66 })
    let answers = bench.inputs(1, since: before)
    equal(answers[0], .gatt(.valueRead(link, second, type: Self.second, octets: [], error: 0x11)))
    expect(
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
    expect(bench.wait { bench.inputs(1, since: before).count >= 66 })
    let answers = bench.inputs(1, since: before)
    equal(answers[0], .gatt(.valueWritten(link, second, type: Self.second, error: 0x11)))
    equal(answers.filter { if case .gatt(.valueWritten(_, first, _, _)) = $0 { true } else { false } }.count, 65)
  }
}
