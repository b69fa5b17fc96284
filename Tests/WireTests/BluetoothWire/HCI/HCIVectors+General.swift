import BluetoothWire

extension HCIVectors {
  static let general: [ForeignPacket<HCI.Command>] = [
    .init(source: "Bumble", octets: "01630c080000000200000000", value: .general(.setEventMaskPage2(0x200_0000))),
    .init(source: "Bumble", octets: "016c0c00", value: .general(.readLEHostSupport)),
    .init(source: "Bumble", octets: "016d0c020100", value: .general(.writeLEHostSupport(true, simultaneous: 0))),
    .init(source: "Bumble", octets: "0104100101", value: .general(.readLocalExtendedFeatures(page: 1))),
    .init(source: "Bumble", octets: "01051000", value: .general(.readBufferSize)),
    .init(source: "RootCanal", octets: "012d0c03400001", value: .general(.readTransmitPowerLevel(0x40, type: 1))),
    .init(
      source: "by hand, read by tshark 4.0.17", octets: "017b0c024000",
      value: .general(.readAuthenticatedPayloadTimeout(0x40))),
    .init(
      source: "Bumble", octets: "017c0c044000b80b",
      value: .general(.writeAuthenticatedPayloadTimeout(0x40, timeout: 3_000))),
    .init(source: "Bumble", octets: "01310c0101", value: .general(.setControllerToHostFlowControl(1))),
    .init(
      source: "Bumble", octets: "01330c07fd03400a000800",
      value: .general(
        .hostBufferSize(.init(aclLength: 1_021, synchronousLength: 64, aclCount: 10, synchronousCount: 8)))),
    .init(
      source: "RootCanal", octets: "01350c09024000020041000100",
      value: .general(.hostNumberOfCompletedPackets([.init(handle: 0x40, count: 2), .init(handle: 0x41, count: 1)]))),
    .init(source: "Bumble", octets: "01072000", value: .general(.leReadAdvertisingPhysicalChannelTxPower)),
    .init(source: "Bumble", octets: "011c2000", value: .general(.leReadSupportedStates)),
    .init(source: "Bumble", octets: "014b2000", value: .general(.leReadTransmitPower)),
    .init(source: "Bumble", octets: "017420022001", value: .general(.leSetHostFeature(bit: 32, value: 1))),
    .init(
      source: "Bumble", octets: "017d200a02000800010003005802", value: .general(.leSetDefaultSubrate(subrate))),
    .init(
      source: "Bumble", octets: "017e200c400002000800010003005802",
      value: .general(.leSubrateRequest(0x40, subrate))),
  ]

  private static let subrate = HCI.SubrateParameters(
    factorMinimum: 2, factorMaximum: 8, maximumLatency: 1, continuationNumber: 3, supervisionTimeout: 600)

  static let privacy: [ForeignPacket<HCI.Command>] = [
    .init(
      source: "Bumble",
      octets: "01272027005544332211c0000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      value: .privacy(
        .leAddDeviceToResolvingList(
          .init(peer: fixed(0xC011_2233_4455), peerIRK: Array(0..<16), localIRK: Array(16..<32))))),
    .init(
      source: "RootCanal", octets: "0128200701f5f4f3f2f1f0",
      value: .privacy(.leRemoveDeviceFromResolvingList(random(0xF0F1_F2F3_F4F5)))),
    .init(source: "Bumble", octets: "01292000", value: .privacy(.leClearResolvingList)),
    .init(source: "Bumble", octets: "012a2000", value: .privacy(.leReadResolvingListSize)),
    .init(
      source: "RootCanal", octets: "012b200701f5f4f3f2f1f0",
      value: .privacy(.leReadPeerResolvableAddress(random(0xF0F1_F2F3_F4F5)))),
    .init(
      source: "RootCanal", octets: "012c200701f5f4f3f2f1f0",
      value: .privacy(.leReadLocalResolvableAddress(random(0xF0F1_F2F3_F4F5)))),
    .init(source: "Bumble", octets: "012d200101", value: .privacy(.leSetAddressResolutionEnable(true))),
    .init(source: "Bumble", octets: "012e20028403", value: .privacy(.leSetResolvablePrivateAddressTimeout(900))),
    .init(
      source: "Bumble", octets: "014e200801f5f4f3f2f1f001",
      value: .privacy(.leSetPrivacyMode(random(0xF0F1_F2F3_F4F5), .device))),
  ]

  /// Own and peer address types 2 and 3 in the legacy commands, and PHYs that this bench does not model.
  static let addressTypes: [ForeignPacket<HCI.Command>] = [
    .init(
      source: "Bumble", octets: "010d2019600030000003f5f4f3f2f1f002180028000000f40104000600",
      value: .leCreateConnection(
        {
          var creation = HCI.CreateConnection(
            scanInterval: 96, scanWindow: 48, peer: random(0xF0F1_F2F3_F4F5), parameters: slow)
          creation.peerIsIdentity = true
          creation.ownAddressType = .resolvableOrPublic
          creation.parameters.eventLengthMinimum = 4
          creation.parameters.eventLengthMaximum = 6
          return creation
        }())),
    .init(
      source: "Bumble", octets: "0106200f20004000000301f5f4f3f2f1f00700",
      value: .leSetAdvertisingParameters(
        {
          var parameters = HCI.AdvertisingParameters(intervalMinimum: 32, intervalMaximum: 64)
          parameters.ownAddressType = .resolvableOrRandom
          parameters.peerAddress = random(0xF0F1_F2F3_F4F5)
          return parameters
        }())),
    .init(
      source: "Bumble", octets: "010b200701600030000200",
      value: .leSetScanParameters(
        {
          var parameters = HCI.ScanParameters(isActive: true, interval: 96, window: 48)
          parameters.ownAddressType = .resolvableOrPublic
          return parameters
        }())),
    .init(
      source: "Bumble", octets: "01312003000704",
      value: .leSetDefaultPHY(tx: [.le1M, .le2M, .leCoded], rx: .leCoded)),
    .init(source: "RootCanal", octets: "0132200740000204000000", value: .leSetPHY(0x40, tx: .leCoded, rx: nil)),
    .init(
      source: "Bumble", octets: "0132200740000004040100",
      value: .leSetPHY(0x40, tx: .leCoded, rx: .leCoded, options: .s2)),
  ]

  static let slow = HCI.ConnectionParameters(intervalMinimum: 24, intervalMaximum: 40, supervisionTimeout: 500)
}
