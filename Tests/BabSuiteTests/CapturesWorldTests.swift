import AppSeam
import BabSim
import Bench
import BluetoothWire
import CaptureFormats
import CaptureTestSupport
import Conformance
import Expectations
import SimKernel
import Testing
import VirtualRadio

/// Captures of whole runs, not of records made by hand: what tshark refuses here, our radios or stacks should not have
/// said.
@Suite("Captures of whole runs")
struct CapturesWorldTests {
  private static let scenario = """
    name: captured
    radio: convention-hall
    devices:
      host: {}
      client: { count: 3, around: host, radius: 4 m }
    game:
      lines: 4
      autoplay: { think: 300ms..900ms, accuracy: 80%..100% }
    steps:
      - host: start hosting
      - all clients: join
      - when: all clients in lobby
        within: 20s
        host: start lobby game
      - after: 2s
        client-2: vanish
        label: gone
    """

  private func run(readers: [any TraceReader]) throws -> RunOutcome {
    let scenario = try ScenarioReader.read(
      text: Self.scenario, file: "captured.yaml", language: .bab()
    ).get()
    return try World.run(scenario, options: RunOptions(seed: 11), readers: readers) { BabEngines.reference($1) }
  }

  private func capture(into folder: CaptureFolder) throws -> RunOutcome {
    let air = try AirCaptureReader(path: folder.path + "/air.pcapng")
    let hci = try HCICaptureReader(folder: folder.path)
    let outcome = try run(readers: [air, hci])
    try air.close()
    try hci.close()
    return outcome
  }

  @Test("Capturing changes nothing, and captures twice the same")
  func repeats() throws {
    let first = try CaptureFolder()
    let second = try CaptureFolder()
    let outcome = try capture(into: first)
    expect(outcome.statistics.pdusSent > 200)
    try equal(capture(into: second).digest, outcome.digest)
    try equal(run(readers: []).digest, outcome.digest)
    equal(
      first.names,
      [
        "air.pcapng", "client-1.btsnoop", "client-2.btsnoop", "client-3.btsnoop", "host.btsnoop",
      ])
    for name in first.names { try equal(first.octets(name), second.octets(name), "\(name)") }
  }

  /// Advertises three octets as they are.
  private final class Beacon: AppEngine {
    func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
      if case .launched = input { [.gap(.advertise(data: [2, 0x01, 0x06], scanResponse: []))] } else { [] }
    }
  }

  @Test("Wireshark reads advertisements as the PDUs of their kinds", .enabled(if: CaptureTool.tsharkPath != nil))
  func advertisingKinds() throws {
    let kinds: [(kind: HCI.AdvertisingParameters.Kind, type: Int)] = [
      (.connectableUndirected, 0), (.nonConnectableUndirected, 2), (.scannableUndirected, 6),
    ]
    var scenario = Scenario(name: "beacons", devices: [])
    for (kind, type) in kinds {
      var device = Device(name: "beacon-\(type)", group: "beacon", role: AppRole(rawValue: "beacon"), phone: .ideal)
      device.phone.advertising.kind = kind
      scenario.devices.append(device)
    }
    let folder = try CaptureFolder()
    let path = folder.path + "/air.pcapng"
    let air = try AirCaptureReader(path: path)
    let world = World(scenario, options: RunOptions(seed: 3), readers: [air]) { _, _ in Beacon() }
    world.begin()
    _ = world.advance(to: .zero + .seconds(2))
    _ = world.finish(ending: .finished)
    try air.close()
    for (place, type) in kinds.map(\.type).enumerated() {
      let senders = try CaptureTool.fields(
        path, ["btle.advertising_address"], filter: "btle.advertising_header.pdu_type == \(type)")
      let address = world.header.devices[place].address.description.lowercased()
      expect(senders.count > 20 && senders.allSatisfy { $0 == [address] }, "\(type)")
    }
  }

  @Test(
    "Wireshark finds nothing malformed in a noisy lobby, and the CRC errors that the trace names")
  func wireshark() throws {
    let folder = try CaptureFolder()
    _ = try capture(into: folder)
    var reader = CaptureReader()
    reader.append(try folder.octets("air.pcapng"))
    var packets: [CaptureRecord] = []
    while let packet = try reader.next() { packets.append(packet) }
    equal(reader.ending, .whole)
    let corrupted = packets.indices.filter {
      if case .air(let header) = packets[$0].body { header.isCRCValid != true } else { true }
    }
    expect(!corrupted.isEmpty)
    expect(packets.contains { $0.comments.contains("fault: client-2 vanishes") })
    guard CaptureTool.tsharkPath != nil else { return }
    let air = folder.path + "/air.pcapng"
    try expect(CaptureTool.fields(air, ["frame.number"], filter: "_ws.malformed").isEmpty)
    try equal(
      CaptureTool.fields(air, ["frame.number"], filter: "btle.crc.incorrect"), corrupted.map { ["\($0 + 1)"] })
    try expect(
      CaptureTool.fields(air, ["frame.number"], filter: "btle.advertising_header.pdu_type == 5")
        .count >= 3)
    try expect(
      CaptureTool.fields(air, ["frame.number"], filter: "btatt.opcode == 0x1b").count > 20)
    for name in folder.names where name.hasSuffix(".btsnoop") {
      let file = folder.path + "/" + name
      try expect(
        CaptureTool.fields(file, ["frame.number"], filter: "_ws.malformed").isEmpty, "\(name)")
      try expect(CaptureTool.fields(file, ["frame.number"], filter: "btatt").count > 20, "\(name)")
    }
  }

  @Test("Every packet at every HCI seam decodes and encodes back to itself")
  func hciDecodes() throws {
    let folder = try CaptureFolder()
    _ = try capture(into: folder)
    for name in folder.names where name.hasSuffix(".btsnoop") {
      var reader = CaptureReader()
      reader.append(try folder.octets(name))
      var count = 0
      while let record = try reader.next() {
        let octets = try required(record.h4Octets)
        let again =
          record.mark.map { $0 & 1 } == 1
          ? try HCI.ToHost(decoding: octets).h4Octets
          : try HCI.ToController(decoding: octets).h4Octets
        equal(again, octets)
        count += 1
      }
      expect(count > 50, "\(name)")
      equal(reader.ending, .whole)
    }
  }
}
