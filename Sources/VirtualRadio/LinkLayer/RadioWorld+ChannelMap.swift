import BluetoothWire
import SimKernel

/// Which data channels a link uses: what the central's host allows, less what its controller found to be bad
/// (Vol 6, Part B, 4.5.8.1; Vol 4, Part E, 7.8.19).
extension RadioWorld {
  /// The central counts the event that ends for its channel. A silence that peripheral latency or
  /// subrating may explain says nothing.
  /// - Returns: when it is time to say so, the channels that it finds good.
  func assessChannel(_ c: Connection) -> UInt64? {
    guard assessesChannels(of: c) else { return nil }
    let end = c.central
    return c.assessment.note(
      channel: Int(LL.channelIndex(rfChannel: UInt8(c.rfChannel))),
      failed: c.hasFailed || (end.lastValid < c.anchor && expectsAnswer(c)), used: c.channelMap.bits, now: timeline.now)
  }

  /// Whether the central of a link looks for bad channels now.
  func assessesChannels(of c: Connection) -> Bool {
    assessesChannels && c.central.isPresent && c.central.isEstablished && c.centralAdaptsChannels
  }

  /// Starts a channel map update where it changes anything. Where host, controller and the reports of the peripheral
  /// leave fewer channels than the peripheral needs, the reports are ignored, and then the controller.
  func useChannels(_ good: UInt64, _ c: Connection) {
    let host = c.central.radio.controller.hostChannelMap
    let map = [host & good & ~c.reportedBad, host & good].first { $0.nonzeroBitCount >= c.minimumChannels } ?? host
    guard map != c.channelMap.bits, !c.central.isTerminating,
      c.central.procedures.count < Controller.maximumProcedures
    else { return }
    start(.channelMap(map), c.central, c)
  }
}
