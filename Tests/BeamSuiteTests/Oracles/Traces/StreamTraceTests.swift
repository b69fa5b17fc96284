import AppSeam
import BeamOracles
import BeamScribe
import Conformance
import Expectations
import Judging
import SimKernel
import Testing

@Suite("Oracles of streams on hand-written traces")
struct StreamTraceTests {
  @Test("A history and the numbers that follow it pass; a gap, a repeat and a second history fail")
  func order() {
    var script = BeamScript()
    script.open(1, ["a"])
    script.final(1, 2, "b")
    equal(script.verdict(HistoryThenLive.self), .pass)
    for number in [2, 4] {
      var wrong = script
      wrong.final(1, number, "c")
      equal(wrong.verdict(HistoryThenLive.self), .fail)
    }
    script.history(1, ["a", "b"])
    equal(script.verdict(HistoryThenLive.self), .fail)
  }

  @Test("Octets at 3.999 s after ready fail, at 4 s they pass")
  func gate() {
    for (time, verdict) in [(Int64(3_999), Verdict.fail), (4_000, .pass)] {
      var script = BeamScript()
      script.connect(1)
      script.wait(time)
      script.history(1)
      equal(script.verdict(NothingBeforeTheGate.self), verdict)
    }
  }

  @Test("A frame may be taken in pieces; a length in the other order, and octets in the midst of a frame, fail")
  func frames() {
    let frame = Frame(body: BeamPacket.alert(.batteryLow).encoded()).encoded(.length)
    var script = BeamScript()
    script.connect(1)
    for octet in frame { script.send(1, [octet]) }
    equal(script.verdict(FramesAreWhole.self), .pass)
    var reversed = BeamScript()
    reversed.connect(1)
    // As many octets as the length promises when it is read the right way: 0x0001 is written, 0x0100 is meant.
    let long = [UInt8](repeating: UInt8(ascii: " "), count: 0x100)
    reversed.send(1, [0, 1, 0, 0] + long + Array(repeating: 0x20, count: 0x1_0000))
    equal(reversed.verdict(FramesAreWhole.self), .fail)
    var mixed = BeamScript()
    mixed.connect(1)
    mixed.send(1, frame.prefix(20) + frame + frame.dropFirst(20))
    equal(mixed.verdict(FramesAreWhole.self), .fail)
  }

  @Test("A body of 1 MiB is within the limit, one octet more is not")
  func limit() {
    for (count, verdict) in [(1_048_576, Verdict.pass), (1_048_577, .fail)] {
      var script = BeamScript()
      script.connect(1)
      let body = [UInt8(ascii: "{")] + Array(repeating: UInt8(ascii: " "), count: count - 2) + [UInt8(ascii: "}")]
      script.send(1, Frame(body: body).encoded(.length), arrives: false)
      equal(script.verdict(FramesWithinLimit.self), verdict)
    }
  }

