import AppSeam
import BeamScribe
import Conformance
import SimKernel

/// What a host under test was to send, and has never sent in the whole case.
extension BeamBed {
  var unsent: Cause? {
    guard iut.role == .beamHost else { return nil }
    let streams = guests.flatMap(\.streams)
    guard !streams.isEmpty, streams.allSatisfy({ $0.framing == nil && $0.rest == 0 && $0.hasPacketsOnly }) else {
      return nil
    }
    if streams.allSatisfy(\.histories.isEmpty) { return Cause("sends no fullHistory", clause: "BEAM 5.6.1") }
    let spoken = iut.inputs.count { if case .speakFinal = $0.input.beam { true } else { false } }
    let isBehind = streams.contains { $0.opening.map { $0.upTo < spoken } ?? false }
    if isBehind || isOwed(\.isSpoken, by: streams), streams.allSatisfy(\.chunks.isEmpty) {
      return Cause("sends no liveChunk", clause: "BEAM 5.5.1")
    }
    if isOwed({ $0 == .batteryLow || $0 == .endEvent }, by: streams), streams.allSatisfy(\.alerts.isEmpty) {
      return Cause("sends no alert", clause: "BEAM 5.7.2")
    }
    return nil
  }

  /// Whether its person did something while a guest had the whole history.
  private func isOwed(_ isIt: (BeamAction) -> Bool, by streams: [TesterStream]) -> Bool {
    iut.inputs.contains { entry in
      guard let action = entry.input.beam, isIt(action) else { return false }
      return streams.contains { stream in
        guard let opening = stream.opening else { return false }
        return opening.instant <= entry.instant && stream.end.map { $0.instant > entry.instant } ?? true
      }
    }
  }
}

extension TesterStream {
  /// Every frame of data is a packet.
  fileprivate var hasPacketsOnly: Bool { frames.allSatisfy { $0.kind != .message || $0.packet != nil } }

  /// When its history was complete, and how far it went.
  fileprivate var opening: (instant: SimInstant, upTo: Int)? {
    for frame in frames {
      guard case .fullHistory(let history)? = frame.packet else { continue }
      if history.chunks.last?.sequence ?? 0 == history.upToSequence { return (frame.instant, history.upToSequence) }
    }
    return nil
  }
}

extension BeamAction {
  fileprivate var isSpoken: Bool {
    switch self {
    case .speakPartial, .speakFinal: true
    default: false
    }
  }
}
