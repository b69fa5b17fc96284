import Expectations
import NetworkWire
import SimKernel
import Testing

@testable import CaptureCheck

@Suite("Putting streams together")
struct StreamAssemblyTests {
  private func story(_ make: (inout NetworkScript) -> Void) -> [String] {
    var script = NetworkScript()
    make(&script)
    return NetworkRecorder.read(script.records).story
  }

  @Test("Segments out of order are handed out in order, repetitions and keep-alives never")
  func order() {
    let story = story { script in
      script.open()
      script.segment(.client, 3, "def")
      script.segment(.client, 6, "ghi")
      script.segment(.client, 0, "abc")
      script.segment(.client, 0, "abc")
      script.segment(.client, 6, "ghijk")
      // A keep-alive repeats the octet before the next, or none (RFC 9293, 3.8.4).
      script.segment(.client, 10, "?")
      script.segment(.client, 10, "")
      script.segment(.client, 11, "l")
    }
    equal(
      story,
      [
        "1 opened 0", "6 client 0: abc", "6 client 3: def", "6 client 6: ghi", "8 client 9: jk", "11 client 11: l",
        "11 ended 0 captureEnded",
      ])
  }

  @Test("Segments that overlap are handed out once, whatever their borders are")
  func overlaps() {
    let story = story { script in
      script.open()
      script.segment(.client, 4, "ef")
      script.segment(.client, 8, "ij")
      script.segment(.client, 2, "cdefghijkl")
      script.segment(.client, 0, "abcdef")
    }
    equal(
      story,
      [
        "1 opened 0", "7 client 0: ab", "7 client 2: cd", "7 client 4: ef", "7 client 6: gh", "7 client 8: ij",
        "7 client 10: kl", "7 ended 0 captureEnded",
      ])
  }

  @Test("Octets that were sent twice and differ are believed in neither form")
  func contradiction() {
    let story = story { script in
      script.open()
      script.segment(.client, 2, "cd")
      script.segment(.client, 2, "cX")
      script.segment(.client, 0, "ab")
      script.segment(.client, 4, "ef")
    }
    equal(
      story,
      [
        "1 opened 0", "6 client 0: ab", "6 gap client 2+2 contradicted", "7 client 4: ef", "7 ended 0 captureEnded",
      ])
  }

  @Test("What is acknowledged and does not turn up within 100 ms is missing; what turns up before is not")
  func missed() {
    let late = story { script in
      script.open()
      script.segment(.client, 3, "def")
      script.segment(.server, 0, "", acknowledges: 6)
      script.nanoseconds += 90_000_000
      script.segment(.client, 0, "abc")
      script.segment(.client, 6, "g")
    }
    equal(
      late,
      [
        "1 opened 0", "6 client 0: abc", "6 client 3: def", "7 client 6: g", "7 ended 0 captureEnded",
      ])
    let never = story { script in
      script.open()
      script.segment(.client, 3, "def")
      script.segment(.server, 0, "", acknowledges: 6)
      script.nanoseconds += 100_000_000
      script.segment(.server, 0, "", acknowledges: 6)
      script.segment(.client, 0, "abc")
      script.segment(.client, 6, "g")
    }
    equal(
      never,
      [
        "1 opened 0", "6 gap client 0+3 missed", "6 client 3: def", "8 client 6: g", "8 ended 0 captureEnded",
      ])
  }

  @Test("What never came before the end is missing, and not proven to have been received")
  func unfinished() {
    let story = story { script in
      script.open()
      script.segment(.client, 3, "def")
      script.segment(.server, 0, "", flags: .rst)
      script.segment(.client, 6, "late")
    }
    equal(
      story,
      [
        "1 opened 0", "5 gap client 0+3 unfinished", "5 client 3: def",
        "5 ended 0 reset(by: CaptureCheck.TrafficStream.Side.server)",
      ])
  }

  @Test("An acknowledgement alone proves that octets were missed, up to a FIN and not beyond")
  func acknowledgedOnly() {
    let story = story { script in
      script.open()
      script.segment(.server, 0, "", acknowledges: 5)
      script.segment(.client, 5, "", flags: .fin)
      script.segment(.server, 0, "", acknowledges: 6, flags: .fin)
    }
    equal(
      story,
      [
        "1 opened 0", "6 fin server", "6 gap client 0+5 missed", "6 fin client", "6 ended 0 captureEnded",
      ])
  }

  @Test("Sequence numbers wrap around")
  func wrapping() {
    let story = story { script in
      script.initial = (UInt32.max - 2, UInt32.max)
      script.open()
      script.segment(.client, 4, "ef")
      script.segment(.client, 0, "abcd")
      script.segment(.server, 0, "xyz", acknowledges: 6)
      script.segment(.client, 6, "", acknowledges: 3, flags: .fin)
      script.segment(.server, 3, "", acknowledges: 7, flags: .fin)
    }
    equal(
      story,
      [
        "1 opened 0", "5 client 0: abcd", "5 client 4: ef", "6 server 0: xyz", "7 fin client", "8 fin server",
        "8 ended 0 finished",
      ])
  }

  @Test("A reset is believed when its number is near, a stray one is not")
  func resets() {
    let stray = story { script in
      script.open()
      script.segment(.server, 900_000_000, "", flags: .rst)
      script.segment(.client, 0, "on")
    }
    equal(stray, ["1 opened 0", "5 client 0: on", "5 ended 0 captureEnded"])
    let refusal = story { script in
      script.segment(.client, -1, "", acknowledges: nil, flags: .syn)
      // Nobody listens: sequence number zero, and the SYN is acknowledged (RFC 9293, 3.10.7.1).
      script.initial.server = 0
      script.segment(.server, -1, "", acknowledges: 0, flags: .rst)
    }
    expect(refusal.count == 2 && refusal[1].hasPrefix("2 ended 0 reset"))
  }

