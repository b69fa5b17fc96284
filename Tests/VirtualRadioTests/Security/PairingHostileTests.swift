import BluetoothWire
import Expectations
import SimKernel
import Testing

@testable import VirtualRadio

@Suite("Hostile peers and controllers in a pairing")
struct PairingHostileTests {
  /// A PDU of any kind: of a length that its code has, as a rule.
  private static func pdu(_ stream: inout RandomStream) -> [UInt8] {
    let code = UInt8(stream.below(17))
    let length = SMP.PDU.length(of: code) ?? Int(stream.below(70))
    let count = stream.below(8) == 0 ? Int(stream.below(70)) : length - 1
    var octets = [code] + stream.octets(max(0, count))
    // Features that a pairing can begin with.
    if code <= 2, stream.below(4) > 0 { octets = [code, UInt8(stream.below(5)), 0, UInt8(stream.below(64)), 16, 7, 7] }
    return octets
  }

  @Test(
    "PDUs of any kind at any time never trap, never encrypt one end alone, and spare the next link",
    arguments: 1...40)
  func anyPDUs(seed: UInt64) throws {
    var stream = RandomStream(seed: seed, component: "test", purpose: "hostile")
    let pairing = PairingCase.all[Int(stream.below(UInt64(PairingCase.all.count)))]
    let room = try pairing.room(seed: seed)
    for _ in 0..<3 { room.pair(from: Int(stream.below(2))) }
    for _ in 0..<30 {
      let device = Int(stream.below(2))
      let octets = Self.pdu(&stream)
      room.room.hosts[device].sendPastTap(
        L2CAP.Frame(channel: .securityManager, payload: octets).octets, on: room.handles[device])
      if stream.below(4) == 0 { room.pair(from: Int(stream.below(2))) }
      room.run(for: .milliseconds(Int64(stream.below(120))))
    }
    room.run(for: .seconds(2))
    equal(room.level(0), room.level(1))
    room.part()
    for device in 0...1 { room.room.hosts[device].bonds = [] }
    try room.connect()
    room.pair()
    room.run(for: .seconds(5))
    expect(room.level(0) == pairing.level && room.level(1) == pairing.level)
  }

  @Test("A stack fed by hand answers anything with at most one Pairing Failed at a time", arguments: 1...20)
  func byHand(seed: UInt64) {
    for role in [HCI.Role.central, .peripheral] {
      var stream = RandomStream(seed: seed, component: "test", purpose: "hand")
      let host = HandDrivenHost(role) { $0.security = SecurityConfiguration() }
      for _ in 0..<300 {
        let frames = host.give(.securityManager, Self.pdu(&stream))
        expect(frames.count { $0.payload.first == 0x05 } <= 1)
        if stream.below(20) == 0 { host.device.host.pair(HandDrivenHost.handle) }
        if stream.below(20) == 0 { host.device.host.answerPairing(HandDrivenHost.handle, .accept) }
      }
      equal(host.device.host.bonds, [])
      equal(host.device.host.securityLevel(of: HandDrivenHost.handle), .none)
    }
  }

  @Test("Events of a controller that nobody waits for change nothing", arguments: 1...20)
  func controllerEvents(seed: UInt64) {
    var stream = RandomStream(seed: seed, component: "test", purpose: "events")
    let host = HandDrivenHost { $0.security = SecurityConfiguration() }
    for _ in 0..<200 {
      let handle: HCI.ConnectionHandle = stream.below(2) == 0 ? HandDrivenHost.handle : 0x77
      let status = HCI.ErrorCode(stream.below(2) == 0 ? 0 : UInt8(stream.below(64)))
      let event: HCI.EncryptionEvent =
        switch stream.below(6) {
        case 0: .encryptionChange(handle, status: status, enabled: UInt8(stream.below(3)))
        case 1: .encryptionKeyRefreshComplete(handle, status: status)
        case 2: .leLongTermKeyRequest(handle, random: stream.next(), diversifier: UInt16(stream.below(2)))
        case 3: .leReadLocalP256PublicKeyComplete(status: status, publicKey: stream.octets(64))
        case 4: .leGenerateDHKeyComplete(status: status, key: stream.octets(32))
        default: .authenticatedPayloadTimeoutExpired(handle)
        }
      host.device.controller.push(.encryption(event))
      host.bench.settle()
      if stream.below(10) == 0 { _ = host.give(.securityManager, [1, 3, 0, 9, 16, 3, 3]) }
    }
    // A level without a key is none.
    equal(host.device.host.securityLevel(of: HandDrivenHost.handle), .none)
    equal(host.device.host.bonds, [])
  }

  @Test("A controller that draws no octets, or makes no key pair, ends a pairing with Unspecified Reason")
  func poorController() {
    let request: [UInt8] = [0x01, 3, 0, 9, 16, 1, 1]
    // The loop's controller answers HCI_LE_Rand with no octets.
    let host = HandDrivenHost { $0.security = SecurityConfiguration() }
    equal(host.give(.securityManager, request).map(\.payload), [[0x05, 0x08]])
    host.device.controller.refusals[.leRand] = .unknownCommand
    equal(host.give(.securityManager, request).map(\.payload), [[0x05, 0x08]])
    equal(
      host.device.take().filter { if case .securityChanged = $0 { true } else { false } },
      Array(
        repeating: .securityChanged(HandDrivenHost.handle, .none, error: .failed(.unspecifiedReason)), count: 2))
  }

  @Test("What a stack sends to the controller about security, by its configuration")
  func masks() {
    func masks(_ security: SecurityConfiguration?) -> [HCI.Command] {
      HandDrivenHost { $0.security = security }.device.controller.commands.filter {
        $0.opcode == .setEventMask || $0.opcode == .leSetEventMask
      }
    }
    equal(masks(nil), [.setEventMask(0x2000_0000_0000_8810), .leSetEventMask(0x8087F)])
    equal(
      masks(SecurityConfiguration()), [.setEventMask(0x2000_8000_0000_8890), .leSetEventMask(0x809FF)])
  }

  @Test("PDUs outside a pairing: who may ask is answered, the rest is a violation")
  func unpaired() {
    func answers(_ role: HCI.Role, _ pdu: [UInt8]) -> [[UInt8]] {
      HandDrivenHost(role) { $0.security = SecurityConfiguration() }.give(.securityManager, pdu).map(\.payload)
    }
    let request: [UInt8] = [0x01, 3, 0, 1, 16, 1, 1]
    equal(answers(.central, request), [[0x05, 0x07]])
    equal(answers(.peripheral, [0x0B, 1]), [[0x05, 0x07]])
    equal(answers(.peripheral, Array(request.dropLast())), [[0x05, 0x0A]])
    equal(answers(.peripheral, [0x03, 1]), [])
    equal(answers(.peripheral, [0x0F]), [])
    equal(answers(.peripheral, []), [])
    equal(answers(.peripheral, [0x05, 8]), [])
    equal(answers(.central, [0x0B, 1]).map { $0.first }, [0x01])
  }
}
