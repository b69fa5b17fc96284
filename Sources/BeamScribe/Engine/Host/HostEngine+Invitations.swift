import AppSeam
import SimKernel

/// The old transport: who may come (BEAM 6).
extension HostEngine {
  func readInvitation(_ stream: HostStream, _ octets: [UInt8]) {
    var piece = octets[...]
    do throws(FrameRefusal) {
      guard let frame = try stream.reader.next(&piece) else { return }
      guard frame.kind == .invitation, piece.isEmpty else { return refuse(stream, .unexpectedData) }
    } catch {
      return refuse(stream, .unexpectedData)
    }
    stream.timers.stop(.connect, effects)
    guard hasSeat(for: stream.peer) else {
      enqueue(stream, .control(.declined))
      stream.phase = .ending
      pump(stream)
      return
    }
    if let older = streams.first(where: { $0.peer == stream.peer && $0.takesSeat }) { refuse(older, .superseded) }
    stream.phase = .invited
    enqueue(stream, .control(.accepted))
    pump(stream)
    let time = configuration.mpcConnectTime
    let drawn = connectTimes.within(time.lowerBound.nanoseconds...time.upperBound.nanoseconds)
    stream.timers.start(.connect, at: now + .nanoseconds(drawn), effects)
  }

  /// An invitation that has not come, or a connection that is there.
  func connectIsDue(_ stream: HostStream) {
    guard stream.phase == .invited else { return cancel(stream) }
    enqueue(stream, .control(.connected))
    pump(stream)
    up(stream)
  }
}
