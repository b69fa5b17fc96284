import BluetoothWire
import Expectations
import LinkCrypto
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// Encryption of a link as two hosts and an eavesdropper see it (Vol 6, Part B, 5.1.3).
@Suite("Link-layer encryption")
struct EncryptionTests {
  private let up = Array("from the peripheral to the central".utf8)
  private let down = Array("from the central to the peripheral".utf8)

  @Test("A link is encrypted by a Long Term Key: events at both ends, data both ways, and no plaintext on the air")
  func encrypts() throws {
    let link = try EncryptionBench()
    try link.encrypt()
    equal(link.encryptionEvents(1), [.encryptionChange(link.central, status: .success, enabled: 1)])
    equal(
      link.encryptionEvents(0),
      [
        .leLongTermKeyRequest(link.peripheral, random: 0xABCD_EF12_3456_7890, diversifier: 0x2474),
        .encryptionChange(link.peripheral, status: .success, enabled: 1),
      ])
    link.bench.air.removeAll()
    for _ in 0..<3 {
      link.bench.send(1, link.central, down)
      link.bench.send(0, link.peripheral, up)
    }
    link.bench.run(for: .seconds(1))
    equal(link.received(0), times(3, down))
    equal(link.received(1), times(3, up))
    expect(link.fresh.count >= 6)
    for pdu in link.bench.air {
      for text in [up, down] { expect(!contains(pdu.pdu, Array(text.prefix(6)))) }
    }
  }

  @Test("The control PDUs of the procedure, in order, and from which on they are encrypted")
  func controlPDUs() throws {
    let link = try EncryptionBench()
    link.bench.air.removeAll()
    try link.encrypt()
    let seen = link.fresh.filter { $0.pdu[0] & 3 == 3 }.map { ($0.transmitter, Array($0.pdu.dropFirst(2))) }
    equal(seen.map(\.0), [1, 0, 0, 1, 0])
    equal(seen.map(\.1.count), [23, 13, 1, 5, 5])
    equal(seen.prefix(3).map(\.1[0]), [0x03, 0x04, 0x05])
  }

  @Test("An eavesdropper with the key reads what two controllers said; the longest PDU has a MIC too")
  func eavesdropped() throws {
    let link = try EncryptionBench()
    link.bench.command(1, .leSetDataLength(link.central, txOctets: 251, txTime: 2_120))
    link.bench.run(for: .milliseconds(300))
    link.bench.air.removeAll()
    try link.encrypt()
    let long = (0..<251).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    link.bench.send(1, link.central, long)
    link.bench.send(0, link.peripheral, up)
    link.bench.run(for: .milliseconds(300))
    let pdus = link.fresh
    let session = try EncryptionBench.session(overheard: pdus)
    let ciphers = [session.cipher(sender: .peripheral), session.cipher(sender: .central)]
    let opened = try pdus.dropFirst(3).map { pdu in
      try required(ciphers[pdu.transmitter].open(Array(pdu.pdu.dropFirst(2)), llid: pdu.pdu[0] & 3))
    }
    equal(opened.prefix(2), [[0x06], [0x06]])
    expect(opened.contains(long))
    expect(opened.contains(Array(up.prefix(27))) || opened.contains(up))
    let longest = try required(pdus.first { $0.pdu[1] == 255 })
    equal(longest.duration.nanoseconds, LL.airTime(payloadLength: 255, phy: .le1M))
  }

  @Test("Data that a host hands down during the procedure waits for its end")
  func dataWaits() throws {
    let link = try EncryptionBench()
    link.answers = false
    link.enable()
    link.bench.run(for: .seconds(1))
    link.bench.air.removeAll()
    link.bench.send(1, link.central, down)
    link.bench.send(0, link.peripheral, up)
    link.bench.command(1, .leReadRemoteFeatures(link.central))
    link.bench.command(0, .readRemoteVersionInformation(link.peripheral))
    link.bench.run(for: .seconds(1))
    expect(link.fresh.isEmpty && link.received(0).isEmpty && link.received(1).isEmpty)
    link.answerNow()
    link.bench.run(for: .seconds(1))
    expect(link.received(0) == down && link.received(1) == up)
    expect(
      link.bench.events[1].contains {
        if case .leReadRemoteFeaturesComplete(_, .success, let features) = $0.event { features & 1 == 1 } else { false }
      })
    expect(
      link.bench.events[0].contains {
        if case .readRemoteVersionInformationComplete(_, .success, 0x0D, _, _) = $0.event { true } else { false }
      })
  }

