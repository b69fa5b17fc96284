import AppSeam
import BeamScribe
import BeamSuite
import Bench
import BluetoothWire
import Conformance
import Expectations
import SimKernel
import Testing

@Suite("Frames of streams on charts")
struct StreamChartTests {
  /// A hand-written trace of a host (device 0) and a guest (device 1).
  private struct Script {
    private let reader = ChartReader(of: .beamscribe)
    private var count = 0
    var milliseconds: Int64 = 0

    init(_ dialect: DialectName = .beamNetwork) {
      let devices = [("host", AppRole.beamHost), ("guest", .beamGuest)].enumerated().map { index, device in
        TraceHeader.Device(
          name: device.0, role: device.1, phone: "ideal", dialect: dialect.rawValue, engine: "reference",
          address: BluetoothAddress(kind: .random, bits: 0xC000_0000_0000 + UInt64(index)))
      }
      reader.begin(TraceHeader(scenario: "by hand", seed: 7, devices: devices, options: []))
    }

    mutating func add(_ device: Int, _ event: TraceEvent) {
      reader.read(
        TraceRecord(sequence: count, instant: .zero + .milliseconds(milliseconds), device: device, event: event))
      count += 1
      milliseconds += 1
    }

    mutating func hear(_ device: Int, _ input: NetworkInput) { add(device, .input(.network(input))) }

    mutating func connect(_ guest: Int = 2, _ host: Int = 1, over interface: NetworkInterface = .infrastructure) {
      hear(1, .ready(ConnectionID(guest), interface))
      hear(0, .incoming(ConnectionID(host), interface, peer: "guest"))
    }

    mutating func send(_ octets: [UInt8], on connection: Int = 1, accepted: Bool = true) {
      add(0, .effect(.network(.send(ConnectionID(connection), octets: octets))))
      hear(0, .submitted(ConnectionID(connection), accepted: accepted))
    }

    mutating func receive(_ octets: [UInt8], on connection: Int = 2) {
      hear(1, .received(ConnectionID(connection), octets: octets))
    }

    var chart: Chart { reader.chart(nil) }
    var packets: [Chart.Packet] { chart.entries.compactMap(\.packet) }
  }

  private static func frame(_ packet: BeamPacket) -> [UInt8] { Frame(body: packet.encoded()).encoded(.length) }
  private static let final = frame(.liveChunk(BeamPacket.LiveChunk(isFinal: true, sequence: 7, text: "Good morning.")))
  private static let alert = frame(.alert(.batteryLow))

  @Test("A frame begins with its first octet and ends with its last one, wherever it is cut")
  func cut() throws {
    var script = Script()
    script.connect()
    let all = Self.final + Self.alert
    script.send(Array(all[..<3]))
    script.receive(Array(all[..<2]))
    script.send(Array(all[3...]))
    for octet in all[2...] { script.receive([octet]) }
    let packets = script.packets
    expect(packets.map(\.label) == ["liveChunk final", "alert batteryLow"] && packets.map(\.note) == ["7", ""])
    expect(packets.allSatisfy { $0.from == 0 && $0.to == 1 && $0.isPacket })
    expect(packets[0].octets == Array(Self.final[4...]) && packets[0].stream?.head == Array(Self.final[..<4]))
    equal(packets[0].sentAt, .zero + .milliseconds(2))
    equal(packets[0].receivedAt, .zero + .milliseconds(7 + Int64(Self.final.count) - 3))
    equal(packets.map { $0.stream?.octets }, [0..<Self.final.count, Self.final.count..<all.count])
    expect(packets[0].fragments == 2 && packets[1].fragments == 1)
  }

  @Test("What was refused is no frame, and what never came is one that is lost, in part too")
  func lost() throws {
    var script = Script()
    script.connect()
    script.send(Self.alert, accepted: false)
    script.send(Self.final)
    script.send(Self.alert)
    script.receive(Array(Self.final[..<40]))
    script.hear(1, .failed(ConnectionID(2), .timedOut))
    let packets = script.packets
    equal(packets.map(\.label), ["liveChunk final", "alert batteryLow"])
    expect(packets.allSatisfy { $0.receivedAt == nil })
    equal(packets.map(\.note), ["7, only 40 of \(Self.final.count) octets came", ""])
    let stream = try required(script.chart.streams.first)
    expect(stream.opener == 1 && stream.accepter == 0 && stream.endedAt != nil)
  }

  @Test("A second stream over another interface has its own frames")
  func second() throws {
    var script = Script()
    script.connect(2, 1, over: .peerToPeer)
    script.connect(4, 3)
    script.send(Self.final, on: 1)
    script.send(Self.alert, on: 3)
    script.receive(Self.alert, on: 4)
    script.receive(Self.final, on: 2)
    equal(script.packets.map(\.label), ["alert batteryLow", "liveChunk final"])
    equal(script.packets.map { $0.stream?.stream }, [1, 0])
    equal(script.chart.streams.map(\.interface), [.peerToPeer, .infrastructure])
  }

  @Test("Octets that are no frame say why, and so does a frame that only began")
  func broken() throws {
    var script = Script()
    script.connect()
    let octets: [UInt8] = [0x4C, 0, 0, 0] + Array("{}".utf8)
    script.send(octets)
    script.receive(octets)
    equal(script.packets.map(\.label), ["no frame: its length is 1275068416", "octets after what is no frame"])
    expect(script.packets.allSatisfy { !$0.isPacket })

    var other = Script()
    other.connect()
    other.send(Frame(body: Array("{}".utf8)).encoded(.length) + [0, 0])
    other.receive(Frame(body: Array("{}".utf8)).encoded(.length) + [0, 0])
    equal(Set(other.packets.map(\.label)), ["no packet: memberMissing at octet 2", "a frame that has only begun"])
  }

  @Test("Frames of the old transport have their kinds")
  func mpc() throws {
    var script = Script(.beamMPC)
    script.connect()
    let message = Frame(body: BeamPacket.alert(.batteryLow).encoded()).encoded(.kindAndLength)
    let octets = Frame(.accepted).encoded(.kindAndLength) + message
    script.send(octets)
    script.receive(octets)
    equal(script.packets.map(\.label), ["accepted", "alert batteryLow"])
  }
}
