import AppSeam
import BluetoothWire
import Expectations
import SimKernel
import Testing
import VirtualRadio

@testable import Platform

@Suite("A platform carries values, and breaks them when it is told to")
struct PlatformValueTests {
  private static func rule(
    _ fault: MessageFault, _ direction: MessageFaultRule.Direction, every: Int = 1, count: Int? = nil
  ) -> DeviceFault {
    .messages(MessageFaultRule(fault: fault, direction: direction, everyNth: every, count: count))
  }

  private static func answers(_ inputs: [AppInput]) -> [Bool] {
    inputs.compactMap {
      switch $0 {
      case .submitted(_, _, let isAccepted): isAccepted
      case .writeCompleted(_, _, let error): error == nil
      default: nil
      }
    }
  }

  enum Way: CaseIterable {
    case notification, writeCommand, write

    /// Who sends, who receives.
    var ends: (Int, Int) { self == .notification ? (0, 1) : (1, 0) }

    func effect(_ link: LinkID, _ octets: [UInt8]) -> AppEffect {
      switch self {
      case .notification: .notify(link, characteristic: Apps.state, octets: octets)
      case .writeCommand: .writeWithoutResponse(link, characteristic: Apps.command, octets: octets)
      case .write: .write(link, characteristic: Apps.command, octets: octets)
      }
    }
  }

  /// Sends values 1, 2, 3 … of three octets each, each after the one before has been answered and has arrived.
  private static func send(_ count: Int, _ way: Way, _ bench: PlatformBench) {
    for number in 1...count {
      bench.perform(way.ends.0, way.effect(LinkID(0), [0, UInt8(number), 0]))
      bench.run(for: .milliseconds(200))
    }
  }

  struct Example: Sendable, CustomTestStringConvertible {
    var fault: MessageFault
    var every: Int
    var count: Int?
    /// The middle octets of the values that arrive when 1 to 6 are sent.
    var arrived: [UInt8]
    var testDescription: String { "\(fault), every \(every), count \(count.map { String($0) } ?? "none")" }
  }

  static let examples = [
    Example(fault: .drop, every: 1, count: nil, arrived: []),
    Example(fault: .drop, every: 3, count: nil, arrived: [1, 2, 4, 5]),
    Example(fault: .drop, every: 2, count: 1, arrived: [1, 3, 4, 5, 6]),
    Example(fault: .duplicate, every: 4, count: nil, arrived: [1, 2, 3, 4, 4, 5, 6]),
    Example(fault: .duplicate, every: 1, count: 2, arrived: [1, 1, 2, 2, 3, 4, 5, 6]),
    Example(fault: .reorder, every: 2, count: 1, arrived: [1, 3, 2, 4, 5, 6]),
    Example(fault: .reorder, every: 1, count: nil, arrived: [2, 1, 4, 3, 6, 5]),
    Example(fault: .corrupt, every: 5, count: nil, arrived: [1, 2, 3, 4, 250, 6]),
    Example(fault: .corrupt, every: 2, count: 2, arrived: [1, 253, 3, 251, 5, 6]),
  ]

  @Test("A broken stack on the way out: what arrives, and each value is answered once, with yes", arguments: examples)
  func outgoing(example: Example) throws {
    for way in Way.allCases {
      let bench = try required(Apps.connected())
      let (sender, receiver) = way.ends
      let before = bench.seen.count
      bench.apply(Self.rule(example.fault, .fromDevice, every: example.every, count: example.count), sender)
      Self.send(6, way, bench)
      equal(bench.values(receiver).map { $0[1] }, example.arrived, "\(way)")
      equal(Self.answers(bench.inputs(sender, since: before)), Array(repeating: true, count: 6), "\(way)")
    }
  }

