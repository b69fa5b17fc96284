import AppSeam
import BeamScribe
import Conformance
import SimKernel

/// Guests that are wrong about frames, packets, the transcript and alerts.
extension BeamMutants {
  static let guestReading: [Mutant] = guestFrames + guestPackets + guestTranscript + guestAlerts

  private static let guestFrames: [Mutant] = [
    .seam(
      "length-in-one-piece", .beamGuest, "3.4", "expects the four octets of the length in one piece",
      hearing: { input, notes in
        guard case .network(.received(let id, let octets)) = input else { return [input] }
        // Octets that are missing until the frame at hand is complete.
        let missing = notes[id.rawValue]
        if missing == 0 {
          guard octets.count >= 4 else { return [] }
          let length = octets.prefix(4).reduce(0) { $0 << 8 | Int($1) }
          notes[id.rawValue] = max(0, length + 4 - octets.count)
        } else {
          notes[id.rawValue] = max(0, missing - octets.count)
        }
        return [input]
      }),
    .reading("one-frame-per-piece", "3.4", "reads one frame for each piece") { bodies, _, _ in
      Array(bodies.prefix(1))
    },
    .adjusted("limit-one-less", .beamGuest, "3.3", "refuses a frame of exactly 1 MiB") { $0.frameLimit -= 1 },
    .seam(
      "empty-frame-skipped", .beamGuest, "3.5", "skips a frame of no octets",
      hearing: { input, _ in
        guard case .network(.received(let id, let octets)) = input, octets.starts(with: [0, 0, 0, 0]) else {
          return [input]
        }
        let rest = Array(octets.dropFirst(4))
        return rest.isEmpty ? [] : [.network(.received(id, octets: rest))]
      }),
    .adjusted("long-frame-read", .beamGuest, "3.5", "reads a frame of any length") { $0.frameLimit = .max },
    .reading(
      "ignores-bad-frame", "3.6", failedBy: "BadFramesCloseTheirStream", "goes on after a body that is no packet"
    ) { bodies, _, _ in bodies.filter { (try? BeamPacket(decoding: $0)) != nil } },
    .reading(
      "half-frame-shown", "3.7", "reads what is there when the stream ends",
      ending: { bodies, _, notes in
        bodies.map { body in
          let text = String(decoding: body, as: UTF8.self)
          let words = text.firstMatch(of: /"text":"([^"]*)/).map { String($0.1) } ?? text
          return BeamPacket.liveChunk(
            .init(isFinal: true, sequence: notes.shown.count + 1, text: words.isEmpty ? "…" : words)
          ).encoded()
        }
      }, reading: { bodies, _, _ in bodies }),
    .adjusted("waits-for-rest", .beamGuest, "3.8", "waits for the rest of a frame without end") {
      $0.stallTime = .seconds(1_000_000)
    },
    .reading("reads-after-refusal", "3.10", "shows what follows a bad frame in the same piece") { bodies, _, _ in
      let isGood = bodies.map { (try? BeamPacket(decoding: $0)) != nil }
      return zip(bodies, isGood).filter(\.1).map(\.0) + zip(bodies, isGood).filter { !$0.1 }.map(\.0)
    },
  ]

  /// No packet, whatever came.
  private static let noPacket = Array("{}".utf8)

  private static let guestPackets: [Mutant] = [
    .reading("strict-order", "4.5", "reads canonical packets only") { bodies, _, _ in
      bodies.map { body in
        guard let packet = try? BeamPacket(decoding: body) else { return body }
        return packet.encoded() == body ? body : noPacket
      }
    },
    .reading("key-twice-taken", "4.6", "takes the last of two equal keys") { bodies, _, _ in
      bodies.map { body in
        guard (try? BeamPacket(decoding: body)) == nil else { return body }
        var text = String(decoding: body, as: UTF8.self)
        for key in ["isFinal", "sequence", "text", "type", "upToSequence", "alert"] {
          let member = try? Regex("\"\(key)\":(\"[^\"]*\"|[^,}\\[]*),")
          guard let member, let first = text.firstRange(of: member), text.ranges(of: "\"\(key)\":").count > 1 else {
            continue
          }
          text.removeSubrange(first)
        }
        return Array(text.utf8)
      }
    },
    .reading("missing-is-final", "4.6", "takes a chunk without `isFinal` for a final") { bodies, _, _ in
      bodies.map { body in
        let text = String(decoding: body, as: UTF8.self)
        guard text.contains("\"liveChunk\""), !text.contains("\"isFinal\""), text.hasPrefix("{") else { return body }
        return Array(("{\"isFinal\":true," + text.dropFirst()).utf8)
      }
    },
    .reading("unknown-type-skipped", "4.2", "skips packets of unknown types") { bodies, _, _ in
      bodies.filter { body in
        guard let type = String(decoding: body, as: UTF8.self).firstMatch(of: /"type":"([^"]*)"/) else { return true }
        return BeamPacket.Kind(rawValue: String(type.1)) != nil
      }
    },
    .reading("history-unchecked", "4.8", "does not look at the numbers within a history") { bodies, _, _ in
      bodies.map { body in
        let text = String(decoding: body, as: UTF8.self)
        guard text.contains("\"fullHistory\""), (try? BeamPacket(decoding: body)) == nil else { return body }
        var number = 0
        let renumbered = text.replacing(/"sequence":[0-9]+/) { _ in
          number += 1
          return "\"sequence\":\(number)"
        }
        return Array(renumbered.replacing(/"upToSequence":[0-9]+/) { _ in "\"upToSequence\":\(number)" }.utf8)
      }
    },
    .readingPackets("trims-text", "1.1", "cuts white space off the ends of a text") { packet, _, _ in
      guard case .liveChunk(var chunk) = packet else { return [packet] }
      let trimmed = chunk.text.drop(while: \.isWhitespace)
      let end = trimmed.lastIndex { !$0.isWhitespace }
      chunk.text = end.map { String(trimmed[...$0]) } ?? chunk.text
      return [.liveChunk(chunk)]
    },
  ]

  private static let guestTranscript: [Mutant] = [
    .seam(
      "partial-kept", .beamGuest, "5.5.8", failedBy: "PartialsAreReplaced", "keeps a partial after its final",
      asking: { effect, notes in
        if case .partialShown(let sequence, let text)? = effect.beam {
          notes[1] = sequence
          notes.texts[1] = text
        }
        if case .finalShown(let sequence, _)? = effect.beam, sequence == notes[1], let text = notes.texts[1] {
          return [effect, .report(.partialShown(sequence: sequence, text: text))]
        }
        return [effect]
      }),
    .readingPackets("seam-repeats", "5.6.5", failedBy: "FinalsExactlyOnce", "shows every live final") {
      packet, _, notes in
      if case .liveChunk(let chunk) = packet, chunk.isFinal, chunk.sequence <= notes.shown.count {
        notes.report(.finalShown(sequence: chunk.sequence, text: chunk.text))
      }
      return [packet]
    },
    .seam(
      "clears-when-lost", .beamGuest, "5.9.8", "shows nothing from the loss to its return",
      asking: { effect, notes in
        switch effect.beam {
        case .state(BeamState.lost.rawValue):
          if notes.heldEffects.isEmpty {
            notes.heldEffects = notes.shown.enumerated().map {
              .report(.finalShown(sequence: $0.offset + 1, text: $0.element))
            }
          }
          return [effect, .report(.transcriptCleared)]
        case .finalShown, .historyShown:
          let held = notes.heldEffects
          notes.heldEffects = []
          return held + [effect]
        default: return [effect]
        }
      }),
    .readingPackets("history-appended", "5.6.4", failedBy: "FinalsExactlyOnce", "adds a whole history to what it shows")
    {
      packet, _, notes in
      if case .fullHistory(let history) = packet, !notes.shown.isEmpty {
        for chunk in history.chunks where chunk.sequence <= notes.shown.count {
          notes.report(.finalShown(sequence: chunk.sequence, text: chunk.text))
        }
      }
      return [packet]
    },
    .readingPackets("one-page-only", "5.6.2", "takes the first page for all") { packet, id, notes in
      guard case .fullHistory(var history) = packet, let last = history.chunks.last,
        last.sequence < history.upToSequence, notes[id.rawValue] == 0
      else { return [packet] }
      notes[id.rawValue] = 1
      history.upToSequence = last.sequence
      return [.fullHistory(history)]
    },
    .readingPackets("gap-shown", "5.6.6", failedBy: "FinalsExactlyOnce", "shows a final whatever its number") {
      packet, _, notes in
      guard case .liveChunk(let chunk) = packet, chunk.isFinal, chunk.sequence > notes.shown.count + 1 else {
        return [packet]
      }
      notes.report(.finalShown(sequence: chunk.sequence, text: chunk.text))
      return []
    },
    .readingPackets("live-before-history", "5.6.7", "takes live chunks without a history") { packet, id, notes in
      switch packet {
      case .fullHistory(let history):
        let isComplete = history.chunks.last.map { $0.sequence == history.upToSequence } ?? true
        if isComplete { notes[id.rawValue] = 1 }
        return [packet]
      case .liveChunk(let chunk):
        if notes[id.rawValue] == 1 { return [packet] }
        if chunk.isFinal { notes.report(.finalShown(sequence: chunk.sequence, text: chunk.text)) }
        return []
      case .alert: return [packet]
      }
    },
    .seam(
      "sessions-joined", .beamGuest, "5.6.8", "keeps the finals of the session before",
      asking: { effect, _ in
        if case .transcriptCleared? = effect.beam { return [] }
        return [effect]
      }),
    .readingPackets("second-history", "5.6.11", "starts over with a second history") { packet, id, notes in
      guard case .fullHistory(let history) = packet else { return [packet] }
      let isComplete = history.chunks.last.map { $0.sequence == history.upToSequence } ?? true
      if notes[id.rawValue] == 0 {
        if isComplete { notes[id.rawValue] = 1 }
        return [packet]
      }
      notes.report(.transcriptCleared)
      for chunk in history.chunks { notes.report(.finalShown(sequence: chunk.sequence, text: chunk.text)) }
      return []
    },
    .adjusted("keeps-last-thousand", .beamGuest, "7.7", "drops finals beyond the last thousand") {
      $0.transcriptLimit = .max
    },
    .seam(
      "forgets-at-the-end", .beamGuest, "5.8.4", "drops the transcript at the end",
      asking: { effect, _ in
        if case .state(BeamState.ended.rawValue)? = effect.beam { return [effect, .report(.transcriptCleared)] }
        return [effect]
      }),
    .seam(
      "latency-clamped", .beamGuest, "9.2", "reports zero for a negative latency",
      asking: { effect, _ in
        guard case .latency(let sequence, let milliseconds)? = effect.beam, milliseconds < 0 else { return [effect] }
        return [.report(.latency(sequence: sequence, milliseconds: 0))]
      }),
  ]

  private static let guestAlerts: [Mutant] = [
    .readingPackets("alert-as-text", "5.7.6", failedBy: "AlertsChangeNoText", "shows an alert as a final") {
      packet, _, notes in
      guard case .alert(let alert) = packet else { return [packet] }
      notes.report(.finalShown(sequence: notes.shown.count + 1, text: alert.rawValue))
      return []
    },
    .readingPackets("alert-swallowed", "5.7.4", failedBy: "AlertsReachAll", "shows the first alert of a stream only") {
      packet, id, notes in
      guard case .alert = packet else { return [packet] }
      notes[id.rawValue] += 1
      return notes[id.rawValue] == 1 ? [packet] : []
    },
    .readingPackets("retries-after-the-end", "5.8.4", "retries whatever ended the stream") { packet, _, notes in
      guard case .alert(.hostDisconnected) = packet else { return [packet] }
      notes.report(.alertShown(BeamAlert.hostDisconnected.rawValue, isOwn: false))
      return []
    },
    .seam(
      "declined-is-final", .beamGuest, "6.3", "does not come back after a decline",
      hearing: { input, notes in
        if case .user = input { notes[1] = 0 }
        if case .network(.received(_, let octets)) = input, notes.configuration.isMPC,
          octets.first == Frame.Kind.declined.rawValue
        {
          notes[1] = 1
        }
        return [input]
      },
      asking: { effect, notes in
        if case .network(.connect) = effect, notes[1] == 1 { return [] }
        return [effect]
      }),
  ]
}
