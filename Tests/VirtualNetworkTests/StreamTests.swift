import Expectations
import NetworkWire
import SimKernel
import Testing

@testable import VirtualNetwork

@Suite("Ends of TCP (RFC 9293)")
struct StreamTests {
  private func octets(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) } }

  @Test("The handshake takes one round trip to the opener and one and a half to the other end")
  func handshake() {
    let pair = StreamPair()
    pair.keepsLog = true
    pair.open()
    pair.run(to: .milliseconds(20))
    equal(pair.ends[0].state, .established)
    equal(pair.ends[1].state, .synReceived)
    pair.run(to: .milliseconds(30))
    equal(pair.ends[1].state, .established)
    equal(pair.log.map(\.segment.flags), [.syn, [.syn, .ack], .ack])
  }

  @Test(
    "What is sent is read, whole, in order and once, whatever is lost of it",
    arguments: [0, 1, 3, 7, 20], [1, 1_440, 1_441, 200_000])
  func everythingArrives(lostPercent: Int, count: Int) {
    let pair = StreamPair()
    var random = RandomStream(seed: UInt64(count), component: "test", purpose: "loss")
    pair.isLost = { _, _, _ in random.below(100) < UInt64(lostPercent) }
    let sent = octets(count)
    pair.open()
    var handed = pair.send(sent, from: 0)
    pair.run(to: .seconds(3_600)) {
      if handed < sent.count, pair.ends[0].room > 0 {
        handed += pair.send(Array(sent[handed...]), from: 0)
        if handed == sent.count { pair.finish(0) }
      }
      return pair.receivedCount[1] == sent.count
    }
    equal(pair.received[1].count, count)
    equal(pair.received[1], sent)
  }

  @Test("Both ends finish, and each is told: the first may still be sent to")
  func halfClose() {
    let pair = StreamPair()
    pair.open()
    _ = pair.send(octets(100), from: 0)
    pair.finish(0)
    pair.run(to: .milliseconds(100))
    equal(pair.ends[0].state, .finWait2)
    equal(pair.ends[1].state, .closeWait)
    expect(pair.ends[1].isAtEnd)
    _ = pair.send(octets(5_000), from: 1)
    pair.finish(1)
    pair.run(to: .milliseconds(300))
    equal(pair.receivedCount[0], 5_000)
    expect(pair.ends[0].isAtEnd)
    equal(pair.ends[0].state, .closed)
    equal(pair.ends[1].state, .closed)
    equal(pair.events[1].last, .closed)
  }

  @Test("Both ends finish at the same time")
  func simultaneousClose() {
    let pair = StreamPair()
    pair.open()
    pair.run(to: .milliseconds(100))
    pair.finish(0)
    pair.finish(1)
    pair.run(to: .milliseconds(300))
    equal(pair.ends.map(\.state), [.closed, .closed])
  }

  @Test("A reset ends the other end at once, and a SYN that nobody answers fails after 183 s")
  func endsByForce() {
    let pair = StreamPair()
    pair.open()
    pair.run(to: .milliseconds(100))
    pair.ends[0].abort()
    pair.settle(0)
    pair.run(to: .milliseconds(200))
    equal(pair.events[1].last, .reset)

    let alone = StreamPair()
    alone.isLost = { _, _, _ in true }
    alone.open()
    alone.run(to: .distantFuture)
    equal(alone.events[0], [.timedOut])
    // 1 + 2 + 4 + 8 + 16 + 32 + 60 + 60 s (RFC 6298, 5.5, with a limit of 60 s).
    equal(alone.now, .seconds(183))
    equal(alone.sent[0], 8)
  }

  @Test("An app that does not read stops the sender, which asks, and goes on when there is room")
  func zeroWindow() {
    let pair = StreamPair()
    pair.reads[1] = false
    let sent = octets(400_000)
    pair.open()
    var handed = pair.send(sent, from: 0)
    let more = {
      if handed < sent.count, pair.ends[0].room > 0 { handed += pair.send(Array(sent[handed...]), from: 0) }
      return false
    }
    pair.run(to: .seconds(30), until: more)
    equal(pair.ends[1].readable, 131_072)
    // What is not acknowledged is in the send buffer, and nothing more is taken.
    equal(handed, 2 * 131_072)
    let probes = pair.sent[0]
    pair.run(to: .seconds(300), until: more)
    expect((1...20).contains(pair.sent[0] - probes))
    pair.reads[1] = true
    while pair.ends[1].readable > 0 { pair.read(1, 10_000) }
    pair.settle(1)
    pair.run(to: .seconds(700)) {
      _ = more()
      return pair.receivedCount[1] == sent.count
    }
    equal(pair.received[1], sent)
  }

  @Test("Silence is noticed by a question, and an end that is gone after all of them")
  func keepAlive() {
    var settings = StreamSettings()
    settings.keepAlive = .init(idle: .seconds(5), interval: .seconds(5), count: 3)
    let pair = StreamPair(settings)
    pair.open()
    pair.run(to: .seconds(60))
    equal(pair.events, [[.established], [.established]])
    pair.isLost = { _, _, _ in true }
    pair.run(to: .seconds(100))
    equal(pair.events[0].last, .timedOut)
    equal(pair.events[1].last, .timedOut)
  }

  @Test("Nobody is asked for life before the handshake is whole: only the SYN is repeated")
  func noQuestionBeforeTheHandshake() {
    var settings = StreamSettings()
    settings.keepAlive = .init(idle: .seconds(5), interval: .seconds(5), count: 3)
    let pair = StreamPair(settings)
    var questions = 0
    // What the opener says after its SYN is lost, so that the other end waits for the last segment of the handshake.
    pair.isLost = { side, segment, _ in
      if side == 1, !segment.flags.contains(.syn) { questions += 1 }
      return side == 0 && !segment.flags.contains(.syn)
    }
    pair.open()
    pair.run(to: .seconds(20))
    equal(questions, 0)
    expect(pair.events[1].isEmpty)
  }
}
