import BluetoothWire
import Expectations
import LinkCrypto
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// Link layers with one thing wrong, and links on which nothing is said.
@Suite("Encryption with mistakes and silences")
struct EncryptionMistakeTests {
  private let down = Array("from the central to the peripheral".utf8)

  /// A transmitter with one thing wrong in it stands for a link layer with a mistake.
  @Test(
    "A counter that skips one, a direction bit that is wrong, another IV: the peer ends the link with a MIC failure",
    arguments: 0..<4)
  func mutants(which: Int) throws {
    let link = try EncryptionBench()
    link.bench.air.removeAll()
    try link.encrypt()
    let session = try EncryptionBench.session(overheard: link.fresh)
    // The central's LL_START_ENC_RSP had counter 0; the cipher of which nothing is wrong goes on with 1.
    let cipher =
      switch which {
      case 0: LinkCipher(key: session.key, iv: session.iv, sender: .central, packetCounter: 1)
      case 1: LinkCipher(key: session.key, iv: session.iv, sender: .central, packetCounter: 2)
      case 2: LinkCipher(key: session.key, iv: session.iv, sender: .peripheral, packetCounter: 1)
      default: LinkCipher(key: session.key, iv: session.iv.reversed(), sender: .central, packetCounter: 1)
      }
    link.bench.world.connections[0].central.encryptTransmission(cipher)
    link.bench.send(1, link.central, down)
    link.bench.run(for: .seconds(1))
    equal(link.received(0), (which == 0 ? down : []))
    equal(link.reasons(0), (which == 0 ? [] : [.connectionTerminatedDueToMICFailure]))
  }

  @Test("Anything in plain on an encrypted link, or out of turn in a procedure, ends it with a MIC failure")
  func outOfTurn() throws {
    let plain = try EncryptionBench()
    try plain.encrypt()
    plain.bench.world.connections[0].central.encryptTransmission(nil)
    plain.bench.send(1, plain.central, [1, 2, 3, 4, 5, 6])
    plain.bench.run(for: .seconds(1))
    expect(plain.reasons(0) == [.connectionTerminatedDueToMICFailure] && plain.received(0).isEmpty)
    let early = try EncryptionBench()
    early.answers = false
    early.enable()
    early.bench.run(for: .milliseconds(500))
    early.bench.world.connections[0].central.holdsTraffic = false
    early.bench.send(1, early.central, [1, 2, 3])
    early.bench.run(for: .seconds(1))
    expect(early.reasons(0) == [.connectionTerminatedDueToMICFailure] && early.received(0).isEmpty)
  }

  @Test("A silent encrypted link is pinged before the authenticated payload timeout; a plain one is not")
  func ping() throws {
    let link = try EncryptionBench()
    for device in 0..<2 { link.bench.command(device, .general(.setEventMaskPage2(.max))) }
    link.bench.air.removeAll()
    link.bench.run(for: .seconds(40))
    expect(link.fresh.isEmpty)
    try link.encrypt()
    for (device, handle) in [(0, link.peripheral), (1, link.central)] {
      link.bench.command(device, .general(.writeAuthenticatedPayloadTimeout(handle, timeout: 400)))
    }
    link.bench.air.removeAll()
    link.bench.run(for: .seconds(20))
    // LL_PING_REQ and LL_PING_RSP with their MIC, about every three seconds.
    expect((10...28).contains(link.fresh.count))
    expect(link.fresh.allSatisfy { $0.pdu[0] & 3 == 3 && $0.pdu[1] == 5 })
    expect(!link.encryptionEvents(0).contains(.authenticatedPayloadTimeoutExpired(link.peripheral)))
    expect(!link.encryptionEvents(1).contains(.authenticatedPayloadTimeoutExpired(link.central)))
    // A peer that says nothing: the host is told, and the supervision timeout comes later.
    link.bench.command(1, .general(.writeAuthenticatedPayloadTimeout(link.central, timeout: 100)))
    link.bench.world.setRadio(0, isOn: false)
    link.bench.run(for: .milliseconds(2_500))
    equal(
      link.encryptionEvents(1).filter { $0 == .authenticatedPayloadTimeoutExpired(link.central) }.count, 2)
    link.bench.run(for: .seconds(6))
    equal(link.reasons(1), [.connectionTimeout])
  }
}
