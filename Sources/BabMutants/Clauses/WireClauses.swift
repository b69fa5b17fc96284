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
      .texts(
        prefix + "envelope-in-another-order", role, clause: "BAB 4.1", "writes the payload before the clock",
        change: { text, _ in text.members { [$0[0], $0[1], $0[3], $0[2]] } }),
      .texts(
        prefix + "short-payload-names", role, clause: "BAB 4.2", "writes the payload's name without its package",
        change: { text, _ in
          text.at("payload") {
            $0.at("type") { .string(String(($0.text ?? "").dropFirst(WireForm.discriminator.count))) }
          }
        }),
      .texts(
        prefix + "payload-type-last", role, clause: "BAB 4.2", "writes the payload's type after its fields",
        change: { text, _ in text.at("payload") { $0.members { Array($0.dropFirst()) + $0.prefix(1) } } }),
      .texts(
        prefix + "sorts-keys", role, clause: "BAB 4.3", "writes the keys within payloads in alphabetical order",
        change: { text, _ in
          text.at("payload") { payload in
            payload.members { $0.map { WireText.Member($0.key, $0.value.sorted) } }
          }
        }),
      .octets(
        prefix + "spaces-between-tokens", role, clause: "BAB 4.3", "puts white space between tokens",
        change: { text, _ in Array(text.spaced.utf8) }),
      .texts(
        prefix + "leaves-out-null", role, clause: "BAB 4.4", "does not write keys whose value is null",
        change: { text, _ in text.mapped { $0.members { $0.filter { $0.value != .word("null") } } } }),
      .texts(
        prefix + "leaves-out-defaults", role, clause: "BAB 4.4", "does not write what has its default value",
        change: { text, _ in
          text.mapped {
            $0.members {
              $0.filter { ($0.key, $0.value) != ("isHost", .word("false")) && $0.value != .string("COMMITTED") }
            }
          }
        }),
      .packets(
        prefix + "envelope-names-another", role, clause: "BAB 4.5", "names every payload but HANDSHAKE a heartbeat",
        outgoing: { _, _, packet in
          var packet = packet
          if packet.type != .handshake { packet.type = .heartbeat }
          return [.packet(packet)]
        }),
      .texts(
        prefix + "escapes-beyond-ascii", role, clause: "BAB 4.7", "writes every character beyond U+007F as an escape",
        change: { text, _ in text.rawStrings(WireText.escapedBeyondASCII) }),
      .texts(
        prefix + "escapes-the-slash", role, clause: "BAB 4.7", "writes a backslash before every slash",
        change: { text, _ in
          text.rawStrings { $0.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "\\/") }
        }),
      .texts(
        prefix + "integers-with-a-point", role, clause: "BAB 4.10", "writes integers with a point and a zero",
        change: { text, _ in
          text.mapped { if case .number(let digits) = $0, Int64(digits) != nil { .number(digits + ".0") } else { $0 } }
        }),
      .texts(
        prefix + "flat-clock", role, clause: "BAB 4.13", "writes a vector clock without its timestamps object",
        change: { text, _ in text.at("vectorClock") { $0["timestamps"] ?? $0 } }),
      .texts(
        prefix + "sorts-clocks", role, clause: "BAB 4.8", "writes the entries of a clock in alphabetical order",
        change: { text, _ in text.at("vectorClock") { $0.sorted } }),
      .packets(
        prefix + "drops-combining-marks", role, clause: "BAB 4.17", "loses what follows a letter",
        outgoing: { _, _, packet in
          let octets = String(decoding: packet.encoded(), as: UTF8.self).unicodeScalars.filter { $0 != "\u{301}" }
          return [.text(Array(String(String.UnicodeScalarView(octets)).utf8))]
        }),
      .texts(
        prefix + "numbers-in-64-bits", role, clause: "BAB 4.11", "writes accuracies with the digits of 64 bits",
        change: { text, _ in
          text.changing(under: "accuracy") {
            if case .number(let digits) = $0, let value = Float(digits) {
              .number(Double(value).description)
            } else {
              $0
            }
          }
        }),
      .texts(
        prefix + "whole-numbers-without-point", role, clause: "BAB 4.11",
        "writes an accuracy of a whole number as an integer",
        change: { text, _ in
          text.mapped {
            if case .number(let digits) = $0, digits.hasSuffix(".0") { .number(String(digits.dropLast(2))) } else { $0 }
          }
        }),
    ]
  }

  private static let wireHostForm: [Mutant] = [
    .texts(
      "enumerations-in-lower-case", .host, clause: "BAB 4.9", "writes who may see a line in lower case",
      change: { text, _ in
        text.changing(under: "visibility") { .string($0.text?.lowercased() ?? "") }
      }),
    .texts(
      "lobby-without-its-object", .host, clause: "BAB 4.14", "calls the players of a lobby players",
      change: { text, packet in
        guard packet.type == .lobbyUpdate else { return text }
        return text.changing(under: "lobbyState") {
          $0.members { $0.map { $0.key == "connectedPlayers" ? WireText.Member("players", $0.value) : $0 } }
        }
      }),
    .texts(
      "start-with-a-scenario", .host, clause: "BAB 4.15", "puts a field into START_GAME",
      change: { text, packet in
        guard packet.type == .startGame else { return text }
        return text.at("payload") { $0.members { $0 + [WireText.Member("scenarioId", .string("coffee-shop"))] } }
      }),
    .texts(
      "state-without-empty-keys", .host, clause: "BAB 4.16", "leaves the empty parts out of a session state",
      change: { text, _ in
        text.changing(under: "state") {
          $0.members { $0.filter { $0.value != .array([]) && $0.value != .object([]) } }
        }
      }),
    .texts(
      "mean-of-nothing", .host, clause: "BAB 4.12", "divides by the number of completed lines, also by none",
      change: { text, _ in
        text.changing(under: "sessionSummary") { summary in
          summary.at("overallAccuracy") { summary["totalLines"] == .number("0") ? .word("NaN") : $0 }
        }
      }),
  ]

  private static let wireClientForm: [Mutant] = [
    .texts(
      "actions-by-number", .client, clause: "BAB 4.9", "writes what a vote is about as a number",
      change: { text, _ in text.changing(under: "action") { _ in .number("0") } }),
    .texts(
      "join-without-profile", .client, clause: "BAB 4.15", "puts id and name into CLIENT_JOIN itself",
      change: { text, packet in
        guard packet.type == .clientJoin else { return text }
        return text.at("payload") { payload in
          payload.members { Array($0.prefix(1)) + (payload["profile"]?.members ?? []) }
        }
      }),
  ]
}

/// Defects of reading.
extension Mutants {
  static let wireReading: [Mutant] = wireReading(.host) + wireReading(.client)

  private static func wireReading(_ role: AppRole) -> [Mutant] {
    let prefix = role.rawValue + "-"
    return [
      .packets(
        prefix + "acts-on-envelope", role, clause: "BAB 4.6", "ignores a packet whose envelope and payload disagree",
        incoming: { _, _, packet in packet.isConsistent ? [packet] : [] }),
      .packets(
        prefix + "disagreement-kept-quiet", role, clause: "BAB 7.8",
        "does not report that envelope and payload disagree",
        incoming: { _, _, packet in
          [BabPacket(senderID: packet.senderID, vectorClock: packet.vectorClock, payload: packet.payload)]
        }),
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
