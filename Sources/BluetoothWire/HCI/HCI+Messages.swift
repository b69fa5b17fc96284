extension HCI.ToHost {
  /// What one H4 packet of a controller from outside says to a host: one message, or one for each report of a packet
  /// with several advertising reports.
  ///
  /// Several reports are whole, one after another: arrayed parameters go `A[0] B[0] A[1] B[1]` (Core v5.4,
  /// Vol 4, Part E, 5.2). A packet with a report that the typed values cannot hold, or with none, is `other`.
  /// Refuses what `init(decoding:)` refuses, and several reports that end early or have octets after them.
  public static func messages(h4 octets: [UInt8]) throws(WireError) -> [HCI.ToHost] {
    if octets.count > 4, octets[0] == HCI.PacketIndicator.event, octets[1] == HCI.EventCode.leMeta, octets[4] > 1 {
      if let reports = try HCI.Event.reports(octets) { return reports.map { .event($0) } }
    }
    return [try HCI.ToHost(decoding: octets)]
  }
}

extension HCI.Event {
  /// The reports of an LE event with several; nil for another event and when one of them cannot be held.
  fileprivate static func reports(_ octets: [UInt8]) throws(WireError) -> [HCI.Event]? {
    var reader = OctetReader(octets, from: 2, to: octets.count)
    let subevent = octets[3]
    guard subevent == 0x02 || subevent == 0x0D else { return nil }
    try reader.lengthOfRest(octets: 1)
    _ = try reader.u8()
    let count = Int(try reader.u8())
    do throws(WireError) {
      let events: [HCI.Event] =
        subevent == 0x02
        ? try reader.list(count).map { .leAdvertisingReport($0) }
        : try reader.list(count).map { .extended(.leExtendedAdvertisingReport($0)) }
      try reader.finish()
      return events
    } catch {
      if reader.isStrange { return nil }
      throw error
    }
  }
}
