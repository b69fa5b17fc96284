import AppSeam
import BabOracles
import BabSim
import Conformance

/// Defects of packets.
extension Mutants {
  static let wire: [Mutant] = wireForm(.host) + wireForm(.client) + wireHostForm + wireClientForm + wireReading

  /// Slips that either role can make, of the kind that a JSON library makes by itself.
  private static func wireForm(_ role: AppRole) -> [Mutant] {
    let prefix = role.rawValue + "-"
    return [
      .texts(prefix + "envelope-in-another-order", role, "BAB 4.1", "writes the payload before the clock") {
        $0.members { [$0[0], $0[1], $0[3], $0[2]] }
      },
      .texts(prefix + "short-payload-names", role, "BAB 4.2", "writes the payload's name without its package") {
        text in
        text.at("payload") {
          $0.at("type") { .string(String(($0.text ?? "").dropFirst(WireForm.discriminator.count))) }
        }
      },
      .texts(prefix + "payload-type-last", role, "BAB 4.2", "writes the payload's type after its fields") {
        $0.at("payload") { $0.members { Array($0.dropFirst()) + $0.prefix(1) } }
      },
      .texts(prefix + "sorts-keys", role, "BAB 4.3", "writes the keys within payloads in alphabetical order") {
        text in
        text.at("payload") { payload in
          payload.members { $0.map { WireText.Member($0.key, $0.value.sorted) } }
        }
      },
      .octets(prefix + "spaces-between-tokens", role, "BAB 4.3", "puts white space between tokens") { text in
        Array(text.spaced.utf8)
      },
      .texts(prefix + "leaves-out-null", role, "BAB 4.4", "does not write keys whose value is null") {
        $0.mapped { $0.members { $0.filter { $0.value != .word("null") } } }
      },
      .texts(prefix + "leaves-out-defaults", role, "BAB 4.4", "does not write what has its default value") { text in
        text.mapped {
          $0.members {
            $0.filter { ($0.key, $0.value) != ("isHost", .word("false")) && $0.value != .string("COMMITTED") }
          }
        }
      },
      .misspeaks(prefix + "envelope-names-another", role, "BAB 4.5", "names every payload but HANDSHAKE a heartbeat") {
        _, packet in
        if packet.type != .handshake { packet.type = .heartbeat }
      },
      .texts(prefix + "escapes-beyond-ascii", role, "BAB 4.7", "writes every character beyond U+007F as an escape") {
        $0.rawStrings(WireText.escapedBeyondASCII)
      },
      .texts(prefix + "escapes-the-slash", role, "BAB 4.7", "writes a backslash before every slash") {
        $0.rawStrings { $0.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "\\/") }
      },
      .texts(prefix + "integers-with-a-point", role, "BAB 4.10", "writes integers with a point and a zero") {
        $0.mapped { if case .number(let digits) = $0, Int64(digits) != nil { .number(digits + ".0") } else { $0 } }
      },
      .texts(prefix + "flat-clock", role, "BAB 4.13", "writes a vector clock without its timestamps object") {
        $0.at("vectorClock") { $0["timestamps"] ?? $0 }
      },
      .texts(prefix + "sorts-clocks", role, "BAB 4.8", "writes the entries of a clock in alphabetical order") {
        $0.at("vectorClock") { $0.sorted }
      },
      .says(prefix + "drops-combining-marks", role, "BAB 4.17", "loses what follows a letter") { _, packet in
        let octets = String(decoding: packet.encoded(), as: UTF8.self).unicodeScalars.filter { $0 != "\u{301}" }
        return [RawText(Array(String(String.UnicodeScalarView(octets)).utf8))]
      },
      .texts(prefix + "numbers-in-64-bits", role, "BAB 4.11", "writes accuracies with the digits of 64 bits") {
        text in
        text.changing(under: "accuracy") {
          if case .number(let digits) = $0, let value = Float(digits) {
            .number(Double(value).description)
          } else {
            $0
          }
        }
      },
      .texts(
        prefix + "whole-numbers-without-point", role, "BAB 4.11", "writes an accuracy of a whole number as an integer"
      ) { text in
        text.mapped {
          if case .number(let digits) = $0, digits.hasSuffix(".0") { .number(String(digits.dropLast(2))) } else { $0 }
        }
      },
    ]
  }

  private static let wireHostForm: [Mutant] = [
    .texts("enumerations-in-lower-case", .host, "BAB 4.9", "writes who may see a line in lower case") { text in
      text.changing(under: "visibility") { .string($0.text?.lowercased() ?? "") }
    },
    .texts("lobby-without-its-object", .host, "BAB 4.14", "calls the players of a lobby players", of: .lobbyUpdate) {
      text in
      text.changing(under: "lobbyState") {
        $0.members { $0.map { $0.key == "connectedPlayers" ? WireText.Member("players", $0.value) : $0 } }
      }
    },
    .texts("start-with-a-scenario", .host, "BAB 4.15", "puts a field into START_GAME", of: .startGame) {
      $0.at("payload") { $0.members { $0 + [WireText.Member("scenarioId", .string("coffee-shop"))] } }
    },
    .texts("state-without-empty-keys", .host, "BAB 4.16", "leaves the empty parts out of a session state") { text in
      text.changing(under: "state") {
        $0.members { $0.filter { $0.value != .array([]) && $0.value != .object([]) } }
      }
    },
    .texts("mean-of-nothing", .host, "BAB 4.12", "divides by the number of completed lines, also by none") { text in
      text.changing(under: "sessionSummary") { summary in
        summary.at("overallAccuracy") { summary["totalLines"] == .number("0") ? .word("NaN") : $0 }
      }
    },
  ]

  private static let wireClientForm: [Mutant] = [
    .texts("actions-by-number", .client, "BAB 4.9", "writes what a vote is about as a number") {
      $0.changing(under: "action") { _ in .number("0") }
    },
    .texts("join-without-profile", .client, "BAB 4.15", "puts id and name into CLIENT_JOIN itself", of: .clientJoin) {
      text in
      text.at("payload") { payload in
        payload.members { Array($0.prefix(1)) + (payload["profile"]?.members ?? []) }
      }
    },
  ]
}

