import AppSeam
import BeamScribe
import Conformance
import SimKernel

/// Engines that keep too much, or that stop.
extension BeamMutants {
  /// Octets of what never is let go; more than any frame.
  private static let memory = 8 << 20
  /// Queues of streams that are gone.
  private static let queues = 1_000

  static let hostBreakdowns: [Mutant] = [
    Mutant(
      "remembers-every-stream", .beamHost, clause: "BEAM 7.5", failedBy: nil,
      "keeps a queue for every stream that there ever was"
    ) { app in
      var count = 0
      return FallingEngine(BeamEngines.reference(app)) { input in
        if case .network(.incoming) = input { count += 1 }
        return count > queues ? IUTFailure(.memory, "it keeps \(count) queues of streams that are gone") : nil
      }
    }
  ]

  static let guestBreakdowns: [Mutant] = [
    Mutant(
      "buffers-all", .beamGuest, clause: "BEAM 3.9", failedBy: nil,
      "copies each piece to a buffer that it never shortens"
    ) { app in
      var count = 0
      return FallingEngine(BeamEngines.reference(app)) { input in
        if case .network(.received(_, let octets)) = input { count += octets.count }
        return count > memory ? IUTFailure(.memory, "it holds \(count) octets of a stream") : nil
      }
    },
    Mutant(
      "crashes-on-deep-nesting", .beamGuest, clause: "BEAM 7.5", failedBy: "NoCrashNoHang",
      "stops at a nesting of more than 100"
    ) { app in
      FallingEngine(BeamEngines.reference(app)) { input in
        guard case .network(.received(_, let octets)) = input else { return nil }
        var depth = 0
        for octet in octets {
          if octet == UInt8(ascii: "[") || octet == UInt8(ascii: "{") {
            depth += 1
          } else if octet == UInt8(ascii: "]") {
            depth -= 1
          }
          if depth > 100 { return IUTFailure(.exited, "its stack overflowed", ending: .signal("SIGSEGV")) }
        }
        return nil
      }
    },
  ]
}
