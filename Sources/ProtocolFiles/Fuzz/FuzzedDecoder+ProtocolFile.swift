import Bench
package import Fuzzing
import SimKernel

/// Protocol files themselves, which come from anybody.
extension FuzzedDecoder {
  package static let protocolFile = FuzzedDecoder(
    "protocol-file", "protocol files", in: ["Sources/ProtocolFiles/Reading/ProtocolFileReader.swift"], form: .text,
    limit: 8_192,
    words: [
      "protocol:", "byte order: big", "roles:", "services:", "packets:", "actions:", "reports:", "clauses:", "claims:",
      "purposes:", "uuid:", "of:", "characteristics:", "properties:", "framing:", "fields:", "json:", "by:", "on:",
      "clause:", "when:", "then:", "within:", "never:", "before:", "after:", "at most:", "event:", "rises:", "agree:",
      "to: every link", "text:", "role:", "steps:", "tester joins", "tester sends:", "tester hears:", "user:",
      "list of u16 count", "text until 0", "octets u8", "crc16 u16", "when flags & 1", "{ length: u16 be }", "<<: *a",
      "arrangements:", "arrange:", "with:", "for each:", "tester hears next:", "tester forgets",
      "iut shows nothing: 1s",
      "decimal at a.b[].c", "map of number", "complement u8 from flags to flags", "<answer.flags>", "sends any packet",
    ].map { Array($0.utf8) },
    valid: { stream in
      var draws = FileDraws(PacketDraws(stream))
      _ = stream.next()
      return Array(draws.text().utf8)
    },
    decode: { input in
      do throws(ScenarioProblems) {
        let form = try ProtocolFileReader.read(octets: input, file: "protocol.yaml")
        let size = form.packets.count + form.claims.count + form.purposes.count
        return .accepted(kind: UInt64(min(size, 63)), canonical: nil)
      } catch {
        return .refused(reason: String("\(error)".prefix(120).map { $0.isNumber ? "0" : $0 }), offset: nil)
      }
    })
}

/// Draws texts of protocol files.
private struct FileDraws {
  var draws: PacketDraws

  init(_ draws: PacketDraws) { self.draws = draws }

  mutating func one(_ texts: [String]) -> String { texts[draws.below(texts.count)] }

  mutating func text() -> String {
    let number = one(["u8", "u16", "u16 be", "u32 le", "i8", "u64"])
    let rest = one(["text", "octets", "list of u16", "text u8", "text until 0", "octets 4", "list of i8 count flags"])
    let presence = one(["", " when flags & 1", " unless flags & 2", " when flags = 3"])
    let (tag, given) = draws.below(2) == 0 ? ("list of flag", "[yes]") : (one(["text", "text optional"]), "a")
    let framing = one(["none", "lines", "{ length: u16 be }", "{ fragments: [id u16 be, index u8, count u8] }"])
    let claim = one([
      "when: hears ask, then: sends answer where flags = ask.flags, within: 1s", "never: sends answer where flags > 3",
      "never: sends answer, before: hears ask", "at most: 3, event: sends answer, within: 1s",
      "rises: flags, event: sends answer", "agree: sends answer",
    ])
    return """
      protocol: drawn
      roles: { server: { local name: d }, client: {} }
      services:
        first:
          uuid: \(one(["FFF0", "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"]))
          of: server
          characteristics:
            in: { uuid: FFF1, properties: [write], framing: \(framing) }
            out: { uuid: FFF2, properties: [\(one(["notify", "indicate", "read, notify"]))], framing: \(framing) }
      packets:
        ask: { by: client, on: in, json: { flags: number, name: \(tag) } }
        answer:
          by: server
          on: out
          fields: { flags: u8 0..7, second: \(number)\(presence), third: \(rest) }
      clauses: { D 1: What is asked MUST be answered. }
      claims:
        Drawn: { clause: D 1, of: server, \(claim) }
      purposes:
        D/SERVER/ASK/BV-01:
          text: An answer comes.
          clause: D 1
          role: server
          steps:
            - tester joins
            - tester sends: { ask: { flags: \(draws.below(8)), name: \(given) } }
            - tester hears: answer
              within: \(1 + draws.below(9))s

      """
  }
}
