import BluetoothWire

extension HCIVectors {
  private static let byHand = "by hand from 7.8.125 … 7.8.127"

  /// Periodic advertising with responses. The packet module of RootCanal 1.13.0 has one of these commands; no other
  /// stack that we run has the rest, so their octets are written by hand, in the order of fields of Zephyr's
  /// hci_types.h.
  static let subevents: [ForeignPacket<HCI.Command>] = [
    packet(
      "RootCanal", "0186200c02500034124000050c040809",
      .periodic(
        .leSetPeriodicAdvertisingParametersV2(
          parameters, .init(timing: .init(count: 5, interval: 12, slotDelay: 4, slotSpacing: 8), slots: 9)))),
    packet(
      byHand, "0182200c0202 030104 02aabb 7f00 0000",
      .periodic(
        .leSetPeriodicAdvertisingSubeventData(
          2,
          [
            .init(subevent: 3, firstSlot: 1, slots: 4, data: [0xAA, 0xBB]),
            .init(subevent: 0x7F, firstSlot: 0, slots: 0, data: []),
          ]))),
    packet(
      byHand, "0183200b2301 6745 02 03 09 03 a1a2a3",
      .periodic(
        .leSetPeriodicAdvertisingResponseData(
          .init(
            handle: 0x123, requestEvent: 0x4567, requestSubevent: 2, subevent: 3, slot: 9, data: [0xA1, 0xA2, 0xA3])))),
    packet(
      byHand, "018420072301 4000 02 0104",
      .periodic(
        .leSetPeriodicSyncSubevent(
          {
            var choice = HCI.SubeventChoice(handle: 0x123, subevents: [1, 4])
            choice.properties = 0x40
            return choice
          }()))),
  ]

  static let subeventEvents: [ForeignPacket<HCI.Event>] = [
    packet(
      "RootCanal", "043e14240023010501f5f4f3f2f1f002500005050c0408",
      .periodic(.lePeriodicAdvertisingSyncEstablishedV2(sync, timing))),
    packet(
      "RootCanal", "043e1826004000341223010501f5f4f3f2f1f002500005050c0408",
      .periodic(
        .lePeriodicAdvertisingSyncTransferReceivedV2(
          .init(connection: 0x40, serviceData: 0x1234, sync: sync), timing))),
    packet(
      "RootCanal", "043e0f252301f9c4ff674503010401020304",
      .periodic(
        .lePeriodicAdvertisingReportV2(
          .init(
            {
              var report = HCI.PeriodicAdvertisingReport(
                handle: 0x123, rssi: -60, status: .incomplete, data: [1, 2, 3, 4])
              report.txPower = -7
              return report
            }(), eventCounter: 0x4567, subevent: 3)))),
    packet(
      "by hand from 7.7.65.15", "043e0b25 2301 7f 7f ff 6745 03 ff 00",
      .periodic(
        .lePeriodicAdvertisingReportV2(
          .init(
            .init(handle: 0x123, rssi: 127, status: .missed, data: []), eventCounter: 0x4567, subevent: 3)))),
    packet(
      "by hand from 7.7.65.36", "043e0427 021e05",
      .periodic(.lePeriodicAdvertisingSubeventDataRequest(2, first: 30, count: 5))),
    packet(
      "by hand from 7.7.65.37", "043e1328 02 03 00 02 f9c4ff0100 020506 7f7fff02ff00",
      .periodic(.lePeriodicAdvertisingResponseReport(responses))),
  ]

  private static let timing = HCI.SubeventTiming(count: 5, interval: 12, slotDelay: 4, slotSpacing: 8)

  private static let parameters = {
    var parameters = HCI.PeriodicAdvertisingParameters(set: 2, intervalMinimum: 80, intervalMaximum: 0x1234)
    parameters.properties = 0x40
    return parameters
  }()

  private static let sync = {
    var sync = HCI.PeriodicSyncEstablished(status: .success, address: .init(random(0xF0F1_F2F3_F4F5)))
    (sync.handle, sync.sid, sync.phy, sync.interval, sync.clockAccuracy) = (0x123, 5, .le2M, 80, 5)
    return sync
  }()

  private static let responses = {
    var report = HCI.SubeventResponses(set: 2, subevent: 3)
    var first = HCI.SubeventResponses.Response(slot: 1, status: .complete)
    (first.txPower, first.rssi, first.data) = (-7, -60, [5, 6])
    report.responses = [first, .init(slot: 2, status: .missed)]
    return report
  }()

  private static func packet<Value>(_ source: String, _ octets: String, _ value: Value) -> ForeignPacket<Value> {
    ForeignPacket(source: source, octets: octets.filter { $0 != " " }, value: value)
  }
}
