import SimKernel

/// How often one device received what another one sent to it over their links.
extension RadioWorld {
  /// PDUs on data channels that ended while their receiver listened for them.
  public struct Receptions: Hashable, Sendable {
    public var judged = 0
    /// Not received whole: not heard, or with a wrong CRC.
    public var failed = 0
    public init() {}
  }

  /// All links that there were between the two, up to now. Events that are being skipped count like any others.
  public func receptions(from sender: Int, to receiver: Int) -> Receptions {
    var sum = Receptions()
    for link in connections {
      let ends = [link.central, link.peripheral]
      guard let end = ends.first(where: { $0.radio.index == sender }), link.peer(of: end).radio.index == receiver else {
        continue
      }
      sum.judged += end.judgedPDUs
      sum.failed += end.failedPDUs
      if link.isParked { sum.judged += Int(skippedPDUs(link, of: end)) }
    }
    return sum
  }
}