  @Test("A wrong key on one side: the peripheral ends the link with a MIC failure, the central hears no more")
  func wrongKey() throws {
    let link = try EncryptionBench()
    link.peripheralKey = EncryptionBench.key.map { $0 ^ 1 }
    link.enable()
    link.bench.run(for: .seconds(6))
    equal(link.reasons(0), [.connectionTerminatedDueToMICFailure])
    equal(link.reasons(1), [.connectionTimeout])
    expect(link.encryption(0).isEmpty && link.encryption(1).isEmpty)
  }

  @Test(
    "No key: the central's host is told Pin or Key Missing, and the link goes on in plain", arguments: [true, false])
  func negativeReply(knowsFeatures: Bool) throws {
    let link = try EncryptionBench()
    if knowsFeatures {
      link.bench.command(0, .leReadRemoteFeatures(link.peripheral))
      link.bench.run(for: .milliseconds(300))
    }
    link.peripheralKey = nil
    link.bench.air.removeAll()
    link.enable()
    link.bench.send(1, link.central, down)
    link.bench.run(for: .seconds(1))
    equal(link.encryptionEvents(1), [.encryptionChange(link.central, status: .pinOrKeyMissing, enabled: 0)])
    try equal(
      control(link.fresh[2]),
      (knowsFeatures
        ? .rejectExtInd(rejectOpcode: 0x03, errorCode: .pinOrKeyMissing) : .rejectInd(.pinOrKeyMissing)))
    equal(link.received(0), down)
    expect(link.reasons(0).isEmpty && link.reasons(1).isEmpty)
    // A later try with a key succeeds.
    link.peripheralKey = EncryptionBench.key
    try link.encrypt()
  }

  @Test("The key is refreshed while data flows, three times; each time another session")
  func refresh() throws {
    let link = try EncryptionBench()
    try link.encrypt()
    for round in 1...3 {
      link.bench.air.removeAll()
      link.bench.send(1, link.central, down)
      link.enable()
      link.bench.send(1, link.central, down)
      link.bench.send(0, link.peripheral, up)
      link.bench.run(for: .seconds(1))
      equal(link.encryptionEvents(1).last, .encryptionKeyRefreshComplete(link.central, status: .success))
      equal(link.encryptionEvents(0).last, .encryptionKeyRefreshComplete(link.peripheral, status: .success))
      equal(link.received(0), times(2 * round, down))
      equal(link.received(1), times(round, up))
      let plain = link.fresh.filter { $0.pdu[0] & 3 == 3 && [1, 13, 23].contains($0.pdu[1]) }.map { $0.pdu[2] }
      equal(plain, [0x0B, 0x03, 0x04, 0x05])
    }
    expect(link.reasons(0).isEmpty && link.reasons(1).isEmpty)
  }

  @Test("No key at a refresh ends the link with Pin or Key Missing")
  func refreshWithoutKey() throws {
    let link = try EncryptionBench()
    try link.encrypt()
    link.peripheralKey = nil
    link.enable()
    link.bench.run(for: .seconds(1))
    equal(link.reasons(0), [.connectionTerminatedByLocalHost])
    equal(link.reasons(1), [.pinOrKeyMissing])
  }

  @Test("A peer that cannot encrypt: Unsupported Remote Feature; a controller that cannot: Unsupported Feature")
  func unsupported() throws {
    let link = try EncryptionBench { configuration, index in configuration.supportsEncryption = index == 1 }
    link.enable()
    link.bench.run(for: .seconds(1))
    equal(
      link.encryptionEvents(1), [.encryptionChange(link.central, status: .unsupportedRemoteFeature, enabled: 0)])
    let other = try EncryptionBench { configuration, index in configuration.supportsEncryption = index == 0 }
    other.enable()
    equal(other.answer(1), .unsupportedFeature)
  }

