import BluetoothWire
import CaptureFormats
import CaptureTestSupport
import Expectations
import LinkCrypto
import Testing

@testable import CaptureCheck

/// Foreign oracle: the sample data of Core v5.4, Vol 6, Part C, 1, octet by octet as it is on the air.
@Suite("Encrypted sample data of the specification, read with its key")
struct SampleEncryptionTests {
  private static let accessAddress: UInt32 = 0x8E89_BEF0
  /// LL_ENC_REQ and LL_ENC_RSP with Rand, EDIV, SKD and IV of the sample, then the encrypted PDUs.
  private static let pdus: [(fromCentral: Bool, octets: [UInt8])] = [
    (true, [UInt8].hex("03 17 03 9078563412efcdab 7424 1302f1e0dfcebdac 24abdcba")),
    (false, [UInt8].hex("03 0d 04 7968574635241302 bebaafde")),
    (false, [UInt8].hex("07 01 05")),
    (true, [UInt8].hex("0f 05 9fcda7f448")),
    (false, [UInt8].hex("07 05 a34c13a415")),
    (true, [UInt8].hex("0e 1f 7a70d66415226df26b17839a060405596bd6564f796b5b9ce6ff32f75a6d33")),
    (false, [UInt8].hex("06 1f f38881e7bd94c9c369b9a66846dd4786aa8c39ce540d0dae3adcdf89b96088")),
  ]
  private static let plain: [Int: [UInt8]] = [
    4: [UInt8].hex("06"), 5: [UInt8].hex("06"),
    6: [UInt8].hex("1700636465666768696a6b6c6d6e6f707131323334353637383930"),
    7: [UInt8].hex("170037363534333231304142434445464748494a4b4c4d4e4f5051"),
  ]

  static func records(tellsDirection: Bool = true, dropping: Set<Int> = []) -> [CaptureRecord] {
    pdus.enumerated().filter { !dropping.contains($0.offset + 1) }.map { index, pdu in
      var header = AirHeader(accessAddress: accessAddress)
      if tellsDirection { header.isFromCentral = pdu.fromCentral }
      header.isCRCValid = true
      return CaptureRecord(
        number: index + 1, link: .leLinkLayerWithHeader, nanoseconds: Int64(index) * 1_000_000,
        originalLength: pdu.octets.count + 17, body: .air(header), octets: pdu.octets[...])
    }
  }

  @Test(
    "LTK in either order of octets, with directions and without",
    arguments: ["4C68384139F574D836BCF34E9DFB01BF", "bf01fb9d4ef3bc36d874f539413868 4c"], [true, false])
  func samples(key: String, tellsDirection: Bool) throws {
    let key = try required(CaptureKey(spelling: "ltk=" + key))
    let read = DecryptedRecords(Self.records(tellsDirection: tellsDirection), [key])
    equal(read.opened.map(\.number), [4, 5, 6, 7])
    for record in read.opened {
      equal(Array(record.octets.dropFirst(2)), Self.plain[record.number])
      equal(Int(record.octets[record.octets.startIndex + 1]), record.octets.count - 2)
    }
    expect(read.sessions.map(\.read) == [4] && read.sessions.map(\.unread) == [0])
  }

  @Test("Without its answer, or with another key, nothing is touched")
  func nothing() throws {
    let right = try required(CaptureKey(spelling: "ltk=4C68384139F574D836BCF34E9DFB01BF"))
    let wrong = try required(CaptureKey(spelling: "ltk=4C68384139F574D836BCF34E9DFB01BE"))
    for (dropped, keys) in [([1], [right]), ([2], [right]), ([], [wrong]), ([], [])] as [(Set<Int>, [CaptureKey])] {
      let records = Self.records(dropping: dropped)
      equal(DecryptedRecords(records, keys).records, records)
    }
    let read = DecryptedRecords(Self.records(), [wrong])
    equal(
      Checker.notes(on: [read.decryption], read.ring, links: []).map(\.text),
      [
        "no key fits, 2 keys were tried: the MIC of none of 4 encrypted PDUs is right"
      ])
  }

  @Test("Counters of PDUs that were not heard are found: 64 of any kind, 4096 where the form is right")
  func counters() throws {
    let session = LinkSession(
      longTermKey: [UInt8].hex("4C68384139F574D836BCF34E9DFB01BF").reversed(),
      diversifiers: (0xACBD_CEDF_E0F1_0213, 0x0213_2435_4657_6879), vectors: (0xBADC_AB24, 0xDEAF_BABE))
    let key = try required(CaptureKey(spelling: "ltk=4C68384139F574D836BCF34E9DFB01BF"))
    let start: [UInt8] = [3, 0, 4, 0, 0x52, 3, 0]
    for (counter, llid, isFound) in [
      (1, 1, true), (64, 1, true), (66, 1, false), (66, 2, true), (4_000, 2, true), (5_000, 2, false),
    ] as [(UInt64, UInt8, Bool)] {
      var records = Self.records(dropping: [6, 7])
      let cipher = LinkCipher(key: session.key, iv: session.iv, sender: .central, packetCounter: counter)
      let sealed = cipher.seal(start, llid: llid)
      var record = records[0]
      record.number = 6
      record.octets = ([llid, UInt8(sealed.count)] + sealed)[...]
      // Twice: a repeat has the counter of the PDU before it.
      records += [record, record]
      let read = DecryptedRecords(records, [key])
      equal(read.opened.count, (isFound ? 4 : 2), "counter \(counter)")
    }
  }

