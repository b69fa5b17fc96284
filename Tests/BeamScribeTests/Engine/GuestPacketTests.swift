import AppSeam
import BeamScribe
import Expectations
import SimKernel
import Testing

/// What a guest shows of what comes, and what it refuses.
@Suite("A guest and its packets")
struct GuestPacketTests {
  private static let stream = GuestJoinTests.stream

  private func live(_ sequence: Int, _ text: String, isFinal: Bool = true, sent: Int64? = nil) -> [UInt8] {
    GuestJoinTests.frame(
      .liveChunk(.init(isFinal: isFinal, sentMilliseconds: sent, sequence: sequence, text: text)))
  }

  private func showing(_ texts: [String] = []) -> DeviceBed {
    let guest = GuestJoinTests.connected()
    guest.feed(.received(Self.stream, octets: GuestJoinTests.history(texts)))
    return guest
  }

  private func shown(_ guest: DeviceBed) -> [String] {
    guest.reports.compactMap { report in
      switch report {
      case .finalShown(let sequence, let text): "\(sequence) \(text)"
      case .partialShown(let sequence, let text): "\(sequence) \(text)…"
      case .transcriptCleared: "cleared"
      case .historyShown(let upTo): "up to \(upTo)"
      case .alertShown(let alert, _): alert
      case .refused(_, let reason): reason
      default: nil
      }
    }
  }

  @Test("History and live text join, each final once, with the text that was sent")
  func seam() {
    let guest = showing(["One.", "Two."])
    guest.feed(.received(Self.stream, octets: live(2, "Two.") + live(3, " Three. ") + live(3, "Three.")))
    equal(shown(guest), ["1 One.", "2 Two.", "up to 2", "3  Three. "])
  }

  @Test("Partials are shown for the next number only")
  func partials() {
    let guest = showing(["One."])
    for octets in [
      live(2, "T", isFinal: false), live(2, "Tw", isFinal: false), live(2, "Two."), live(2, "Tw", isFinal: false),
      live(3, "Th", isFinal: false),
    ] { guest.feed(.received(Self.stream, octets: octets)) }
    equal(shown(guest), ["1 One.", "up to 1", "2 T…", "2 Tw…", "2 Two.", "3 Th…"])
  }

  @Test("A number above the next one is a gap, and nothing of it is shown", arguments: [true, false])
  func gap(_ isFinal: Bool) {
    let guest = showing(["One."])
    let effects = guest.feed(.received(Self.stream, octets: live(3, "Three.", isFinal: isFinal) + live(2, "Two.")))
    equal(effects.network, [.cancel(Self.stream)])
    equal(shown(guest), ["1 One.", "up to 1", "gap"])
    equal(guest.states.last, "LOST")
    guest.run(for: .seconds(1))
    equal(guest.network.compactMap(\.connected).count, 2)
  }

  @Test("Live text before the history is complete is a gap")
  func early() {
    let guest = GuestJoinTests.connected()
    guest.feed(.received(Self.stream, octets: live(1, "One.")))
    equal(shown(guest), ["gap"])
    let within = GuestJoinTests.connected()
    let page = BeamPacket.fullHistory(.init(chunks: [.init(sequence: 1, text: "One.")], upToSequence: 2))
    within.feed(.received(Self.stream, octets: GuestJoinTests.frame(page) + live(2, "Two.")))
    equal(shown(within), ["1 One.", "gap"])
  }

  @Test("A history in pages is complete with the last")
  func pages() {
    let guest = GuestJoinTests.connected()
    for sequence in 1...3 {
      let page = BeamPacket.fullHistory(.init(chunks: [.init(sequence: sequence, text: "x")], upToSequence: 3))
      equal(guest.states.last, "CONNECTED")
      guest.feed(.received(Self.stream, octets: GuestJoinTests.frame(page)))
    }
    equal(guest.states.last, "SHOWING")
    equal(shown(guest), ["1 x", "2 x", "3 x", "up to 3"])
  }

  @Test("Pages that do not go on where the one before ended are refused")
  func wrongPages() {
    for (sequence, upTo, reason) in [(3, 3, "gap"), (1, 3, "notAPacket"), (2, 2, "notAPacket")] {
      let guest = GuestJoinTests.connected()
      for (sequence, upTo) in [(1, 3), (sequence, upTo)] {
        let page = BeamPacket.fullHistory(.init(chunks: [.init(sequence: sequence, text: "x")], upToSequence: upTo))
        guest.feed(.received(Self.stream, octets: GuestJoinTests.frame(page)))
      }
      equal(shown(guest), ["1 x", reason])
    }
  }

  @Test("A second history on a stream is refused")
  func secondHistory() {
    let guest = showing()
    guest.feed(.received(Self.stream, octets: GuestJoinTests.history([])))
    equal(shown(guest), ["up to 0", "notAPacket"])
  }

  @Test("Lost and back it keeps what it shows and adds what is new")
  func back() {
    let guest = showing(["One.", "Two."])
    guest.feed(.failed(Self.stream, .reset))
    guest.run(for: .seconds(1))
    guest.feed(.ready(ConnectionID(4), .infrastructure))
    guest.feed(.received(ConnectionID(4), octets: GuestJoinTests.history(["One.", "Two.", "Three."])))
    equal(shown(guest), ["1 One.", "2 Two.", "up to 2", "3 Three.", "up to 3"])
  }