  @Test("A broken stack on the way in: what the app gets, whatever the sender was told", arguments: examples)
  func incoming(example: Example) throws {
    for way in Way.allCases {
      let bench = try required(Apps.connected())
      let (sender, receiver) = way.ends
      let before = bench.seen.count
      bench.apply(Self.rule(example.fault, .toDevice, every: example.every, count: example.count), receiver)
      Self.send(6, way, bench)
      equal(bench.values(receiver).map { $0[1] }, example.arrived, "\(way)")
      equal(Self.answers(bench.inputs(sender, since: before)), Array(repeating: true, count: 6), "\(way)")
      equal(bench.platforms[receiver].valuesReceived, 6)
    }
  }

  @Test("Each blow is in the trace with the value it hit, and ending the faults ends them")
  func traced() throws {
    let bench = try required(Apps.connected())
    bench.apply(Self.rule(.drop, .fromDevice, every: 2), 0)
    Self.send(2, .notification, bench)
    equal(bench.faults(0), [.message(.drop, LinkID(0), characteristic: Apps.state, octets: [0, 2, 0])])
    bench.apply(.messagesOff, 0)
    Self.send(4, .notification, bench)
    equal(bench.faults(0).count, 1)
    equal(bench.values(1).map { $0[1] }, [1, 1, 2, 3, 4])
  }

  @Test("An empty value cannot be corrupted, and arrives")
  func emptyValue() throws {
    let bench = try required(Apps.connected())
    bench.apply(Self.rule(.corrupt, .fromDevice), 0)
    bench.perform(0, .notify(LinkID(0), characteristic: Apps.state, octets: []))
    bench.run(for: .seconds(1))
    equal(bench.values(1), [[]])
  }

  @Test("Answers to writes come in the order of the writes, although a broken stack has dropped one of them")
  func answersInOrder() throws {
    let bench = try required(Apps.connected())
    let before = bench.seen.count
    bench.apply(Self.rule(.drop, .fromDevice, every: 2), 1)
    bench.perform(1, Way.write.effect(LinkID(0), [0, 1, 0]), Way.write.effect(LinkID(0), [0, 2, 0]))
    equal(Self.answers(bench.inputs(1, since: before)), [], "the first write is still out")
    bench.run(for: .seconds(1))
    equal(Self.answers(bench.inputs(1, since: before)), [true, true])
  }

  @Test("A value that waits to be overtaken goes out in the way that it was meant to go")
  func ownCarrier() throws {
    let bench = try required(Apps.connected())
    // The client of the link serves too.
    let bell = BluetoothUUID(0xFE0B)
    bench.perform(
      1,
      .publish(
        ServiceDefinition(uuid: BluetoothUUID(0xFE0A), characteristics: [.init(uuid: bell, properties: .notify)])))
    bench.perform(
      0, .discover(LinkID(0), service: BluetoothUUID(0xFE0A)),
      .subscribe(LinkID(0), characteristic: bell, true))
    bench.run(for: .seconds(2))
    bench.apply(Self.rule(.reorder, .fromDevice, count: 1), 1)
    let before = bench.seen.count
    bench.perform(1, .notify(LinkID(0), characteristic: bell, octets: [0, 1, 0]))
    bench.perform(1, Way.write.effect(LinkID(0), [0, 2, 0]))
    bench.run(for: .seconds(1))
    equal(bench.values(0).map { $0[1] }, [2, 1])
    equal(
      bench.inputs(1, since: before),
      [
        .submitted(LinkID(0), characteristic: bell, accepted: true),
        .writeCompleted(LinkID(0), characteristic: Apps.command, error: nil),
      ])
  }

  @Test("A value that waits to be overtaken is lost with its link, and the fault goes on with other links")
  func heldOnLostLink() throws {
    let bench = try required(Apps.connected(clients: 2))
    bench.apply(Self.rule(.reorder, .fromDevice), 0)
    let lost = try required(bench.link(0, to: 1))
    let kept = try required(bench.link(0, to: 2))
    bench.perform(0, .notify(lost, characteristic: Apps.state, octets: [0, 9, 0]))
    bench.apply(.disconnect(1), 0)
    bench.run(for: .seconds(1))
    for number in 1...4 as ClosedRange<UInt8> {
      bench.perform(0, .notify(kept, characteristic: Apps.state, octets: [0, number, 0]))
      bench.run(for: .milliseconds(200))
    }
    equal(bench.values(1), [])
    equal(bench.values(2).map { $0[1] }, [2, 1, 4, 3])
  }

