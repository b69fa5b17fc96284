import AppSeam
import BeamScribe
import Expectations
import SimKernel
import Testing

/// Whole sessions of both engines: whatever happens on the way, guests show what the host spoke.
@Suite("Sessions of a host and its guests")
struct SessionTests {
  /// What a guest showed, with what is wrong in its order.
  private func shown(_ guest: DeviceBed) -> (finals: [String], cleared: Int, faults: [String]) {
    var (finals, cleared, faults): ([String], Int, [String]) = ([], 0, [])
    for report in guest.reports {
      switch report {
      case .finalShown(let sequence, let text):
        if sequence != finals.count + 1 { faults.append("final \(sequence) after \(finals.count)") }
        finals.append(text)
      case .partialShown(let sequence, _):
        if sequence != finals.count + 1 { faults.append("partial \(sequence) after \(finals.count)") }
      case .transcriptCleared:
        finals = []
        cleared += 1
      default: break
      }
    }
    return (finals, cleared, faults)
  }

  private func spoken(_ host: DeviceBed) -> [String] {
    host.reports.compactMap { report in
      if case .finalShown(_, let text) = report { return text }
      return nil
    }
  }

  /// On every stream: nothing within the gate, then the whole history, then each final once.
  private func judgeStreams(_ net: BeamNet, gate: SimDuration, _ format: Frame.Format) throws {
    for wire in net.wires {
      let pieces = net.sent.filter { $0.wire === wire }
      if let first = pieces.first { expect(first.at - wire.start >= gate) }
      var reader = FrameReader(format)
      var rest = pieces.flatMap(\.octets)[...]
      var next = 1
      var upTo: Int?
      while let frame = try reader.next(&rest) {
        if frame.kind != .message { continue }
        let packet = try BeamPacket(decoding: frame.body)
        equal(packet.encoded(), frame.body)
        switch packet {
        case .fullHistory(let history):
          expect(upTo == nil || (upTo == history.upToSequence && next <= history.upToSequence))
          upTo = history.upToSequence
          if let first = history.chunks.first { equal(first.sequence, next) }
          next += history.chunks.count
        case .liveChunk(let chunk):
          expect(chunk.sequence == next && next > (upTo ?? .max))
          if chunk.isFinal { next += 1 }
        case .alert: expect(next > (upTo ?? .max))
        }
      }
    }
  }

  @Test("Seven guests that come at different times show all that was spoken", arguments: [1, 2, 3] as [UInt64])
  func seven(_ seed: UInt64) throws {
    let net = BeamNet(guests: 7, seed: seed)
    net.host.feed(.startEvent(name: ""))
    for number in 0..<100 {
      if number % 10 == 0, number < 70 { net.guests[number / 10].feed(.join) }
      net.host.feed(.speakPartial("final"))
      net.run(for: .milliseconds(300))
      net.host.feed(.speakFinal("final \(number)"))
      net.run(for: .milliseconds(200))
    }
    net.run(for: .seconds(5))
    let spoken = spoken(net.host)
    equal(spoken.count, 100)
    for guest in net.guests {
      let shown = shown(guest)
      equal(shown.finals, spoken)
      equal(shown.faults, [])
      equal(shown.cleared, 0)
    }
    try judgeStreams(net, gate: .seconds(4), .length)
  }

  /// One thing that happens.
  private func happen(_ net: BeamNet, _ stream: inout RandomStream, _ number: inout Int, mayLoseHost: Bool) {
    let guest = Int(stream.below(UInt64(net.guests.count)))
    switch stream.below(mayLoseHost ? 16 : 15) {
    case 0..<4:
      number += 1
      net.host.feed(.speakFinal("\(number) " + String(repeating: "é", count: Int(stream.below(120)))))
    case 4, 5: net.host.feed(.speakPartial("\(number + 1)"))
    case 6: net.cut(guest)
    case 7: net.guests[guest].feed(.leave)
    case 8, 9: net.guests[guest].feed(.join)
    case 10: net.guests[guest].feed(stream.below(2) == 0 ? .stopReading : .readAgain)
    case 11: net.setAway(guest, !net.isAway[guest])
    case 12: net.offerBetterPath(guest)
    case 13: net.interfaces[guest] = stream.below(2) == 0 ? .infrastructure : .peerToPeer
    case 14: net.host.feed(stream.below(2) == 0 ? .batteryLow : .batteryOK)
    default: net.relaunchHost()
    }
    net.run(for: .milliseconds(stream.within(0...2_000)))
  }

  private func heal(_ net: BeamNet) {
    for guest in net.guests.indices {
      net.guests[guest].feed(.readAgain)
      net.setAway(guest, false)
      net.guests[guest].feed(.join)
    }
    net.run(for: .seconds(90))
  }

  @Test(
    "Whatever is lost, cut, left and joined, there is no gap and no repeat, and all converge",
    arguments: 0..<40 as Range<UInt64>)
  func histories(_ seed: UInt64) throws {
    var stream = RandomStream(seed: seed, component: "test", purpose: "histories")
    let dialect: DialectName = seed % 4 == 0 ? .beamMPC : .beamNetwork
    let mayLoseHost = seed % 3 == 0
    let net = BeamNet(guests: Int(stream.within(1...7)), seed: seed, dialect: dialect)
    net.host.feed(.startEvent(name: ""))
    var number = 0
    for _ in 0..<120 { happen(net, &stream, &number, mayLoseHost: mayLoseHost) }
    heal(net)
    net.host.feed(.speakFinal("last"))
    net.run(for: .seconds(2))
    for guest in net.guests {
      let shown = shown(guest)
      equal(shown.finals.count, number + 1)
      equal(shown.finals.last, "last")
      equal(shown.faults, [])
      equal(shown.cleared, 0)
      equal(guest.states.last, "SHOWING")
    }
    let mpc = dialect == .beamMPC
    try judgeStreams(net, gate: mpc ? .zero : .seconds(4), mpc ? .kindAndLength : .length)
  }
}
