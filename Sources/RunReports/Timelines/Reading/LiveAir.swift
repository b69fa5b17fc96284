package import Bench
package import Conformance
import SimKernel
import VirtualRadio

/// What passes on the air of a room that lives, until somebody wants to see it: the newest PDUs that say something.
package final class LiveAir: TraceReader {
  /// More than these are of no use to an eye that looks four times a second.
  private static let limit = 256

  private var words: AirWords
  private var pdus: [(number: Int, pdu: AirPDU)] = []
  private var count = 0
  /// Whether anything is kept.
  package var isWatched = false { didSet { if !isWatched { pdus.removeAll(keepingCapacity: true) } } }

  /// - Parameter app: the protocol whose packets are put into words.
  package init(of app: AppProtocol) { words = AirWords(app, isVerbose: false) }

  package var wantsAir: Bool { true }

  package func read(_ record: TraceRecord) {
    guard case .radio(.air(let pdu)) = record.event else { return }
    count += 1
    // Empty PDUs keep a link alive, and say nothing.
    guard isWatched, !Self.isEmpty(pdu) else { return }
    if pdus.count >= 2 * Self.limit { pdus.removeFirst(Self.limit) }
    pdus.append((count, pdu))
  }

  private static func isEmpty(_ pdu: AirPDU) -> Bool { pdu.receiver != nil && pdu.pdu.count == 2 }

  /// What has passed since the last call, the newest only where that is much.
  package func take() -> [RunTimeline.PDU] {
    defer { pdus.removeAll(keepingCapacity: true) }
    return pdus.suffix(Self.limit).map { words.words($0.pdu, number: $0.number) }
  }
}