  /// Encryption is paused after the sample's PDUs, and starts again with other numbers: LL_PAUSE_ENC_REQ and the first
  /// LL_PAUSE_ENC_RSP are encrypted, the central's LL_PAUSE_ENC_RSP and LL_ENC_REQ are not (Vol 6, Part B, 5.1.3.2).
  /// The central's PDUs and the peripheral's take turns, with the sequence numbers of a link on which nothing is lost.
  private static func paused() -> [CaptureRecord] {
    let key = Array([UInt8].hex("4C68384139F574D836BCF34E9DFB01BF").reversed())
    let first = LinkSession(
      longTermKey: key, diversifiers: (0xACBD_CEDF_E0F1_0213, 0x0213_2435_4657_6879),
      vectors: (0xBADC_AB24, 0xDEAF_BABE))
    let second = LinkSession(
      longTermKey: key, diversifiers: (0x0807_0605_0403_0201, 0x1817_1615_1413_1211),
      vectors: (0x0403_0201, 0x1413_1211))
    let empty: (UInt8, [UInt8]) = (1, [])
    var exchanged = pdus.map { ($0.octets[0] & 3, Array($0.octets.dropFirst(2))) }
    exchanged.insert(empty, at: 2)
    exchanged += [
      (3, LinkCipher(key: first.key, iv: first.iv, sender: .central, packetCounter: 2).seal([0x0A], llid: 3)),
      (3, LinkCipher(key: first.key, iv: first.iv, sender: .peripheral, packetCounter: 2).seal([0x0B], llid: 3)),
      (3, [0x0B]), empty,
      (3, [UInt8].hex("03 9078563412efcdab 7424 0102030405060708 01020304")),
      (3, [UInt8].hex("04 1112131415161718 11121314")),
      empty, (3, [0x05]),
      (3, second.cipher(sender: .central).seal([0x06], llid: 3)),
      (3, second.cipher(sender: .peripheral).seal([0x06], llid: 3)),
    ]
    return exchanged.enumerated().map { index, pdu in
      let isCentrals = index % 2 == 0
      let event = UInt8(index / 2 % 2)
      var header = AirHeader(accessAddress: accessAddress)
      header.isFromCentral = isCentrals
      header.isCRCValid = true
      let bits = event << 3 | (isCentrals ? event : 1 - event) << 2
      return CaptureRecord(
        number: index + 1, link: .leLinkLayerWithHeader,
        nanoseconds: Int64(index / 2) * 30_000_000 + (isCentrals ? 0 : 400_000), originalLength: pdu.1.count + 19,
        body: .air(header), octets: ([pdu.0 | bits, UInt8(pdu.1.count)] + pdu.1)[...])
    }
  }

  @Test("After a pause LL_ENC_REQ and LL_ENC_RSP are plain, and what follows is read with the new session")
  func pause() throws {
    let key = try required(CaptureKey(spelling: "ltk=4C68384139F574D836BCF34E9DFB01BF"))
    let read = DecryptedRecords(Self.paused(), [key])
    equal(read.opened.map(\.number), [5, 6, 7, 8, 9, 10, 17, 18])
    equal(read.opened.suffix(4).map { Array($0.octets.dropFirst(2)) }, [[0x0A], [0x0B], [0x06], [0x06]])
    expect(read.sessions.map(\.read) == [6, 2] && read.sessions.map(\.unread) == [0, 0])
    equal(AirLog.reading(read.records).count(.encrypted), 0)
    // Without a key ciphertext is said to be some once for each session: what is between them can be read.
    equal(AirLog.reading(Self.paused()).count(.encrypted), 2)
  }

  @Test("A wrong CRC is left alone, whatever the MIC says")
  func damaged() throws {
    let key = try required(CaptureKey(spelling: "ltk=4C68384139F574D836BCF34E9DFB01BF"))
    var records = Self.records()
    guard case .air(var header) = records[5].body else { return }
    header.isCRCValid = false
    records[5].body = .air(header)
    equal(DecryptedRecords(records, [key]).opened.map(\.number), [4, 5, 7])
  }
}

@Suite("Keys as --key takes them")
struct KeySpellingTests {
  @Test("Kinds, digits and passkeys")
  func forms() {
    let octets: [UInt8] = (0..<16).map { $0 * 17 }
    equal(CaptureKey(spelling: "ltk=00112233445566778899aabbccddeeff"), .longTerm(octets))
    equal(CaptureKey(spelling: "LTK=00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF"), .longTerm(octets))
    equal(CaptureKey(spelling: "irk=00112233445566778899aabbccddeeff"), .identity(octets))
    equal(CaptureKey(spelling: "tk=00112233445566778899aabbccddeeff"), .temporary(octets))
    equal(CaptureKey(spelling: "passkey=012345"), .passkey(12_345))
    equal(CaptureKey(spelling: "passkey=7"), .passkey(7))
    for wrong in [
      "", "ltk", "ltk=", "ltk=00", "ltk=00112233445566778899aabbccddeefg", "ltk=00112233445566778899aabbccddeeff0",
      "key=00112233445566778899aabbccddeeff", "passkey=", "passkey=1234567", "passkey=12a456", "passkey=-1",
      "passkey=٣",
    ] {
      expect(CaptureKey(spelling: wrong) == nil, "\(wrong)")
    }
  }
}
