import BluetoothWire
import Expectations
import LinkCrypto
import SimKernel
import Testing

@testable import VirtualRadio

/// One pairing of others, and what each end had.
struct PairingTranscript: Sendable, CustomTestStringConvertible {
  struct End: Sendable {
    var address: BluetoothAddress
    var privateKey: [UInt8]
  }

  enum Line: Sendable {
    case pdu(HCI.Role, SMP.PDU)
    case number(UInt32)
    case key([UInt8])
  }

  var way: String
  var ends: [HCI.Role: End]
  var passkey: UInt32
  var lines: [Line] = []
  var testDescription: String { way }

  static let all: [PairingTranscript] = {
    var transcripts: [PairingTranscript] = []
    var ends: [HCI.Role: End] = [:]
    var passkey: UInt32 = 0
    var whole: [String] = []
    for line in PairingTranscripts.text.split(separator: "\n") {
      if line.hasPrefix("  ") { whole[whole.count - 1] += line.dropFirst(2) } else { whole.append(String(line)) }
    }
    for line in whole {
      let word = line.prefix { $0 != " " }
      let rest = String(line.dropFirst(word.count + 1))
      switch word {
      case "central", "peripheral":
        let octets = [UInt8].hex(rest)
        let bits = octets.prefix(6).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        ends[word == "central" ? .central : .peripheral] = End(
          address: BluetoothAddress(kind: octets[6] == 1 ? .random : .publicDevice, bits: bits),
          privateKey: Array(octets.dropFirst(7)))
      case "passkey": passkey = UInt32(rest)!
      case "way": transcripts.append(PairingTranscript(way: rest, ends: ends, passkey: passkey))
      default:
        let parsed: Line =
          switch word {
          case "number": .number(UInt32(rest)!)
          case "key": .key([UInt8].hex(rest))
          default: .pdu(word == ">" ? .central : .peripheral, try! SMP.PDU(decoding: [UInt8].hex(rest)))
          }
        transcripts[transcripts.count - 1].lines.append(parsed)
      }
    }
    return transcripts
  }()

  func pdus(_ role: HCI.Role) -> [SMP.PDU] {
    lines.compactMap { if case .pdu(role, let pdu) = $0 { pdu } else { nil } }
  }
}

/// Our state machine at one end of a transcript.
private struct TranscriptEnd {
  let transcript: PairingTranscript
  let role: HCI.Role
  var pairing: Pairing
  var sent: [SMP.PDU] = []
  var numbers: [UInt32] = []
  var encryptsBy: [UInt8]?
  var outcome: Pairing.Effect?

  init(_ transcript: PairingTranscript, _ role: HCI.Role) throws {
    self.transcript = transcript
    self.role = role
    let own = transcript.pdus(role)
    var settings = SecurityConfiguration()
    for pdu in own {
      switch pdu {
      case .pairingRequest(let features), .pairingResponse(let features):
        settings.ioCapability = features.ioCapability
        settings.asksForAuthentication = features.requirements.contains(.authentication)
        settings.offersSecureConnections = features.requirements.contains(.secureConnections)
      case .identityInformation(let key): settings.identityResolvingKey = key
      default: break
      }
    }
    pairing = Pairing(
      role: role, own: transcript.ends[role]!.address,
      peer: transcript.ends[role == .central ? .peripheral : .central]!.address, configuration: settings, hasCurve: true
    )
  }

  /// What the other stack drew, in our order.
  private var randoms: [UInt8] {
    var octets: [UInt8] = []
    var (key, identification): ([UInt8], [UInt8]) = ([UInt8](repeating: 0, count: 16), [UInt8](repeating: 0, count: 10))
    for pdu in transcript.pdus(role) {
      switch pdu {
      case .pairingRandom(let value): octets += value
      case .encryptionInformation(let value): key = value
      case .centralIdentification: identification = Array(pdu.octets.dropFirst())
      default: break
      }
    }
    // The smallest draw that gives the passkey.
    let draw = UInt64(Pairing.passkeys.upperBound).dividingFullWidth((UInt64(transcript.passkey), 0)).quotient + 1
    octets += (0..<8).map { UInt8(truncatingIfNeeded: draw >> (8 * UInt64($0))) }
    return octets + key + identification + [UInt8](repeating: 0, count: 16)
  }

  mutating func perform() throws {
    let keys = try required(P256KeyPair(privateKey: transcript.ends[role]!.privateKey))
    while let effect = pairing.takeEffect() {
      switch effect {
      case .send(let pdu): sent.append(pdu)
      case .draw(let count):
        equal(count, randoms.count)
        pairing.randomsDrawn(randoms)
      case .readPublicKey: pairing.publicKeyRead(keys.publicKey)
      case .generateSecret(let key): pairing.secretGenerated(keys.sharedSecret(with: key))
      case .confirm(let number):
        numbers.append(number)
        pairing.answer(.accept)
      case .passkeyNeeded: pairing.answer(.passkey(transcript.passkey))
      case .passkeyShown(let number): equal(number, transcript.passkey)
      case .encrypt(let key): encryptsBy = key.value
      case .paired, .ended: outcome = effect
      }
    }
  }
}

@Suite("Pairings of another stack, octet by octet")
struct PairingTranscriptTests {
  @Test("There are seven ways") func count() {
    equal(PairingTranscript.all.count, 7)
    expect(PairingTranscript.all.map(\.lines.count).min()! > 12)
  }

  @Test("At either end our state machine sends what the other stack sent", arguments: PairingTranscript.all)
  func sameOctets(_ transcript: PairingTranscript) throws {
    for role in [HCI.Role.central, .peripheral] {
      var end = try TranscriptEnd(transcript, role)
      if role == .central { end.pairing.begin() }
      try end.perform()
      for line in transcript.lines {
        switch line {
        case .pdu(role, let pdu):
          equal(end.sent.first, pdu)
          if !end.sent.isEmpty { end.sent.removeFirst() }
        case .pdu(_, .pairingRequest(let features)): end.pairing.begin(answering: features)
        case .pdu(_, let pdu): end.pairing.receive(pdu)
        case .number(let number): expect(end.numbers.allSatisfy { $0 == number })
        case .key(let key):
          equal(end.pairing.sessionKey?.value, key)
          if role == .central { equal(end.encryptsBy, key) }
          end.pairing.encryptionEnded(.success)
        }
        try end.perform()
      }
      equal(end.sent, [])
      guard case .paired(let bond?) = end.outcome else {
        Issue.record("\(role) did not pair: \(String(describing: end.outcome))")
        continue
      }
      equal(bond.identity, end.pairing.peer)
      expect(bond.isAuthenticated == transcript.way.contains("passkey") || transcript.way.contains("numeric"))
    }
  }
}
