extension LL {
  /// An LL Control PDU without its header.
  ///
  /// Spec: Core v5.4, Vol 6, Part B, 2.4.2. Layout: `Opcode: 1 | CtrData`, numbers little-endian.
  /// Not modelled: constant tone extension; its PDUs survive as `other`.
  public enum ControlPDU: Hashable, Sendable {
    /// `LL_CONNECTION_UPDATE_IND`. Window size, offset and interval in 1.25 ms, timeout in 10 ms.
    case connectionUpdateInd(
      windowSize: UInt8, windowOffset: UInt16, interval: UInt16, latency: UInt16, timeout: UInt16, instant: UInt16)
    /// `LL_CHANNEL_MAP_IND`; 40 bits as they came, of which 37 count.
    case channelMapInd(channelMap: UInt64, instant: UInt16)
    case terminateInd(errorCode: HCI.ErrorCode)
    /// `LL_ENC_REQ`: Rand and EDIV as the host gave them, SKD_C and IV_C of the central.
    case encReq(random: UInt64, diversifier: UInt16, sessionKeyDiversifier: UInt64, initialisationVector: UInt32)
    /// `LL_ENC_RSP`: SKD_P and IV_P of the peripheral.
    case encRsp(sessionKeyDiversifier: UInt64, initialisationVector: UInt32)
    case startEncReq
    case startEncRsp
    /// `LL_UNKNOWN_RSP`, with the opcode that was not understood.
    case unknownRsp(opcode: UInt8)
    case featureReq(UInt64)
    case featureRsp(UInt64)
    case peripheralFeatureReq(UInt64)
    case pauseEncReq
    case pauseEncRsp
    case versionInd(version: UInt8, company: UInt16, subversion: UInt16)
    case rejectInd(HCI.ErrorCode)
    case connectionParamReq(ConnectionParam)
    case connectionParamRsp(ConnectionParam)
    case rejectExtInd(rejectOpcode: UInt8, errorCode: HCI.ErrorCode)
    case pingReq
    case pingRsp
    case lengthReq(DataLength)
    case lengthRsp(DataLength)
    /// `LL_PHY_REQ`; bit 0 is LE 1M, bit 1 LE 2M, bit 2 LE Coded.
    case phyReq(txPHYs: UInt8, rxPHYs: UInt8)
    case phyRsp(txPHYs: UInt8, rxPHYs: UInt8)
    /// `LL_PHY_UPDATE_IND`; one bit as in `phyReq`, or 0 for no change.
    case phyUpdateInd(centralToPeripheral: UInt8, peripheralToCentral: UInt8, instant: UInt16)
    case minUsedChannelsInd(phys: UInt8, minUsedChannels: UInt8)
    case periodicSyncInd(SyncTransfer)
    /// `LL_SUBRATE_REQ`, of a peripheral: `SubrateFactorMin | SubrateFactorMax | Max_Latency | ContinuationNumber |
    /// Timeout`, two octets each.
    case subrateReq(HCI.SubrateParameters)
    /// `LL_SUBRATE_IND`, of a central. The base event is a connection event counter, latency is counted in subrated
    /// events, the timeout in 10 ms.
    case subrateInd(factor: UInt16, baseEvent: UInt16, latency: UInt16, continuationNumber: UInt16, timeout: UInt16)
    /// SCA of the sender, 0 … 7, from 500 ppm to 20 ppm.
    case clockAccuracyReq(UInt8)
    case clockAccuracyRsp(UInt8)
    case cisReq(CISRequest)
    /// `LL_CIS_RSP`: microseconds from the anchor point of a connection event, as in `CISRequest`.
    case cisRsp(offsetMinimum: UInt32, offsetMaximum: UInt32, event: UInt16)
    case cisInd(CISIndication)
    case cisTerminateInd(group: UInt8, stream: UInt8, errorCode: HCI.ErrorCode)
    /// The receiver is to change its power on a PHY by `delta` dB; 127: to its maximum. `txPower`: of the sender, in
    /// dBm. PHY: one bit, of LE 1M, LE 2M, LE Coded with S = 8, with S = 2.
    case powerControlReq(phy: UInt8, delta: Int8, txPower: Int8)
    /// What has changed. Flags: bit 0 at the minimum, bit 1 at the maximum. `txPower` 126: the sender does not manage
    /// its power, 127: not available. `acceptableReduction`: what it could bear of the peer in dB, 0xFF: not known.
    case powerControlRsp(flags: UInt8, delta: Int8, txPower: Int8, acceptableReduction: UInt8)
    case powerChangeInd(phy: UInt8, flags: UInt8, delta: Int8, txPower: Int8)
    /// `LL_CHANNEL_REPORTING_IND`, of a central; spacing and delay in 200 ms.
    case channelReportingInd(isEnabled: UInt8, minimumSpacing: UInt8, maximumDelay: UInt8)
    case channelStatusInd(ChannelStatus)
    /// `LL_PERIODIC_SYNC_WR_IND`: `LL_PERIODIC_SYNC_IND` of a train with subevents.
    case periodicSyncWRInd(SyncTransfer, ResponseTiming)
    /// An opcode that is not modelled; a Link Layer answers with `unknownRsp`. At most 250 octets.
    case other(opcode: UInt8, data: [UInt8])
  }

  /// `CtrData` of `LL_CONNECTION_PARAM_REQ` and `LL_CONNECTION_PARAM_RSP` (2.4.2.16, 2.4.2.17).
  public struct ConnectionParam: Hashable, Sendable {
    /// Units of 1.25 ms.
    public var intervalMin: UInt16
    public var intervalMax: UInt16
    public var latency: UInt16
    /// Units of 10 ms.
    public var timeout: UInt16
    /// Units of 1.25 ms; 0: none.
    public var preferredPeriodicity: UInt8 = 0
    public var referenceConnEventCount: UInt16 = 0
    /// `Offset0` … `Offset5`, most preferred first, units of 1.25 ms; 0xFFFF: not valid.
    public var offset0: UInt16 = 0xFFFF
    public var offset1: UInt16 = 0xFFFF
    public var offset2: UInt16 = 0xFFFF
    public var offset3: UInt16 = 0xFFFF
    public var offset4: UInt16 = 0xFFFF
    public var offset5: UInt16 = 0xFFFF

    public init(intervalMin: UInt16, intervalMax: UInt16, latency: UInt16, timeout: UInt16) {
      self.intervalMin = intervalMin
      self.intervalMax = intervalMax
      self.latency = latency
      self.timeout = timeout
    }
  }

  /// `CtrData` of `LL_LENGTH_REQ` and `LL_LENGTH_RSP` (2.4.2.21). Octets of payload 27 … 251, times in microseconds.
  public struct DataLength: Hashable, Sendable {
    public var maxRxOctets: UInt16
    public var maxRxTime: UInt16
    public var maxTxOctets: UInt16
    public var maxTxTime: UInt16

    public init(maxRxOctets: UInt16, maxRxTime: UInt16, maxTxOctets: UInt16, maxTxTime: UInt16) {
      self.maxRxOctets = maxRxOctets
      self.maxRxTime = maxRxTime
      self.maxTxOctets = maxTxOctets
      self.maxTxTime = maxTxTime
    }
  }
}