  @Test("The same ends may open another connection, and a SYN that is repeated opens none")
  func reopening() {
    let story = story { script in
      script.segment(.client, -1, "", acknowledges: nil, flags: .syn)
      script.open()
      script.segment(.client, 0, "one")
      script.initial = (500_000, 700_000)
      script.open()
      script.segment(.client, 0, "two")
    }
    equal(
      story,
      [
        "1 opened 0", "5 client 0: one", "6 ended 0 replaced", "6 opened 1", "9 client 0: two",
        "9 ended 1 captureEnded",
      ])
  }

  @Test("Two that open towards each other have one connection")
  func simultaneous() {
    let story = story { script in
      script.segment(.client, -1, "", acknowledges: nil, flags: .syn)
      script.segment(.server, -1, "", acknowledges: nil, flags: .syn)
      script.segment(.client, -1, "", flags: .syn)
      script.segment(.server, -1, "", flags: .syn)
      script.segment(.server, 0, "hi")
    }
    equal(story, ["1 opened 0", "5 server 0: hi", "5 ended 0 captureEnded"])
  }

  @Test("Numbers that go on elsewhere are a gap of unknown length")
  func jump() {
    let story = story { script in
      script.open()
      script.segment(.client, 0, "abc")
      script.segment(.client, 1 << 27, "xyz")
      script.segment(.client, 1 << 27 + 3, "uvw")
    }
    equal(
      story,
      [
        "1 opened 0", "4 client 0: abc", "5 gap client 3+? jump", "5 client 3: xyz", "6 client 6: uvw",
        "6 ended 0 captureEnded",
      ])
  }

  @Test("A segment whose checksum is wrong is ignored, one whose checksum a network card computes is not")
  func checksums() {
    let story = story { script in
      script.open()
      script.segment(.client, 0, "bad")
      script.damageNewest { $0[$0.count - 1] ^= 1 }
      script.segment(.client, 0, "abc")
      script.isOutgoing = true
      script.segment(.client, 3, "own")
      script.damageNewest { $0[14 + 20 + 16] ^= 1 }
      script.isOutgoing = nil
      script.segment(.client, 6, "zero")
      script.damageNewest { $0.replaceSubrange(50..<52, with: [0, 0]) }
    }
    equal(
      story,
      [
        "1 opened 0", "5 client 0: abc", "6 client 3: own", "7 client 6: zero", "7 ended 0 captureEnded",
      ])
  }

  @Test("A packet that a card divides has no length of its own, and what follows a short packet is padding")
  func lengths() {
    let story = story { script in
      script.open()
      script.segment(.client, 0, "divided")
      // A total length of zero; the header's checksum is not looked at.
      script.damageNewest { $0.replaceSubrange(16..<18, with: [0, 0]) }
      script.segment(.client, 7, "x")
      script.damageNewest { $0 += [0, 0, 0, 0, 0, 0] }
    }
    equal(
      story, ["1 opened 0", "4 client 0: divided", "5 client 7: x", "5 ended 0 captureEnded"])
  }

  @Test("Only so much is held of a stream, and what is given up is said")
  func limits() {
    func gaps(_ count: Int, _ size: Int) -> (gaps: [StreamGap], octets: Int, cost: Int) {
      var assembly = StreamAssembly()
      assembly.begin(at: 0)
      let block = [UInt8](repeating: 7, count: size)
      var pieces: [StreamAssembly.Piece] = []
      var cost = 0
      for index in 0..<count {
        // An octet is missing before each.
        let sequence = UInt32(1 + index * (size + 1))
        assembly.take(block[...], missing: 0, sequence: sequence, isLast: false, into: &pieces)
        cost = max(cost, assembly.heldCost)
      }
      assembly.finish(&pieces)
      var octets = 0
      let gaps = pieces.compactMap { piece -> StreamGap? in
        if case .octets(_, let slice) = piece { octets += slice.count }
        if case .gap(_, 1, let why) = piece { return why }
        return nil
      }
      return (gaps, octets, cost)
    }
    let large = gaps(StreamAssembly.heldLimit / 60_000 + 2, 60_000)
    equal(large.gaps.prefix { $0 == .beyondLimits }.count, 2)
    equal(large.gaps.count, StreamAssembly.heldLimit / 60_000 + 2)
    expect(large.octets == large.gaps.count * 60_000 && large.cost <= StreamAssembly.heldLimit)
    let small = gaps(StreamAssembly.segmentLimit + 3, 1)
    equal(small.gaps.count { $0 == .beyondLimits }, 3)
    equal(small.gaps.count { $0 == .unfinished }, StreamAssembly.segmentLimit)
    equal(small.octets, StreamAssembly.segmentLimit + 3)
  }

  @Test("So many streams are followed at once, and the one that is silent leaves first")
  func manyStreams() {
    var script = NetworkScript()
    script.open()
    let count = TrafficLimits.liveStreams + 100
    for index in 0..<count {
      script.client.port = UInt16(1 + index)
      script.segment(.client, -1, "", acknowledges: nil, flags: .syn)
      if index % 1_000 == 0 {
        script.client.port = 50_000
        script.segment(.client, index / 1_000, "x")
      }
    }
    let read = NetworkRecorder.read(script.records)
    equal(read.streams.count, count + 1)
    equal(read.lines.count { $0.hasSuffix("beyondLimits") }, count + 1 - TrafficLimits.liveStreams)
    expect(!read.lines.contains { $0.hasSuffix(" ended 0 beyondLimits") })
    equal(read.octets(0, .client).count, (count + 999) / 1_000)
  }
}
