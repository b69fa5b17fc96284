import BluetoothWire
import Expectations
import LinkCrypto
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// Two controllers and hosts that encrypt by a Long Term Key: device 1 is central, device 0 peripheral.
final class EncryptionBench {
  static let key: [UInt8] = SampleData.longTermKey.reversed()
  let bench: RadioBench
  private(set) var central: HCI.ConnectionHandle = 0
  private(set) var peripheral: HCI.ConnectionHandle = 0
  /// What the peripheral's host answers; nil: no key. Not asked while `answers` is false.
  var peripheralKey: [UInt8]? = EncryptionBench.key
  var answers = true

  init(
    environment: RadioEnvironment = .lossless, seed: UInt64 = 1, interval: UInt16 = 24, latency: UInt16 = 0,
    timeout: UInt16 = 400, wantsAir: Bool = true, stepsIdleEvents: Bool = false,
    change: (inout RadioConfiguration, Int) -> Void = { _, _ in }
  ) throws {
    bench = RadioBench(
      RadioBench.radios(2, change: change), environment: environment, seed: seed, wantsAir: wantsAir,
      stepsIdleEvents: stepsIdleEvents)
    (central, peripheral) = try required(
      bench.connect(1, to: 0, interval: interval, latency: latency, timeout: timeout))
    bench.onMessage = { [unowned self] device, message in
      guard device == 0, answers, case .event(.encryption(.leLongTermKeyRequest(let handle, _, _))) = message else {
        return
      }
      bench.world.controllers[0].submit(.security(reply(handle)))
    }
    bench.run(for: .milliseconds(300))
  }

  private func reply(_ handle: HCI.ConnectionHandle) -> HCI.SecurityCommand {
    peripheralKey.map { .leLongTermKeyRequestReply(handle, longTermKey: $0) }
      ?? .leLongTermKeyRequestNegativeReply(handle)
  }

  func answerNow() { bench.command(0, .security(reply(peripheral))) }

  func enable(key: [UInt8] = EncryptionBench.key) {
    bench.command(
      1,
      .security(
        .leEnableEncryption(central, random: 0xABCD_EF12_3456_7890, diversifier: 0x2474, longTermKey: key)))
  }

  /// Encrypts, and runs until it is through.
  func encrypt() throws {
    enable()
    try require(
      bench.run(
        until: bench.timeline.now + .seconds(20),
        orUntil: { (0...1).allSatisfy { self.encryption($0).last == .success } }))
    bench.run(for: .milliseconds(200))
  }

  func encryptionEvents(_ device: Int) -> [HCI.EncryptionEvent] {
    bench.events[device].compactMap { if case .encryption(let event) = $0.event { event } else { nil } }
  }

  /// Status of each Encryption Change and Encryption Key Refresh Complete.
  func encryption(_ device: Int) -> [HCI.ErrorCode] {
    encryptionEvents(device).compactMap {
      switch $0 {
      case .encryptionChange(_, let status, _), .encryptionKeyRefreshComplete(_, let status): status
      default: nil
      }
    }
  }

  /// The session of an eavesdropper who has the key and heard LL_ENC_REQ and LL_ENC_RSP, the first two of `pdus`.
  static func session(overheard pdus: [AirPDU]) throws -> LinkSession {
    let control = try pdus.prefix(2).map { try LL.ControlPDU(decoding: Array($0.pdu.dropFirst(2))) }
    guard control.count == 2, case .encReq(_, _, let skdC, let ivC) = control[0],
      case .encRsp(let skdP, let ivP) = control[1]
    else { throw WireError(.unknownOpcode, at: 0) }
    return LinkSession(longTermKey: key, diversifiers: (skdC, skdP), vectors: (ivC, ivP))
  }

  func reasons(_ device: Int) -> [HCI.ErrorCode] { bench.disconnections(of: device).map(\.reason) }
  /// All that came up, in a row.
  func received(_ device: Int) -> [UInt8] { bench.received[device].flatMap(\.data.octets) }

  func answer(_ device: Int) -> HCI.ErrorCode? {
    for (_, event) in bench.events[device].reversed() {
      switch event {
      case .commandComplete(_, let status, _), .commandStatus(_, let status): return status
      default: continue
      }
    }
    return nil
  }

  /// New PDUs with a payload, as they were received, in order; retransmissions left out.
  var fresh: [AirPDU] {
    var last: [Int: (sequence: UInt8, isReceived: Bool)] = [:]
    return bench.air.filter { pdu in
      guard pdu.accessAddress != LL.advertisingAccessAddress, pdu.fate == .received else { return false }
      let sequence = pdu.pdu[0] & 8
      defer { last[pdu.transmitter] = (sequence, true) }
      if let before = last[pdu.transmitter], before.sequence == sequence { return false }
      return pdu.pdu[1] > 0
    }
  }
}
