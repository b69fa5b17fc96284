import BluetoothWire

extension HCIVectors {
  /// Power, path loss and sleep clocks, by the packet module of RootCanal 1.13.0.
  static let power: [ForeignPacket<HCI.Command>] = [
    packet("014c2000", .power(.leReadRFPathCompensation)),
    packet("014d2004e7ff1000", .power(.leWriteRFPathCompensation(transmit: -25, receive: 16))),
    packet("015f200101", .general(.leModifySleepClockAccuracy(action: 1))),
    packet("016d20024000", .general(.leRequestPeerSCA(0x40))),
    packet("01762003400003", .power(.leEnhancedReadTransmitPowerLevel(0x40, phy: 3))),
    packet("01772003400002", .power(.leReadRemoteTransmitPowerLevel(0x40, phy: 2))),
    packet(
      "017820084000500532042c01",
      .power(
        .leSetPathLossReportingParameters(
          0x40,
          .init(highThreshold: 80, highHysteresis: 5, lowThreshold: 50, lowHysteresis: 4, minimumEvents: 300)))),
    packet("01792003400001", .power(.leSetPathLossReportingEnable(0x40, true))),
    packet("017a200440000100", .power(.leSetTransmitPowerReportingEnable(0x40, local: true, remote: false))),
  ]

  static let linkEvents: [ForeignPacket<HCI.Event>] = [
    packet("043e051f00400005", .link(.leRequestPeerSCAComplete(0x40, status: .success, accuracy: 5))),
    packet("043e052040004901", .link(.lePathLossThreshold(0x40, pathLoss: 73, zone: 1))),
    packet(
      "043e09210040000102f801fc",
      .link(
        .leTransmitPowerReporting(
          .init(
            status: .success, connection: 0x40, reason: .remoteChanged, phy: 2, level: -8, limits: 1, delta: -4)))),
  ]

  private static func packet<Value>(_ octets: String, _ value: Value) -> ForeignPacket<Value> {
    ForeignPacket(source: "RootCanal", octets: octets, value: value)
  }
}
