import AppSeam
import BabSim
import Bench
import BluetoothWire
import Expectations
import Platform
import SimKernel
import Testing
import VirtualRadio

/// The system ends an app for want of memory, as a step of a scenario.
@Suite("The step reclaim")
struct ReclaimTests {
  /// Asks for its state to be kept, and has one guest on a link.
  private final class Keeper: AppEngine {
    static let service = BluetoothUUID(0xABCD)
    func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
      guard case .launched = input else { return [] }
      return [
        .gap(.preserve(true)), .publish(ServiceDefinition(uuid: Self.service, characteristics: [])),
        .advertise(AdvertisementRequest(localName: "keeper", serviceUUIDs: [Self.service])),
      ]
    }
  }

  /// Connects to what it finds.
  private final class Guest: AppEngine {
    func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
      switch input {
      case .launched: [.scan(services: [Keeper.service])]
      case .discovered(let advertisement): [.stopScanning, .connect(advertisement.address)]
      default: []
      }
    }
  }

  private final class Book: TraceReader {
    var lines: [String] = []
    func read(_ record: TraceRecord) {
      switch record.event {
      case .input(.launched): lines.append("\(record.device) launched")
      case .input(.disconnected): lines.append("\(record.device) disconnected")
      case .fault(let fault): lines.append("\(record.device) \(fault)")
      default: break
      }
    }
  }

  private func play(_ step: String, engines: @escaping EngineFactory) throws -> [String] {
    let text = """
      devices: { host: {}, client: {} }
      limits: { simulated time: 1min }
      steps:
        - { after: 5s, host: \(step) }
        - { after: 5s, client: go out of range }
        - { after: 20s }
      """
    let book = Book()
    _ = try World.run(CrowdTests.scenario(text), options: RunOptions(seed: 1), readers: [book], engines: engines)
    return book.lines
  }

  @Test("An app that asks for it keeps its links, and is launched by what happens to them")
  func preserved() throws {
    let engines: EngineFactory = { name, configuration in configuration.device == 0 ? Keeper() : Guest() }
    try equal(
      play("reclaim", engines: engines),
      [
        "0 launched", "1 launched", "0 reclaim", "1 move(x: 1000000000, y: 1010000000, z: 0)", "0 launched",
        "0 disconnected", "1 disconnected",
      ])
  }

  @Test("For an app that does not ask, it is kill")
  func killed() throws {
    let reclaimed = try play("reclaim", engines: SessionPair.engines)
    expect(reclaimed.contains("0 kill") && !reclaimed.contains("0 reclaim"))
    try equal(play("kill", engines: SessionPair.engines), reclaimed)
  }
}
