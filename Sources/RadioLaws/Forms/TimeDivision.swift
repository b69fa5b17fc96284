package import SimKernel

/// Links of one radio that all have something to send.
package enum TimeDivision {
  /// kbit/s of small values on each link when its event lasts from its anchor to the next anchor of any link. The last
  /// exchange ends before that anchor, without the T_IFS that would follow. nil when two links coincide.
  ///
  /// - Parameter interval: of all links, units of 1.25 ms.
  package static func rates(_ anchors: [SimInstant], interval: UInt16) -> [Double]? {
    let period = Int64(interval) * 1_250_000
    let phases = anchors.map { $0.nanoseconds % period }
    let exchanges = phases.map { phase in
      let gap = phases.map { ($0 - phase + period) % period }.filter { $0 > 0 }.min() ?? period
      return Exchange.count(in: Int(gap) / 1_000 + Exchange.interFrameSpace)
    }
    if exchanges.contains(0) { return nil }
    return exchanges.map { Double($0) * Exchange.smallValueBits / (Double(period) / 1_000_000) }
  }
}