  @Test("A full queue refuses and says when there is room; every value is answered once, in order, and none is lost")
  func backPressure() throws {
    let bench = try required(
      Apps.connected { phone, _ in
        phone.buffers.notificationQueue = 3
        phone.buffers.writeCommandQueue = 3
      })
    for way in [Way.notification, .writeCommand] {
      let (sender, receiver) = way.ends
      let before = bench.seen.count
      let received = bench.values(receiver).count
      let effects = (0..<40).map { way.effect(LinkID(0), [0, UInt8($0), 0]) }
      bench.platforms[sender].perform(effects)
      bench.settle()
      let told = bench.inputs(sender, since: before)
      let answers = Self.answers(told)
      let accepted = answers.firstIndex(of: false) ?? answers.count
      equal(answers.count, 40)
      equal(answers, Array(repeating: true, count: accepted) + Array(repeating: false, count: 40 - accepted))
      expect(accepted > 3 && accepted < 40)
      expect(!told.contains(.readyToSend(LinkID(0))))
      bench.run(for: .seconds(1))
      let later = bench.inputs(sender, since: before).filter { $0 == .readyToSend(LinkID(0)) }
      equal(later.count, 1)
      equal(bench.values(receiver).count - received, accepted)
      bench.perform(sender, way.effect(LinkID(0), [0, 99, 0]))
      equal(Self.answers(bench.inputs(sender, since: before)).last, true)
    }
  }

  @Test("A value for a link that is not there is refused, and nothing follows")
  func noLink() {
    let bench = PlatformBench([Apps.quiet])
    bench.launch(0)
    for way in Way.allCases { bench.perform(0, way.effect(LinkID(3), [1])) }
    bench.run(for: .seconds(1))
    equal(
      bench.inputs(0),
      [
        .launched, .submitted(LinkID(3), characteristic: Apps.state, accepted: false),
        .submitted(LinkID(3), characteristic: Apps.command, accepted: false),
        .writeCompleted(LinkID(3), characteristic: Apps.command, error: ATT.ErrorCode.unlikelyError.rawValue),
      ])
  }

  @Test("A notification to somebody who has not subscribed is refused")
  func notSubscribed() throws {
    let bench = try required(Apps.connected())
    bench.perform(1, .subscribe(LinkID(0), characteristic: Apps.state, false))
    bench.run(for: .seconds(1))
    let before = bench.seen.count
    bench.perform(0, .notify(LinkID(0), characteristic: Apps.state, octets: [1]))
    bench.run(for: .seconds(1))
    equal(bench.inputs(0, since: before), [.submitted(LinkID(0), characteristic: Apps.state, accepted: false)])
    equal(bench.values(1), [])
  }

  @Test("A read returns what was set last; a write to what is not there fails")
  func reading() throws {
    let bench = try required(Apps.connected())
    bench.perform(0, .setValue(characteristic: Apps.state, octets: [4, 5, 6]))
    bench.perform(1, .read(LinkID(0), characteristic: Apps.state))
    bench.run(for: .seconds(1))
    expect(bench.inputs(1).contains(.valueRead(LinkID(0), characteristic: Apps.state, octets: [4, 5, 6])))
    let stranger = BluetoothUUID(0xABCD)
    bench.perform(1, .read(LinkID(0), characteristic: stranger))
    bench.perform(1, .write(LinkID(0), characteristic: stranger, octets: [1]))
    bench.run(for: .seconds(1))
    expect(bench.inputs(1).contains(.valueRead(LinkID(0), characteristic: stranger, octets: nil)))
    expect(
      bench.inputs(1).contains(
        .writeCompleted(LinkID(0), characteristic: stranger, error: ATT.ErrorCode.attributeNotFound.rawValue)))
  }
}
