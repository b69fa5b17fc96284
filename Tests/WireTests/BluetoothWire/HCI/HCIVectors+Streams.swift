import BluetoothWire

extension HCIVectors {
  private static let common = {
    var common = HCI.CIGCommon(group: 5, centralSDUInterval: 10_000, peripheralSDUInterval: 20_000)
    (common.worstClock, common.packing) = (3, 1)
    return common
  }()

  private static let parameters = {
    var entry = HCI.CIGParameters.Entry(
      stream: 9, centralSDU: 120, peripheralSDU: 60, centralPHY: [.le1M, .le2M], peripheralPHY: .le2M)
    (entry.centralRetransmissions, entry.peripheralRetransmissions) = (13, 4)
    var common = Self.common
    common.framing = 1
    return HCI.CIGParameters(common: common, centralLatency: 40, peripheralLatency: 60, streams: [entry])
  }()

  private static let path = {
    var path = HCI.ISODataPath(handle: 0x60, direction: 1)
    path.controllerDelay = 1_000
    path.configuration = [7, 8]
    return path
  }()

  /// Isochronous streams, by the packet module of RootCanal 1.13.0, which has no commands of the test mode.
  static let streams: [ForeignPacket<HCI.Command>] = [
    packet("01602000", .leReadBufferSizeV2), packet("016120026000", .leReadISOTXSync(0x60)),
    packet("0162201805102700204e0003010128003c00010978003c0003020d04", .leSetCIGParameters(parameters)),
    packet(
      "0163201d05102700204e000302100003010001090478003c006400320002010301",
      .leSetCIGParametersTest(
        .init(
          common: common, centralFlushTimeout: 3, peripheralFlushTimeout: 2, interval: 16,
          streams: [
            .init(
              stream: 9, subevents: 4, centralSDU: 120, peripheralSDU: 60, centralPDU: 100, peripheralPDU: 50,
              centralPHY: .le2M, peripheralPHY: .le1M, centralBurst: 3, peripheralBurst: 1)
          ]))),
    packet("016420050160004000", .leCreateCIS([.init(stream: 0x60, link: 0x40)])),
    packet("0165200105", .leRemoveCIG(5)), packet("016620026100", .leAcceptCISRequest(0x61)),
    packet("0167200361000d", .leRejectCISRequest(0x61, reason: .connectionRejectedDueToLimitedResources)),
    packet("016e200f600001000300000000e80300020708", .leSetupISODataPath(path)),
    packet("016f2003600003", .leRemoveISODataPath(0x60, directions: 3)),
    packet("017520026000", .leReadISOLinkQuality(0x60)),
    // No public packet was found: the layout of Core 5.4, Vol 4, Part E, 7.8.111 … 7.8.114.
    own("01702003600002", .leISOTransmitTest(0x60, payload: 2)),
    own("01712003600001", .leISOReceiveTest(0x60, payload: 1)), own("017220026000", .leISOReadTestCounters(0x60)),
    own("017320026000", .leISOTestEnd(0x60)),
  ]

  static let streamEvents: [ForeignPacket<HCI.Event>] = [
    event(
      "043e1d19006000160800640500204e0030750002010403010302640032001000", .leCISEstablished(established)),
    event("043e071a400061000509", .leCISRequest(link: 0x40, stream: 0x61, groupID: 5, streamID: 9)),
  ]

  private static let established = {
    var event = HCI.CISEstablished(status: .success, handle: 0x60)
    (event.groupSyncDelay, event.streamSyncDelay) = (2_070, 1_380)
    (event.centralLatency, event.peripheralLatency) = (20_000, 30_000)
    (event.centralPHY, event.peripheralPHY, event.subevents) = (2, 1, 4)
    (event.centralBurst, event.peripheralBurst) = (3, 1)
    (event.centralFlushTimeout, event.peripheralFlushTimeout) = (3, 2)
    (event.centralPDU, event.peripheralPDU, event.interval) = (100, 50, 16)
    return event
  }()

  private static func packet(_ octets: String, _ command: HCI.StreamCommand) -> ForeignPacket<HCI.Command> {
    ForeignPacket(source: "RootCanal", octets: octets, value: .stream(command))
  }

  private static func own(_ octets: String, _ command: HCI.StreamCommand) -> ForeignPacket<HCI.Command> {
    ForeignPacket(source: "7.8.111 … 7.8.114", octets: octets, value: .stream(command))
  }

  private static func event(_ octets: String, _ event: HCI.StreamEvent) -> ForeignPacket<HCI.Event> {
    ForeignPacket(source: "RootCanal", octets: octets, value: .stream(event))
  }
}
