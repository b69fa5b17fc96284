import AppSeam
import BeamScribe
import Conformance
import SimKernel

/// Hosts whose frames, packets and numbers are wrong.
extension BeamMutants {
  static let hostPackets: [Mutant] = [
    .frames(
      "little-endian-length", "3.1", failedBy: "FramesAreWhole", "writes the length little-endian",
      framing: { body, format in
        var octets = Frame(body: body).encoded(format)
        let start = format == .length ? 0 : 1
        octets[start..<start + 4].reverse()
        return octets
      }),
    .frames(
      "frames-mixed", "3.2", failedBy: "FramesAreWhole", "sends a chunk while a frame is half taken", mixes: true),
    .adjusted(
      "history-unpaged", .beamHost, "5.6.2", failedBy: "FramesWithinLimit", "sends any history in one frame"
    ) { $0.pageOctets = .max },
    .adjusted("pages-of-one", .beamHost, "5.6.2", "sends a frame for each chunk") { $0.pageChunks = 1 },
    .texts("unsorted-keys", "4.1", failedBy: "PacketsAreCanonical", "writes `type` first") { text in
      for kind in BeamPacket.Kind.allCases {
        let member = "\"type\":\"\(kind.rawValue)\""
        if text.hasSuffix("," + member + "}") {
          return "{" + member + "," + text.dropFirst().dropLast(member.count + 2) + "}"
        }
        if text.contains("," + member + ",") {
          return "{" + member + "," + text.dropFirst().replacing("," + member + ",", with: ",")
        }
      }
      return text
    },
    .texts("escapes-slash", "4.3", failedBy: "PacketsAreCanonical", "writes `/` as `\\/`") {
      $0.replacing("/", with: "\\/")
    },
    .texts("exponent-numbers", "4.4", failedBy: "PacketsAreCanonical", "writes large numbers with an exponent") {
      text in
      text.replacing(/"(sequence|upToSequence)":([0-9]{4,})/) { "\"\($0.1)\":\($0.2)e0" }
    },
    .adjusted("long-text-whole", .beamHost, "4.7", "sends a text of any length") { $0.textOctets = .max },
    .frames(
      "up-to-counts-partials", "4.8", "counts the partial that is being spoken in `upToSequence`",
      rewriting: { body, _, notes in
        guard notes[-1] == 1, case .fullHistory(var history)? = try? BeamPacket(decoding: body) else { return [body] }
        history.upToSequence += 1
        return [BeamPacket.fullHistory(history).encoded()]
      }),
    .packets(
      "live-chunk-forgotten", "5.5.3", failedBy: "TranscriptConverges",
      "leaves out every tenth final on the last stream"
    ) { packet, id, notes in
      guard case .liveChunk(let chunk) = packet, chunk.isFinal, chunk.sequence % 10 == 0, notes.open.last == id else {
        return [packet]
      }
      return []
    },
    .packets("numbers-per-guest", "5.5.1", "numbers finals for each stream") { packet, id, notes in
      switch packet {
      case .fullHistory(let history):
        notes[id.rawValue] = history.upToSequence
        return [packet]
      case .liveChunk(var chunk):
        chunk.sequence -= notes[id.rawValue]
        return [.liveChunk(chunk)]
      case .alert: return [packet]
      }
    },
    .packets("partial-numbered", "5.5.2", "gives partials numbers of their own") { packet, _, notes in
      guard case .liveChunk(var chunk) = packet, !chunk.isFinal else { return [packet] }
      notes[1] += 1
      chunk.sequence += notes[1]
      return [.liveChunk(chunk)]
    },
    .packets("no-empty-history", "5.6.1", failedBy: "HistoryThenLive", "sends no history when there is none") {
      packet, _, _ in
      if case .fullHistory(let history) = packet, history.chunks.isEmpty { return [] }
      return [packet]
    },
    .packets(
      "history-off-by-one", "5.6.3", failedBy: "FinalsExactlyOnce", "leaves the newest final out of the history"
    ) { packet, _, _ in
      guard case .fullHistory(var history) = packet, history.chunks.last?.sequence == history.upToSequence,
        !history.chunks.isEmpty
      else { return [packet] }
      history.chunks.removeLast()
      history.upToSequence -= 1
      return [.fullHistory(history)]
    },
    .packets(
      "seam-twice", "5.6.3", failedBy: "HistoryThenLive", "sends the newest final as history and live"
    ) { packet, _, _ in
      guard case .fullHistory(let history) = packet, let last = history.chunks.last,
        last.sequence == history.upToSequence
      else { return [packet] }
      return [packet, .liveChunk(.init(isFinal: true, sequence: last.sequence, text: last.text))]
    },
    .packets("history-of-ready", "5.4.7", failedBy: "GatesOpen", "takes the history when the stream is ready") {
      packet, id, notes in
      guard case .fullHistory(var history) = packet, let since = notes.streams.first(where: { $0.id == id })?.since
      else { return [packet] }
      let known = notes.finals.count { $0 < since }
      history.chunks.removeAll { $0.sequence > known }
      history.upToSequence = min(history.upToSequence, known)
      return [.fullHistory(history)]
    },
    .packets("history-once", "5.6.10", "sends a guest that it knows what is new only") { packet, id, notes in
      guard let peer = notes.streams.first(where: { $0.id == id })?.peer else { return [packet] }
      let key = 1_000 + peer.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF }
      switch packet {
      case .fullHistory(var history):
        let known = notes[key]
        notes[key] = max(known, history.chunks.last?.sequence ?? 0)
        history.chunks.removeAll { $0.sequence <= known }
        return [.fullHistory(history)]
      case .liveChunk(let chunk):
        if chunk.isFinal { notes[key] = max(notes[key], chunk.sequence) }
        return [packet]
      case .alert: return [packet]
      }
    },
    .packets(
      "last-guest-behind", "5.6.9", failedBy: "TranscriptConverges",
      "stops to send to the last guest after 500 finals"
    ) { packet, id, notes in
      guard case .liveChunk(let chunk) = packet, chunk.sequence > 500, notes.open.last == id else { return [packet] }
      return []
    },
    .packets(
      "alert-to-first-only", "5.7.2", failedBy: "AlertsReachAll", "sends alerts to its first guest"
    ) { packet, id, notes in
      guard case .alert = packet, notes.open.first != id else { return [packet] }
      return []
    },
    .packets("alert-repeated", "5.7.1", "sends the alert with every final while the battery is low") {
      packet, _, notes in
      guard case .liveChunk(let chunk) = packet, chunk.isFinal, notes[-2] == 1 else { return [packet] }
      return [packet, .alert(.batteryLow)]
    },
    .packets("alert-lost-in-gate", "5.7.1", "sends alerts to those who are open then, and to nobody later") {
      packet, id, notes in
      switch packet {
      case .fullHistory: notes[id.rawValue] = Int(notes.now.nanoseconds)
      case .alert(.batteryLow): if notes[id.rawValue] == Int(notes.now.nanoseconds) { return [] }
      default: break
      }
      return [packet]
    },
    .packets("resumes-silently", "5.7.3", "sends no `sessionResumed`") { packet, _, _ in
      packet == .alert(.sessionResumed) ? [] : [packet]
    },
    .packets("ends-without-a-word", "5.8.1", "finishes its streams without an alert") { packet, _, notes in
      packet == .alert(.hostDisconnected) && !notes.configuration.isMPC ? [] : [packet]
    },
    .packets("mpc-without-end", "6.7", "sends no alert at the end in `mpc`") { packet, _, notes in
      packet == .alert(.hostDisconnected) && notes.configuration.isMPC ? [] : [packet]
    },
    .packets("stamps-at-speech", "9.1", "writes the time at which the final was queued") { packet, _, notes in
      guard case .liveChunk(var chunk) = packet, chunk.isFinal, chunk.sentMilliseconds != nil,
        chunk.sequence <= notes.finals.count
      else { return [packet] }
      chunk.sentMilliseconds = notes.configuration.wallMilliseconds(notes.finals[chunk.sequence - 1])
      return [.liveChunk(chunk)]
    },
    .texts("long-fraction", "9.1", failedBy: "PacketsAreCanonical", "writes six digits after the point") { text in
      text.replacing(/"sentTimestamp":([0-9]+)(\.[0-9]+)?/) {
        "\"sentTimestamp\":\($0.1)\($0.2 ?? ".")\(String(repeating: "1", count: 7 - ($0.2?.count ?? 1)))"
      }
    },
    .frames(
      "length-in-mpc", "6.6", "writes the length before a message",
      rewriting: { body, _, notes in [notes.configuration.isMPC ? Frame(body: body).encoded(.length) : body] }),
  ]
}
