package import SimKernel

/// What happens to files of captures, whatever was captured: as capturers lose packets and say so or not, as tools cut
/// and merge, and as clocks are set.
package enum CaptureLoss: String, CaseIterable, Sendable {
  /// Packets are missing, and nothing says so. Of a sniffer only: what a host's log lacks without a word, nobody can
  /// tell from what its device did not do.
  case drops
  /// Packets are missing, and the file says how many.
  case declaredDrops
  /// Every packet is cut at one length.
  case cuts
  /// Some packets are cut.
  case someCuts
  /// The clock is set by 35 s or more, forth or back.
  case clockSteps
  /// Packets are there twice.
  case duplicates
  /// Neighbours have changed their places, and keep their times, which differ: of equal times nothing shows.
  case reordered
  /// The beginning, and the end, are not in the file.
  case bothEnds

  /// Whether a file can be damaged so that it shows, or that it may be expected not to matter.
  package func applies(to capture: RawCapture, isOfAir: Bool) -> Bool {
    switch self {
    case .drops: isOfAir
    case .declaredDrops: capture.canDeclareDrops
    case .cuts, .someCuts: capture.canCut
    default: true
    }
  }

  package func apply(to capture: inout RawCapture, _ random: inout RandomStream) {
    let rate = [10, 30, 100, 300][Int(random.next() % 4)]
    func hits(_ random: inout RandomStream) -> Bool { random.next() % 1_000 < rate }
    let packets = capture.packets
    if packets.isEmpty { return }
    let hit = Set(packets.filter { _ in hits(&random) })
    switch self {
    case .drops: capture.lose(.none) { hit.contains($0) }
    case .declaredDrops:
      let isAtEnd = random.next() % 4 == 0 && capture.hasStatistics
      capture.lose(isAtEnd ? .atEnd : .inPlace) { hit.contains($0) }
    case .cuts:
      let length = 8 + Int(random.next() % 48)
      for index in packets { capture.cut(index, to: length) }
    case .someCuts: for index in hit { capture.cut(index, to: 4 + Int(random.next() % 40)) }
    case .clockSteps: step(&capture, packets, &random)
    case .duplicates: for index in hit.sorted(by: >) { capture.pieces.insert(capture.pieces[index], at: index + 1) }
    case .reordered:
      for (index, next) in zip(packets, packets.dropFirst())
      where hit.contains(index) && capture.time(index) < capture.time(next) {
        capture.pieces.swapAt(index, next)
      }
    case .bothEnds:
      let first = packets[Int(random.next() % UInt64(packets.count))]
      let last = packets[Int(random.next() % UInt64(packets.count))]
      capture.lose(.none) { $0 < min(first, last) || $0 > max(first, last) }
    }
  }

  private func step(_ capture: inout RawCapture, _ packets: [Int], _ random: inout RandomStream) {
    var offset = 0.0
    let rate = [20, 50, 200, 1_000][Int(random.next() % 4)]
    for index in packets {
      if random.next() % UInt64(rate) == 0 {
        let size = random.next() % 4 == 0 ? 20_000.0 : 300
        offset += (35 + Double(random.next() % 1_000) * size / 1_000) * (random.next() % 2 == 0 ? 1 : -1)
      }
      capture.shift(index, seconds: offset)
    }
  }
}
