import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// The HCI commands of keys and encryption (Vol 4, Part E, 7.8.22 … 7.8.26, 7.8.36, 7.8.37).
@Suite("Security commands")
struct SecurityCommandTests {
  private func run(_ bench: RadioBench, _ device: Int, _ command: HCI.SecurityCommand) -> [HCI.Event] {
    let before = bench.events[device].count
    bench.command(device, .security(command))
    return bench.events[device].dropFirst(before).map(\.event)
  }

  @Test("LE Encrypt makes the session key of the specification's sample data of its LTK and SKD")
  func encrypt() {
    let bench = RadioBench(RadioBench.radios(1))
    let answer = run(
      bench, 0,
      .leEncrypt(
        key: SampleData.longTermKey.reversed(),
        plaintext: [UInt8].hex("0213243546576879ACBDCEDFE0F10213").reversed()))
    equal(
      answer,
      [
        .commandComplete(
          .leEncrypt, status: .success,
          returnParameters: [UInt8].hex("99AD1B5226A37E3E058E3B8E27C2C666").reversed())
      ])
  }

  @Test("LE Rand gives eight octets, others each time, the same in every run of the seed")
  func random() {
    func draw(_ seed: UInt64) -> [HCI.Event] {
      let bench = RadioBench(RadioBench.radios(2), seed: seed)
      return [0, 0, 1].flatMap { run(bench, $0, .leRand) }
    }
    let first = draw(1)
    equal(first, draw(1))
    equal(Set((first + draw(2)).map { "\($0)" }).count, 6)
    for event in first {
      guard case .commandComplete(.leRand, .success, let octets) = event else {
        Issue.record("\(event)")
        continue
      }
      equal(octets.count, 8)
    }
  }

  @Test("Two controllers agree on a DHKey by their public keys")
  func keyAgreement() throws {
    let bench = RadioBench(RadioBench.radios(2))
    var keys: [[UInt8]] = []
    for device in 0..<2 {
      let answer = run(bench, device, .leReadLocalP256PublicKey)
      equal(answer.first, .commandStatus(.leReadLocalP256PublicKey, status: .success))
      guard case .encryption(.leReadLocalP256PublicKeyComplete(.success, let key)) = answer.last else {
        return expect(false, "\(answer)")
      }
      keys.append(key)
    }
    let secrets = (0..<2).map { run(bench, $0, .leGenerateDHKey(publicKey: keys[1 - $0])).last }
    equal(secrets[0], secrets[1])
    guard case .encryption(.leGenerateDHKeyComplete(.success, let secret))? = secrets[0] else {
      return expect(false, "\(secrets)")
    }
    equal(secret.count, 32)
    equal(run(bench, 0, .leGenerateDHKeyV2(publicKey: keys[1], keyType: 0)).last, secrets[0])
    // A new pair replaces the old one.
    _ = run(bench, 0, .leReadLocalP256PublicKey)
    expect(run(bench, 0, .leGenerateDHKey(publicKey: keys[1])).last != secrets[0])
  }

  @Test("The debug key, points beside the curve, no pair yet, an unknown key type")
  func keyErrors() {
    let bench = RadioBench(RadioBench.radios(1))
    let publicB: [UInt8] =
      [UInt8].hex("1ea1f0f01faf1d9609592284f19e4c0047b58afd8615a69f559077b22faaa190").reversed()
      + [UInt8].hex("4c55f33e429dad377356703a9ab85160472d1130e28e36765f89aff915b1214a").reversed()
    equal(
      run(bench, 0, .leGenerateDHKeyV2(publicKey: publicB, keyType: 1)).last,
      .encryption(
        .leGenerateDHKeyComplete(
          status: .success,
          key: [UInt8].hex("ec0234a357c8ad05341010a60a397d9b99796b13b4f866f1868d34f373bfa698").reversed())))
    equal(
      run(bench, 0, .leGenerateDHKeyV2(publicKey: publicB, keyType: 2)),
      [.commandStatus(.leGenerateDHKeyV2, status: .invalidParameters)])
    equal(
      run(bench, 0, .leGenerateDHKey(publicKey: publicB)),
      [.commandStatus(.leGenerateDHKey, status: .commandDisallowed)])
    _ = run(bench, 0, .leReadLocalP256PublicKey)
    var bad = publicB
    bad[5] ^= 0x10
    equal(
      run(bench, 0, .leGenerateDHKey(publicKey: bad)).last,
      .encryption(
        .leGenerateDHKeyComplete(status: .invalidParameters, key: [UInt8](repeating: 0xFF, count: 32))))
    bench.command(0, .reset)
    equal(
      run(bench, 0, .leGenerateDHKey(publicKey: publicB)),
      [.commandStatus(.leGenerateDHKey, status: .commandDisallowed)])
  }

  @Test("Wrong role, wrong time, wrong handle: Command Disallowed and Unknown Connection Identifier")
  func linkErrors() throws {
    let link = try EncryptionBench()
    let (bench, key) = (link.bench, EncryptionBench.key)
    func enable(_ device: Int, _ handle: HCI.ConnectionHandle) -> [HCI.Event] {
      run(bench, device, .leEnableEncryption(handle, random: 0, diversifier: 0, longTermKey: key))
    }
    func status(_ code: HCI.ErrorCode) -> [HCI.Event] { [.commandStatus(.leEnableEncryption, status: code)] }
    equal(enable(1, 0x0777), status(.unknownConnectionIdentifier))
    equal(enable(0, link.peripheral), status(.commandDisallowed))
    func reply(_ device: Int, _ handle: HCI.ConnectionHandle) -> [HCI.ErrorCode] {
      let replies: [HCI.SecurityCommand] = [
        .leLongTermKeyRequestReply(handle, longTermKey: key), .leLongTermKeyRequestNegativeReply(handle),
      ]
      return replies.compactMap {
        guard case .commandComplete(_, let code, let rest)? = run(bench, device, $0).first else { return nil }
        equal(rest, [UInt8(truncatingIfNeeded: handle), UInt8(handle >> 8)])
        return code
      }
    }
    equal(reply(0, 0x0777), [.unknownConnectionIdentifier, .unknownConnectionIdentifier])
    equal(reply(0, link.peripheral), [.commandDisallowed, .commandDisallowed])
    equal(reply(1, link.central), [.commandDisallowed, .commandDisallowed])
    link.answers = false
    equal(enable(1, link.central), status(.success))
    equal(enable(1, link.central), status(.commandDisallowed))
    bench.run(for: .milliseconds(200))
    equal(enable(1, link.central), status(.commandDisallowed))
    // The first answer counts.
    equal(reply(0, link.peripheral), [.success, .commandDisallowed])
    bench.run(for: .milliseconds(300))
    expect(link.encryption(0) == [.success] && link.encryption(1) == [.success])
    equal(enable(1, link.central), status(.success))
  }
}
