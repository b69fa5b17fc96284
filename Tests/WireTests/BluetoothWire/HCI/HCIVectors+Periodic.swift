import BluetoothWire

extension HCIVectors {
  private static let advertiser = HCI.PeriodicAdvertiser(address: random(0xF0F1_F2F3_F4F5), sid: 5)

  private static let listed = HCI.PeriodicAdvertiser(address: random(0xC011_2233_4455), sid: 5)

  static let periodic: [ForeignPacket<HCI.Command>] = [
    periodic(
      "Bumble", "013e200702180034124000",
      .leSetPeriodicAdvertisingParameters(
        make(HCI.PeriodicAdvertisingParameters(set: 2, intervalMinimum: 24, intervalMaximum: 0x1234)) {
          $0.properties = 0x40
        })),
    periodic("Bumble", "013f2006020103020106", .leSetPeriodicAdvertisingData(2, .first, [2, 1, 6])),
    periodic("Bumble, no data", "013f2003ef0400", .leSetPeriodicAdvertisingData(0xEF, .unchanged, [])),
    periodic("Bumble", "014020020302", .leSetPeriodicAdvertisingEnable([.on, .dataInfo], 2)),
    periodic(
      "Bumble, every field", "0144200e030501f5f4f3f2f1f0f301004010",
      .lePeriodicAdvertisingCreateSync(
        make(HCI.PeriodicSyncCreation(advertiser: advertiser, timeout: 0x4000)) {
          ($0.options, $0.skip, $0.cteType) = ([.usesList, .reportsNothing], 499, 0x10)
        })),
    periodic(
      "Bumble, public", "0144200e000f005544332211c000000a0000",
      .lePeriodicAdvertisingCreateSync(
        .init(advertiser: .init(address: fixed(0xC011_2233_4455), sid: 15), timeout: 10))),
    periodic("Bumble", "01452000", .lePeriodicAdvertisingCreateSyncCancel),
    periodic("Bumble", "01462002ff0e", .lePeriodicAdvertisingTerminateSync(0xEFF)),
    periodic("RootCanal", "01472008015544332211c005", .leAddDeviceToPeriodicAdvertiserList(listed)),
    periodic("RootCanal", "01482008015544332211c005", .leRemoveDeviceFromPeriodicAdvertiserList(listed)),
    periodic("RootCanal", "01492000", .leClearPeriodicAdvertiserList),
    periodic("RootCanal", "014a2000", .leReadPeriodicAdvertiserListSize),
    periodic("Bumble", "01592003230101", .leSetPeriodicAdvertisingReceiveEnable(0x123, .on)),
    periodic(
      "Bumble", "015a2006400034120100", .lePeriodicAdvertisingSyncTransfer(0x40, serviceData: 0x1234, 1)),
    periodic(
      "Bumble", "015b20054000341202", .lePeriodicAdvertisingSetInfoTransfer(0x40, serviceData: 0x1234, 2)),
    periodic(
      "Bumble", "015c20084000020300640000",
      .leSetPeriodicAdvertisingSyncTransferParameters(0x40, .init(mode: 2, skip: 3, timeout: 100))),
    periodic(
      "Bumble", "015d2006010300640000",
      .leSetDefaultPeriodicAdvertisingSyncTransferParameters(.init(mode: 1, skip: 3, timeout: 100))),
  ]

  static let periodicEvents: [ForeignPacket<HCI.Event>] = [
    event(
      "Bumble", "043e100e0023010501f5f4f3f2f1f002500005", .lePeriodicAdvertisingSyncEstablished(synchronised(.le2M))),
    event(
      "Bumble, failed", "043e100e3e000005025544332211c000000000",
      .lePeriodicAdvertisingSyncEstablished(
        make(.init(status: .connectionFailedToBeEstablished, address: .init(fixed(0xC011_2233_4455), isIdentity: true)))
        {
          ($0.sid, $0.phy) = (5, .none)
        })),
    event(
      "Bumble", "043e0c0f2301f9c4ff010401020304",
      .lePeriodicAdvertisingReport(
        make(HCI.PeriodicAdvertisingReport(handle: 0x123, rssi: -60, status: .incomplete, data: [1, 2, 3, 4])) {
          $0.txPower = -7
        })),
    event(
      "Bumble, cut off", "043e080f23017f7fff0200",
      .lePeriodicAdvertisingReport(
        .init(handle: 0x123, rssi: 127, status: .truncated, data: []))),
    event("Bumble", "043e03102301", .lePeriodicAdvertisingSyncLost(0x123)),
    event(
      "Bumble", "043e1418004000341223010501f5f4f3f2f1f002500005",
      .lePeriodicAdvertisingSyncTransferReceived(
        .init(connection: 0x40, serviceData: 0x1234, sync: synchronised(.le2M)))),
  ]

  private static func synchronised(_ phy: HCI.AdvertisingPHY) -> HCI.PeriodicSyncEstablished {
    make(.init(status: .success, address: .init(random(0xF0F1_F2F3_F4F5)))) {
      ($0.handle, $0.sid, $0.phy, $0.interval, $0.clockAccuracy) = (0x123, 5, phy, 80, 5)
    }
  }

  private static func make<Value>(_ value: Value, _ fill: (inout Value) -> Void) -> Value {
    var value = value
    fill(&value)
    return value
  }

  private static func periodic(
    _ source: String, _ octets: String, _ command: HCI.PeriodicCommand
  ) -> ForeignPacket<HCI.Command> { .init(source: source, octets: octets, value: .periodic(command)) }

  private static func event(
    _ source: String, _ octets: String, _ event: HCI.PeriodicEvent
  ) -> ForeignPacket<HCI.Event> { .init(source: source, octets: octets, value: .periodic(event)) }
}
