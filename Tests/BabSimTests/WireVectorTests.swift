import BabSim
import Expectations
import Testing

@Suite("Bab packets against the published encoder and decoder")
struct WireVectorTests {
  @Test("Every packet of the published encoder decodes, and encodes back to the same octets")
  func sharedPackets() throws {
    guard let rows = SharedVectors.rows("bab-packets.tsv") else { return }
    expect(rows.count >= 17)
    for row in rows {
      let octets = try SharedVectors.octets(base64: row[1])
      let packet = try BabPacket(decoding: octets)
      equal(packet.encoded(), octets, "\(row[0])")
      expect(packet.isConsistent, "\(row[0])")
    }
  }

  @Test("Accept, reject and canonical re-encoding agree with the published decoder")
  func sharedDecodings() throws {
    guard let rows = SharedVectors.rows("bab-decode.tsv") else { return }
    expect(rows.count >= 40)
    for row in rows {
      let octets = try SharedVectors.octets(base64: row[1])
      var expected = row[2]
      if expected == "ACCEPT" {
        expected += " " + String(decoding: try SharedVectors.octets(base64: row[3]), as: UTF8.self)
      }
      equal(verdict(octets), expected, "\(row[0])")
    }
  }

  @Test("32-bit numbers print as the published encoder prints them")
  func sharedFloats() throws {
    guard let rows = SharedVectors.rows("jvm-floats.tsv") else { return }
    expect(rows.count >= 9)
    for row in rows { equal(printed(try required(Float(row[0]))), row[0]) }
  }

  func printed(_ value: Float) -> String {
    let result = PronunciationResult(errorCount: 0, accuracy: value, wordErrors: [], skipped: false, duration: 0)
    let packet = BabPacket(
      senderID: "", vectorClock: VectorClock(), payload: .lineCompleted(lineID: "", result: result))
    let text = String(decoding: packet.encoded(), as: UTF8.self)
    let tail = text.split(separator: "\"accuracy\":")[1]
    return String(tail[..<(tail.firstIndex(of: ",") ?? tail.endIndex)])
  }
}
