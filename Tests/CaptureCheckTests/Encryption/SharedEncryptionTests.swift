import BluetoothWire
import CaptureFormats
import CaptureTestSupport
import Expectations
import Testing

@testable import CaptureCheck

/// Captures that others made. Foreign oracle: what crackle, whose sample it is, says of it.
@Suite("Encrypted captures of others, read with what they give away", .enabled(if: !SharedTraffic.files.isEmpty))
struct SharedEncryptionTests {
  @Test("A pairing by six digits: the passkey, the number of PDUs and the long term key are those that crackle finds")
  func numericPIN() throws {
    let read = DecryptedRecords(try SharedTraffic.records("21"))
    equal(read.sessions.map(\.origin), [.passkey(461_140)])
    expect(read.sessions[0].read >= 55 && read.sessions[0].unread <= 2)
    let keys = read.ring.candidates(diversifier: 0, random: 0).filter { $0.origin == .distributed }
    let expected = [UInt8].hex("9c0469262e521d1d40e095e7c542c5ec")
    expect(keys.map(\.octets).contains(expected.reversed()))
  }

  @Test("LE Secure Connections give no key away")
  func secureConnections() throws {
    let records = try SharedTraffic.records("07")
    equal(DecryptedRecords(records).records, records)
  }
}
