import AppSeam
import BabSuite
import Bench
import BluetoothWire
import Conformance
import Expectations
import Judging
import SimKernel
import Testing

@testable import RunReports

@Suite("What led to it, where apps use CoreBluetooth")
struct CallStoryTests {
  private static let (host, guest) = (0, 1)
  private static let addresses = [0xF0_0000_0001, 0xF0_0000_0002].map { BluetoothAddress(kind: .random, bits: $0) }
  private static let link = LinkID(0)
  private static let type = BluetoothUUID(0xFFE1)

  private static func call(_ method: String, _ arguments: [String], result: String? = nil) -> TraceEvent {
    .report(
      AppReport(
        CallWord.call(method: method, peer: addresses[host].description, arguments: arguments, result: result)))
  }

  private static func callback(_ method: String, _ arguments: [String]) -> TraceEvent {
    .report(AppReport(CallWord.callback(method: method, arguments: arguments)))
  }

  /// A run of these events, 10 ms apart.
  private static func teller(_ events: [(device: Int, event: TraceEvent)]) -> StoryTeller {
    let keeper = RunKeeper()
    keeper.begin(
      TraceHeader(
        scenario: "calls", seed: 1,
        devices: ["host", "guest"].enumerated().map { index, name in
          TraceHeader.Device(
            name: name, role: AppRole(rawValue: index == 0 ? "host" : "client"), phone: "ideal", dialect: "sdk",
            engine: "iut", address: addresses[index])
        }, options: []))
    for (number, (device, event)) in events.enumerated() {
      keeper.read(
        TraceRecord(sequence: number, instant: .zero + .milliseconds(Int64(10 * number)), device: device, event: event))
    }
    return StoryTeller(keeper.run, of: .bab, scenario: nil)
  }

  private static func finding(_ record: Int, _ device: Int) -> Trouble {
    Trouble(
      claim: "Claim", clause: "BAB 1.1", instant: .zero + .milliseconds(Int64(10 * record)), since: nil,
      devices: [device], expected: "", actual: "", record: record, line: nil, isInconclusive: false)
  }

  private static let connected: [(device: Int, event: TraceEvent)] = [
    (host, .input(.connected(link, peer: addresses[guest]))), (guest, .input(.connected(link, peer: addresses[host]))),
  ]

  @Test("A value is told with the call that it comes from, past others, and the callback that told of it")
  func value() {
    let story = Self.teller(
      Self.connected + [
        (Self.guest, Self.call("CBPeripheral.writeValue(_:for:type:)", ["2 octets 4F4B", "FFE1", "withResponse"])),
        (Self.guest, Self.call("CBPeripheral.writeValue(_:for:type:)", ["2 octets 4E4F", "FFE1", "withResponse"])),
        (Self.guest, .effect(.write(Self.link, characteristic: Self.type, octets: Array("OK".utf8)))),
        (Self.host, .input(.valueReceived(Self.link, characteristic: Self.type, octets: Array("OK".utf8)))),
        (Self.host, Self.callback("peripheralManager(_:didReceiveWrite:)", ["[FFE1 2 octets 4F4B]"])),
      ]
    ).story(of: Self.finding(5, Self.host))
    equal(
      story.map(\.text).filter { $0.contains("calls") || $0.contains("is told") },
      [
        "guest: calls CBPeripheral.writeValue(2 octets 4F4B, for: FFE1, type: withResponse), about host",
        "host: is told peripheralManager(didReceiveWrite: [FFE1 2 octets 4F4B])",
      ])
    equal(story.map(\.record), [2, 5, 5, 6])
  }

  @Test("Misuse has its call; what was refused has its callback; a value without room is told")
  func troubles() {
    let method = "CBPeripheralManager.updateValue(_:for:onSubscribedCentrals:)"
    let story = Self.teller(
      Self.connected + [
        (Self.host, Self.call(method, ["3 octets 010203", "FFE1", "nil"], result: "false")),
        (Self.host, Self.call(method, ["1 octet 01", "FFE1", "nil"], result: "true")),
        (
          Self.host,
          .report(AppReport(CallWord.remark(kind: "misuse", id: "update.truncated", text: "it is cut")))
        ),
        (Self.host, .input(.writeCompleted(Self.link, characteristic: Self.type, error: 3))),
        (Self.host, Self.callback("peripheral(_:didWriteValueFor:error:)", ["FFE1", "CBATTError.writeNotPermitted"])),
      ]
    ).story(of: Self.finding(6, Self.host))
    let texts = story.map(\.text)
    expect(
      texts.contains { $0.contains("updateValue(3 octets 010203, for: FFE1, onSubscribedCentrals: nil) → false") })
    expect(
      texts.contains {
        $0.hasPrefix("host: misuse update.truncated: it is cut; it calls CBPeripheralManager.updateValue(1 octet 01")
      }, "\(texts)")
    expect(
      texts.contains {
        $0.hasSuffix("; it is told peripheral(didWriteValueFor: FFE1, error: CBATTError.writeNotPermitted)")
      }, "\(texts)")
  }

  @Test("Where no app uses CoreBluetooth nothing is told of calls")
  func others() throws {
    let run = try JudgedRun("lobby/eight-peer-lobby", ["devices.host.engine=lobby-update-forgotten"])
    let story = run.story(of: try required(run.troubles.first))
    expect(!story.contains { $0.text.contains("calls ") || $0.text.contains("is told") })
  }
}
