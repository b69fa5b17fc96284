import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// Maximum CE Length of LE Create Connection and LE Connection Update (Vol 4, Part E, 7.8.12, 7.8.18): a controller may
/// ignore it, ours keeps to it as a central.
@Suite("The connection event length that a host asks for")
struct EventLengthTests {
  /// A saturated link with PDUs of 27 octets and an interval of 30 ms.
  private final class Link {
    let bench: RadioBench
    private(set) var handle: HCI.ConnectionHandle = 0

    /// - Parameters:
    ///   - units: Maximum CE Length, 0.625 ms.
    ///   - length: what the peripheral's configuration says.
    init(units: UInt16, length: SimDuration? = nil) throws {
      bench = RadioBench(
        RadioBench.radios(2) { configuration, index in
          configuration.maximumDataLength = 27
          if index == 1 { configuration.maximumEventLength = length }
        })
      var creation = RadioBench.creation(1)
      creation.parameters.eventLengthMaximum = units
      bench.advertise(1)
      bench.command(0, .leCreateConnection(creation))
      bench.run(for: .seconds(1))
      handle = try required(bench.connections(of: 0).first).handle
      bench.onMessage = { [unowned bench, handle] device, message in
        guard device == 0, case .event(.numberOfCompletedPackets(let completed)) = message else { return }
        for _ in 0..<completed.reduce(0, { $0 + Int($1.count) }) { bench.send(0, handle, Self.value) }
      }
      for _ in 0..<8 { bench.send(0, handle, Self.value) }
      bench.run(for: .seconds(1))
    }

    private static let value = [UInt8](repeating: 1, count: 27)

    func update(units: UInt16, by device: Int = 0) {
      var parameters = RadioBench.creation(1).parameters
      parameters.eventLengthMaximum = units
      bench.command(device, .leConnectionUpdate(handle, parameters))
      bench.run(for: .seconds(1))
    }

    /// Packets that arrive within a hundred connection events.
    func packets() -> Int {
      bench.received[1].removeAll()
      bench.run(for: .seconds(3))
      return bench.received[1].count
    }
  }

  /// Exchanges of 676 µs of which the last one needs no T_IFS after it; without a limit they end before the next
  /// anchor.
  private func exchanges(units: UInt16) -> Int { units == 0 ? 30_000 / 676 : max(1, (Int(units) * 625 + 150) / 676) }

  private func sends(_ packets: Int, units: UInt16) {
    let one = exchanges(units: units)
    expect(abs(packets - 100 * one) <= one, "\(packets) packets in 100 events with \(units) units")
  }

  @Test("A link carries what fits its events", arguments: [0, 1, 2, 4, 8, 16, 48, 0xFFFF] as [UInt16])
  func creation(units: UInt16) throws {
    sends(try Link(units: units).packets(), units: units > 47 ? 0 : units)
  }

  @Test("An update of the central's host sets it again, and zero takes it away")
  func update() throws {
    let link = try Link(units: 0)
    for units in [4, 16, 0] as [UInt16] {
      link.update(units: units)
      sends(link.packets(), units: units)
    }
  }

  @Test("A configured length that is shorter remains")
  func configured() throws {
    sends(try Link(units: 16, length: .microseconds(2_500)).packets(), units: 4)
    sends(try Link(units: 4, length: .microseconds(10_000)).packets(), units: 4)
  }

  @Test("A minimum above the maximum is refused with Invalid HCI Command Parameters")
  func order() {
    let bench = RadioBench(RadioBench.radios(1))
    var creation = RadioBench.creation(1)
    creation.parameters.eventLengthMinimum = 2
    creation.parameters.eventLengthMaximum = 1
    bench.command(0, .leCreateConnection(creation))
    let statuses = bench.events[0].compactMap { entry -> HCI.ErrorCode? in
      if case .commandStatus(_, let status) = entry.event { status } else { nil }
    }
    equal(statuses, [.invalidParameters])
  }
}
