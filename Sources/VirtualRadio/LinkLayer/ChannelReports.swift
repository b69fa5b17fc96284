import BluetoothWire
import SimKernel

/// What a peripheral tells its central of the data channels (Vol 6, Part B, 4.5.8.4, 5.1.21): its host's
/// classification, and what it has found itself as a central does.
struct ChannelReports {
  /// The least time from one report to the next.
  var spacing: SimDuration
  var assessment = ChannelAssessment()
  /// Channels that it finds good.
  var good: UInt64 = 0x1F_FFFF_FFFF
  /// What the central was told last; at first nothing.
  private var told = LL.ChannelStatus()
  private var lastReport: SimInstant?

  init(spacing: SimDuration) { self.spacing = spacing }

  /// Channels that its host excludes are bad, and so are those that it has found bad; the rest is good.
  private func status(host: UInt64) -> LL.ChannelStatus {
    var status = LL.ChannelStatus()
    for index in 0..<UInt8(37) { status[index] = (host & good) >> UInt64(index) & 1 == 1 ? .good : .bad }
    return status
  }

  /// Whether there is something to tell.
  func hasNews(host: UInt64) -> Bool { status(host: host) != told }

  /// What is to be told now.
  mutating func report(host: UInt64, at now: SimInstant) -> LL.ChannelStatus? {
    let status = status(host: host)
    guard status != told, lastReport.map({ now - $0 >= spacing }) ?? true else { return nil }
    (told, lastReport) = (status, now)
    return status
  }
}

extension RadioWorld {
  /// Channel Classification and Minimum Number Of Used Channels (4.6).
  private static let reportFeature: UInt64 = 1 << 39
  private static let minimumFeature: UInt64 = 1 << 16
  /// What a central here asks for: reports a second apart or more, within two seconds. Decision.
  private static let reporting = LL.ControlPDU.channelReportingInd(isEnabled: 1, minimumSpacing: 5, maximumDelay: 10)

  /// The peer has told its features: a central that leaves bad channels wants to know of those of the peripheral, and
  /// a peripheral says how many it needs.
  func tellOfChannels(_ end: LinkEnd, _ c: Connection) {
    guard !end.hasToldOfChannels, let features = end.peerFeatures else { return }
    end.hasToldOfChannels = true
    let configuration = end.radio.configuration
    if end.role == .central, c.centralAdaptsChannels, configuration.supportsChannelReports,
      features & Self.reportFeature != 0
    {
      start(.announcement(Self.reporting), end, c)
    }
    if end.role == .peripheral, configuration.minimumUsedChannels > 2, features & Self.minimumFeature != 0 {
      start(
        .announcement(.minUsedChannelsInd(phys: 0b111, minUsedChannels: configuration.minimumUsedChannels)), end, c)
    }
  }

  func receiveOfChannels(_ end: LinkEnd, _ c: Connection, _ pdu: LL.ControlPDU) {
    let configuration = end.radio.configuration
    switch pdu {
    case .minUsedChannelsInd(let phys, let count)
    where end.role == .central:
      // Other numbers are none (2.4.2.26).
      guard configuration.minimumUsedChannels > 0 else { return send(.unknownRsp(opcode: pdu.opcode), end, c) }
      let present = c.centralPHY.phy.mask.rawValue | c.peripheralPHY.phy.mask.rawValue
      guard (2...37).contains(count), phys & present != 0 else { return }
      c.minimumChannels = Int(count)
      useChannels(c.assessment.good(at: timeline.now), c)
    case .channelReportingInd(let isEnabled, let spacing, _)
    where end.role == .peripheral && configuration.supportsChannelReports:
      if c.isParked { unpark(c) }
      c.reports = isEnabled == 0 ? nil : ChannelReports(spacing: .milliseconds(200) * Int64(spacing))
    case .channelStatusInd(let status) where end.role == .central && configuration.supportsChannelReports:
      c.reportedBad = status.channels(.bad)
      useChannels(c.assessment.good(at: timeline.now), c)
    default: send(.unknownRsp(opcode: pdu.opcode), end, c)
    }
  }

  /// The peripheral counts the event that ends, as the central does, and reports what is to be told.
  func reportChannels(_ c: Connection) {
    let end = c.peripheral
    guard var reports = c.reports, end.isPresent, end.isEstablished, !end.isTerminating else { return }
    if assessesChannels, c.peripheralListens || end.lastValid >= c.anchor {
      let channel = Int(LL.channelIndex(rfChannel: UInt8(c.rfChannel)))
      let failed = end.lastValid < c.anchor || end.badCRCs > 0
      reports.good =
        reports.assessment.note(channel: channel, failed: failed, used: c.channelMap.bits, now: timeline.now)
        ?? reports.good
    }
    let status = reports.report(host: end.radio.controller.hostChannelMap, at: timeline.now)
    c.reports = reports
    if let status { send(.channelStatusInd(status), end, c) }
  }

  /// Whether the events of a link have something to show to a peripheral that reports.
  func reportsChannels(_ c: Connection) -> Bool {
    guard let reports = c.reports else { return false }
    return assessesChannels || reports.hasNews(host: c.peripheral.radio.controller.hostChannelMap)
  }
}
