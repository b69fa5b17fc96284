import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// A central that asks its peripheral for connection parameters (Vol 6, Part B, 5.1.7): device 1 is the central.
@Suite("A central's request for connection parameters")
struct ParameterRequestTests {
  private typealias Opcode = LL.ControlOpcode

  private let wish = HCI.ConnectionParameters(intervalMinimum: 40, intervalMaximum: 60, supervisionTimeout: 300)
  private let bench: RadioBench
  private let central: HCI.ConnectionHandle
  private let peripheral: HCI.ConnectionHandle

  init() throws {
    bench = RadioBench(RadioBench.radios(2) { radio, index in radio.asksForParameters = index == 1 }, wantsAir: true)
    (central, peripheral) = try required(bench.connect(1, to: 0))
    bench.run(for: .milliseconds(300))
    bench.air.removeAll()
  }

  /// The peripheral's host answers each request with this command.
  private func answer(_ reply: @escaping (HCI.ConnectionHandle, HCI.ConnectionParameters) -> HCI.Command) {
    bench.onMessage = { [unowned bench] device, message in
      guard device == 0, case .event(.leRemoteConnectionParameterRequest(let handle, let asked)) = message else {
        return
      }
      bench.world.controllers[0].submit(reply(handle, asked))
    }
  }

  /// Sender and opcode of the control PDUs on the air.
  private var talk: [String] {
    bench.air.filter { $0.pdu[0] & 3 == 3 && $0.fate == .received }
      .map { "\($0.transmitter == 1 ? "central" : "peripheral") \($0.pdu[2])" }
  }

  /// Status and interval of LE Connection Update Complete at a device.
  private func ends(_ device: Int) -> [String] {
    bench.events[device].compactMap {
      guard case .leConnectionUpdateComplete(_, let status, let interval, _, _) = $0.event else { return nil }
      return "\(status.rawValue) \(interval)"
    }
  }

  private func statuses(_ device: Int) -> [HCI.ErrorCode] {
    bench.events[device].compactMap { if case .commandStatus(_, let status) = $0.event { status } else { nil } }
  }

  @Test("The peripheral's host is asked, and its answer decides: request, response, indication")
  func accepted() {
    answer { handle, asked in
      expect(asked.intervalMinimum == 40 && asked.intervalMaximum == 60 && asked.supervisionTimeout == 300)
      var narrow = asked
      narrow.intervalMinimum = 50
      return .leRemoteConnectionParameterRequestReply(handle, narrow)
    }
    bench.command(1, .leConnectionUpdate(central, wish))
    bench.run(for: .seconds(2))
    equal(
      talk,
      [
        "central \(Opcode.connectionParamReq)", "peripheral \(Opcode.connectionParamRsp)",
        "central \(Opcode.connectionUpdateInd)",
      ])
    for device in 0...1 { equal(ends(device), ["0 50"]) }
  }

  @Test("A peripheral's host that refuses keeps the parameters, and the central's host is told why")
  func refused() {
    answer { handle, _ in
      .leRemoteConnectionParameterRequestNegativeReply(handle, reason: .unacceptableConnectionParameters)
    }
    bench.command(1, .leConnectionUpdate(central, wish))
    bench.run(for: .seconds(2))
    equal(talk, ["central \(Opcode.connectionParamReq)", "peripheral \(Opcode.rejectExtInd)"])
    expect(ends(1) == ["\(HCI.ErrorCode.unacceptableConnectionParameters.rawValue) 24"] && ends(0).isEmpty)
    expect(bench.disconnections(of: 1).isEmpty)
  }

  @Test("Where the peripheral's host has masked the event, the central changes the parameters alone")
  func masked() {
    bench.command(0, .leSetEventMask(0x1F))
    bench.command(1, .leConnectionUpdate(central, wish))
    bench.run(for: .seconds(2))
    equal(
      talk,
      [
        "central \(Opcode.connectionParamReq)", "peripheral \(Opcode.rejectExtInd)",
        "central \(Opcode.connectionUpdateInd)",
      ])
    for device in 0...1 { equal(ends(device), ["0 40"]) }
  }

  @Test("A peripheral that has said that it lacks the procedure is not asked, and neither is one by other centrals")
  func announced() throws {
    let end = try required(bench.world.controllers[1].ends.first)
    end.peerFeatures = 0
    bench.command(1, .leConnectionUpdate(central, wish))
    bench.run(for: .seconds(2))
    let plain = RadioBench(RadioBench.radios(2), wantsAir: true)
    let (handle, _) = try required(plain.connect(1, to: 0))
    plain.command(1, .leConnectionUpdate(handle, wish))
    plain.run(for: .seconds(2))
    for air in [bench.air, plain.air] {
      expect(!air.contains { $0.pdu[0] & 3 == 3 && $0.pdu[2] == Opcode.connectionParamReq })
    }
    equal(ends(1), ["0 40"])
  }

  @Test("While the central waits for an answer, the peripheral's own request is refused: at once, or by the central")
  func collision() {
    bench.command(1, .leConnectionUpdate(central, wish))
    bench.command(0, .leConnectionUpdate(peripheral, wish))
    bench.run(for: .milliseconds(500))
    // The central has refused the peripheral's request, and its host has the central's to answer.
    equal(ends(0), ["\(HCI.ErrorCode.llProcedureCollision.rawValue) 24"])
    bench.command(0, .leConnectionUpdate(peripheral, wish))
    equal(statuses(0).last, .commandDisallowed)
    bench.command(0, .leSetPHY(peripheral, tx: .le2M, rx: .le2M))
    bench.run(for: .milliseconds(500))
    expect(
      bench.events[0].contains {
        if case .lePHYUpdateComplete(_, let status, _, _) = $0.event { status == HCI.ErrorCode(0x2A) } else { false }
      })
    bench.command(0, .leRemoteConnectionParameterRequestReply(peripheral, wish))
    bench.run(for: .seconds(2))
    expect(ends(0).last == "0 40" && ends(1) == ["0 40"])
  }

  @Test("A peripheral's request that meets a channel map is refused with Different Transaction Collision (5.3)")
  func channelMap() {
    bench.command(1, .leSetHostChannelClassification(0x1F_FFE0_0000))
    bench.run(for: .milliseconds(100))
    bench.command(0, .leConnectionUpdate(peripheral, wish))
    bench.run(for: .seconds(2))
    equal(ends(0), ["\(0x2A) 24"])
  }

  @Test("A host that never answers costs the link after 40 s")
  func silence() {
    bench.command(1, .leConnectionUpdate(central, wish))
    bench.run(for: .seconds(39))
    expect(bench.disconnections(of: 1).isEmpty)
    bench.run(for: .seconds(2))
    equal(bench.disconnections(of: 1).map(\.reason), [.llResponseTimeout])
  }
}