  @Test(
    "One canonical text is there for each packet",
    arguments: [
      (#"{"alert":"batteryLow","type":"alert"}"#, true), (#"{"type":"alert","alert":"batteryLow"}"#, false),
      (#"{"alert": "batteryLow","type":"alert"}"#, false), (#"{"alert":"nothing","type":"alert"}"#, false),
      (#"{"isFinal":true,"sentTimestamp":1.25,"sequence":7,"text":"/","type":"liveChunk"}"#, true),
      (#"{"isFinal":true,"sentTimestamp":1.250,"sequence":7,"text":"/","type":"liveChunk"}"#, false),
      (#"{"isFinal":true,"sequence":7,"text":"\/","type":"liveChunk"}"#, false),
      (#"{"isFinal":true,"sequence":7,"text":"\u001f","type":"liveChunk"}"#, true),
      (#"{"isFinal":true,"sequence":7,"text":"\u001F","type":"liveChunk"}"#, false),
    ])
  func canonical(_ body: String, _ isCanonical: Bool) {
    var script = BeamScript()
    script.connect(1)
    script.send(1, Frame(body: Array(body.utf8)).encoded(.length))
    equal(script.verdict(PacketsAreCanonical.self), (isCanonical ? .pass : .fail))
  }

  @Test("A stream with a bad frame is to be cancelled in the same instant")
  func badFrames() {
    for (isCancelled, verdict) in [(true, Verdict.pass), (false, .fail)] {
      var script = BeamScript()
      script.open(1)
      script.send(1, Frame(body: [0x21]).encoded(.length))
      if isCancelled { script.ask(1, .cancel(ConnectionID(2))) }
      script.wait(1)
      script.show(0, .guests(count: 0, open: 0))
      equal(script.verdict(BadFramesCloseTheirStream.self), verdict)
    }
  }

  @Test("A host that is sent something ends that stream and no other")
  func unexpected() {
    for (others, verdict) in [([], Verdict.pass), ([2], .fail)] as [([Int], Verdict)] {
      var script = BeamScript(guests: 2)
      script.open(1)
      script.open(2)
      script.hear(0, .received(BeamScript.end(1), octets: [1]))
      for guest in [1] + others { script.ask(0, .cancel(BeamScript.end(guest))) }
      script.wait(1)
      script.show(0, .guests(count: 0, open: 0))
      equal(script.verdict(BadFramesCloseTheirStream.self), verdict)
    }
  }

  @Test("Two guests that send in one instant end a stream each, and so does one that ends its own")
  func unexpectedTwice() {
    for isBad in [true, false] {
      var script = BeamScript(guests: 2)
      script.open(1)
      script.open(2)
      script.hear(0, .received(BeamScript.end(1), octets: [1]))
      script.ask(0, .cancel(BeamScript.end(1)))
      script.hear(0, isBad ? .received(BeamScript.end(2), octets: [1]) : .ended(BeamScript.end(2)))
      script.ask(0, .cancel(BeamScript.end(2)))
      script.wait(1)
      script.show(0, .guests(count: 0, open: 0))
      equal(script.verdict(BadFramesCloseTheirStream.self), .pass)
    }
  }

  @Test("A guest that sends fails")
  func silence() {
    var script = BeamScript()
    script.open(1)
    equal(script.verdict(GuestsSendNothing.self), .pass)
    script.ask(1, .send(ConnectionID(2), octets: [1]))
    equal(script.verdict(GuestsSendNothing.self), .fail)
  }

  @Test("An eighth guest may be there for no time")
  func capacity() {
    for (isRefused, verdict) in [(true, Verdict.pass), (false, .fail)] {
      var script = BeamScript(guests: 8)
      for guest in 1...8 { script.connect(guest) }
      if isRefused { script.ask(0, .cancel(BeamScript.end(8))) }
      script.wait(1)
      script.show(0, .guests(count: 7, open: 0))
      equal(script.verdict(GuestsWithinCapacity.self), verdict)
    }
  }

  @Test("Two attempts at a time fail")
  func attempts() {
    var script = BeamScript()
    let request = ConnectRequest(endpoint: EndpointID(1), interfaces: [.infrastructure])
    script.ask(1, .connect(ConnectionID(2), request))
    equal(script.verdict(OneAttemptAtATime.self), .pass)
    script.ask(1, .connect(ConnectionID(4), request))
    equal(script.verdict(OneAttemptAtATime.self), .fail)
  }

  @Test("A stream that ends at 4.999 s is counted, one that ends at 5 s is not, one that the host ended is not")
  func unstable() {
    for (time, isOwn, count, verdict) in [
      (4_999, false, 1, Verdict.pass), (4_999, false, nil, .fail), (5_000, false, 1, .fail), (5_000, false, nil, .none),
      (4_999, true, 1, .fail), (4_999, false, 2, .fail),
    ] as [(Int64, Bool, Int?, Verdict)] {
      var script = BeamScript()
      script.connect(1)
      script.wait(time)
      if isOwn { script.ask(0, .cancel(BeamScript.end(1))) }
      script.hear(0, .failed(BeamScript.end(1), .reset))
      if let count { script.show(0, .unstable(peer: "guest-1", count: count)) }
      script.wait(1)
      script.show(0, .guests(count: 0, open: 0))
      equal(script.verdict(UnstableAreCounted.self), verdict)
    }
  }

  @Test("AWDL is not asked for first where infrastructure has found the event")
  func paths() {
    for (interfaces, asked, verdict) in [
      ([.infrastructure, .peerToPeer], .infrastructure, Verdict.pass), ([.peerToPeer], .peerToPeer, .none),
      ([.infrastructure, .peerToPeer], .peerToPeer, .fail),
    ] as [([NetworkInterface], NetworkInterface, Verdict)] {
      var script = BeamScript()
      script.hear(1, .found(EndpointID(1), type: "_beamscribe._tcp", name: "Keynote", interfaces: interfaces))
      script.connect(1, over: asked)
      equal(script.verdict(InfrastructurePreferred.self), verdict)
    }
  }
}