  @Test(
    "A history of another session replaces what was shown",
    arguments: [
      (["One."], ["cleared", "1 One.", "up to 1"]),
      (["One.", "Zwei.", "Drei."], ["cleared", "1 One.", "2 Zwei.", "3 Drei.", "up to 3"]),
      // The same letters, in another form.
      (["One.", "Two.\u{301}"], ["cleared", "1 One.", "2 Two.\u{301}", "up to 2"]),
    ])
  func otherSession(_ texts: [String], _ result: [String]) {
    let guest = showing(["One.", "Two."])
    guest.feed(.failed(Self.stream, .reset))
    guest.run(for: .seconds(1))
    guest.feed(.ready(ConnectionID(4), .infrastructure))
    guest.feed(.received(ConnectionID(4), octets: GuestJoinTests.history(texts)))
    equal(shown(guest).dropFirst(3), result[...])
  }

  @Test("Alerts are shown in their place and change no text")
  func alerts() {
    let guest = showing(["One."])
    let alert = GuestJoinTests.frame(.alert(.batteryLow))
    guest.feed(.received(Self.stream, octets: alert + live(2, "Two.") + alert))
    equal(shown(guest), ["1 One.", "up to 1", "batteryLow", "2 Two.", "batteryLow"])
  }

  @Test("Bad frames are refused as soon as they can be known, and what follows is ignored")
  func badFrames() {
    for (octets, reason) in [
      ([0, 0, 0, 0], "frameEmpty"), ([0, 16, 0, 1], "frameTooLong"), ([0, 0, 0, 2, 0x7B, 0x7D], "notAPacket"),
    ] as [([UInt8], String)] {
      let guest = showing()
      guest.feed(.received(Self.stream, octets: octets + live(1, "One.")))
      guest.feed(.received(Self.stream, octets: live(1, "One.")))
      equal(shown(guest), ["up to 0", reason])
      equal(guest.network.last, .cancel(Self.stream))
    }
  }

  @Test("A stream that ends within a frame is truncated", arguments: [true, false])
  func truncated(_ isEnded: Bool) {
    let guest = showing()
    guest.feed(.received(Self.stream, octets: live(1, "One.").dropLast()))
    guest.feed(isEnded ? .ended(Self.stream) : .failed(Self.stream, .reset))
    equal(shown(guest), ["up to 0", "truncated"])
    equal(guest.states.last, "LOST")
  }

  @Test("A begun frame that does not grow for 30 s is stalled; one that grows each 29 s is not")
  func stalled() {
    let guest = showing()
    for octet in live(1, "One.").prefix(5) {
      guest.feed(.received(Self.stream, octets: [octet]))
      guest.run(for: .seconds(29))
    }
    equal(shown(guest), ["up to 0"])
    guest.run(for: .milliseconds(999))
    equal(shown(guest), ["up to 0"])
    guest.run(for: .milliseconds(1))
    equal(shown(guest), ["up to 0", "stalled"])
  }

  @Test("Time in which nothing can pass is no time without growth")
  func stalledAndDead() {
    let guest = showing()
    guest.feed(.received(Self.stream, octets: [0]))
    guest.run(for: .seconds(20))
    guest.feed(.viable(Self.stream, false))
    guest.run(for: .seconds(9))
    guest.feed(.viable(Self.stream, true))
    guest.run(for: .milliseconds(9_999))
    equal(shown(guest), ["up to 0"])
    guest.run(for: .milliseconds(1))
    equal(shown(guest), ["up to 0", "stalled"])
  }

  @Test("A full frame without a next one waits for nothing")
  func rest() {
    let guest = showing()
    guest.feed(.received(Self.stream, octets: live(1, "One.").prefix(3).map { $0 }))
    guest.feed(.received(Self.stream, octets: live(1, "One.").dropFirst(3).map { $0 }))
    guest.run(for: .seconds(100))
    equal(shown(guest), ["up to 0", "1 One."])
    expect(guest.timers.isEmpty)
  }

  @Test("Latency is reported for each chunk with a time, below zero too")
  func latency() {
    let guest = showing()
    guest.run(to: at(5))
    let octets =
      live(1, "One.", sent: 1_700_000_004_900) + live(2, "Two.") + live(3, "T", isFinal: false, sent: 1_700_000_006_000)
    guest.feed(.received(Self.stream, octets: octets))
    let latencies = guest.reports.filter { if case .latency = $0 { true } else { false } }
    equal(latencies, [.latency(sequence: 1, milliseconds: 100), .latency(sequence: 3, milliseconds: -1_000)])
  }

  @Test("More finals than a guest shows are refused")
  func tooMany() {
    let guest = GuestJoinTests.connected { $0.transcriptLimit = 2 }
    guest.feed(.received(Self.stream, octets: GuestJoinTests.history(["1", "2"]) + live(3, "3")))
    equal(shown(guest), ["1 1", "2 2", "up to 2", "notAPacket"])
    guest.run(for: .seconds(1))
    guest.feed(.ready(ConnectionID(4), .infrastructure))
    guest.feed(.received(ConnectionID(4), octets: GuestJoinTests.history(["1", "2", "3"])))
    equal(shown(guest).last, "notAPacket")
  }

  @Test("Packets are found wherever the stream is cut")
  func cuts() {
    let octets = GuestJoinTests.history(["One.", "Two."]) + live(3, "Three.") + live(4, "F", isFinal: false)
    let whole = GuestJoinTests.connected()
    whole.feed(.received(Self.stream, octets: octets))
    for cut in 1..<octets.count {
      let guest = GuestJoinTests.connected()
      guest.feed(.received(Self.stream, octets: Array(octets[..<cut])))
      guest.feed(.received(Self.stream, octets: Array(octets[cut...])))
      equal(guest.reports, whole.reports, "cut at \(cut)")
    }
    let chopped = GuestJoinTests.connected()
    for octet in octets { chopped.feed(.received(Self.stream, octets: [octet])) }
    equal(chopped.reports, whole.reports)
  }
}