/// Defects of reading.
extension Mutants {
  static let wireReading: [Mutant] = wireReading(.host) + wireReading(.client)

  private static func wireReading(_ role: AppRole) -> [Mutant] {
    let prefix = role.rawValue + "-"
    return [
      .unheard(prefix + "acts-on-envelope", role, "BAB 4.6", "ignores a packet whose envelope and payload disagree") {
        _, packet in
        !packet.isConsistent
      },
      .hears(
        prefix + "disagreement-kept-quiet", role, "BAB 7.8", "does not report that envelope and payload disagree"
      ) { _, packet in
        [BabPacket(senderID: packet.senderID, vectorClock: packet.vectorClock, payload: packet.payload)]
      },
      .reader(prefix + "refuses-unknown-keys", role, "BAB 4.32", "ignores a packet with a key it does not know") {
        text in
        WireForm.faults(text).contains { $0.what.contains(" has a key ") }
      },
      .reader(prefix + "reads-keys-by-place", role, "BAB 4.37", "ignores a packet whose keys are in another order") {
        WireForm.faults($0).contains { $0.what.contains("keys are ") }
      },
      .reader(prefix + "refuses-white-space", role, "BAB 4.30", "ignores a packet with white space between tokens") {
        (try? WireText.parse($0).hasSpace) ?? false
      },
      .reader(prefix + "refuses-escapes", role, "BAB 4.30", "ignores a packet with a character by its number") {
        String(decoding: $0, as: UTF8.self).contains("\\u")
      },
      .reader(prefix + "strict-reader", role, "BAB 4.33", "ignores what is not JSON to the letter") {
        !WireText.isJSON($0)
      },
      .reader(prefix + "refuses-double-keys", role, "BAB 4.34", "ignores a packet in which a key occurs twice") {
        String(decoding: $0, as: UTF8.self).contains("nonsense")
      },
      .reader(prefix + "refuses-quoted-numbers", role, "BAB 4.35", "ignores a packet with a number between quotes") {
        WireForm.faults($0).contains { $0.clause == "BAB 4.10" }
      },
      .crasher(prefix + "crashes-on-unknown-type", role, "stops at a payload it does not know") { text in
        guard let payload = try? WireText.parse(text).value["payload"] else { return false }
        return !WireForm.kinds.contains { WireForm.discriminator + $0.name == payload["type"]?.text }
      },
      .crasher(prefix + "crashes-on-deep-nesting", role, "runs out of stack at 500 levels") {
        WireText.depth(of: $0) > 500
      },
      .crasher(prefix + "crashes-on-bad-utf-8", role, "stops at octets that are not UTF-8") {
        String(validating: $0, as: UTF8.self) == nil
      },
      .crasher(prefix + "crashes-on-huge-numbers", role, "stops at a count that does not fit 64 bits") { text in
        let clock = (try? WireText.parse(text).value)?["vectorClock"]?["timestamps"]
        return clock?.members.contains {
          if case .number(let digits) = $0.value { Int64(digits) == nil } else { false }
        }
          ?? false
      },
    ]
  }
}