  @Test("A radio that falls silent in the middle: both ends see a supervision timeout and nothing else")
  func supervision() throws {
    let link = try EncryptionBench()
    link.answers = false
    link.enable()
    link.bench.run(for: .milliseconds(500))
    link.bench.world.setRadio(1, isOn: false)
    link.answerNow()
    link.bench.run(for: .seconds(6))
    expect(link.reasons(0) == [.connectionTimeout] && link.reasons(1) == [.connectionTimeout])
    expect(link.encryption(0).isEmpty && link.encryption(1).isEmpty)
    link.answerNow()
    equal(link.answer(0), .unknownConnectionIdentifier)
    link.bench.world.setRadio(1, isOn: true)
    expect(link.bench.connect(1, to: 0) != nil)
  }

  @Test("A host that never answers costs the link after the procedure response timeout")
  func noAnswer() throws {
    let link = try EncryptionBench()
    link.answers = false
    link.enable()
    link.bench.run(for: .seconds(39))
    expect(link.reasons(1).isEmpty)
    link.bench.run(for: .seconds(2))
    equal(link.reasons(1), [.llResponseTimeout])
  }

  @Test("Disconnecting during and after the procedure tells both reasons", arguments: [false, true], [0, 1])
  func disconnecting(isEncrypted: Bool, who: Int) throws {
    let link = try EncryptionBench()
    if isEncrypted {
      try link.encrypt()
    } else {
      link.answers = false
      link.enable()
      link.bench.run(for: .milliseconds(500))
    }
    link.bench.command(
      who, .disconnect(who == 1 ? link.central : link.peripheral, reason: .remoteUserTerminatedConnection))
    link.bench.run(for: .milliseconds(300))
    equal(link.reasons(who), [.connectionTerminatedByLocalHost])
    equal(link.reasons(1 - who), [.remoteUserTerminatedConnection])
  }

  @Test("Every other procedure works on an encrypted link")
  func otherProcedures() throws {
    let link = try EncryptionBench()
    try link.encrypt()
    let bench = link.bench
    bench.command(1, .leSetDataLength(link.central, txOctets: 251, txTime: 2_120))
    bench.command(1, .leSetPHY(link.central, tx: .le2M, rx: .le2M))
    bench.command(
      1,
      .leConnectionUpdate(
        link.central, HCI.ConnectionParameters(intervalMinimum: 40, intervalMaximum: 40, supervisionTimeout: 300)))
    bench.command(1, .leSetHostChannelClassification(0x1F_FFE0_0000))
    bench.run(for: .seconds(2))
    for device in 0..<2 {
      expect(
        bench.events[device].contains {
          if case .lePHYUpdateComplete(_, .success, .le2M, .le2M) = $0.event { true } else { false }
        })
      expect(
        bench.events[device].contains {
          if case .leConnectionUpdateComplete(_, .success, 40, 0, 300) = $0.event { true } else { false }
        })
    }
    bench.send(1, link.central, [UInt8](repeating: 5, count: 251))
    bench.run(for: .seconds(1))
    equal(bench.received[0].map(\.data.octets.count), [251])
    expect(link.reasons(0).isEmpty && link.reasons(1).isEmpty)
  }

  private func times(_ count: Int, _ octets: [UInt8]) -> [UInt8] {
    Array([[UInt8]](repeating: octets, count: count).joined())
  }

  private func control(_ pdu: AirPDU) throws -> LL.ControlPDU {
    try LL.ControlPDU(decoding: Array(pdu.pdu.dropFirst(2)))
  }

  private func contains(_ octets: [UInt8], _ part: [UInt8]) -> Bool {
    octets.count >= part.count
      && (0...octets.count - part.count).contains { Array(octets[$0..<$0 + part.count]) == part }
  }
}
