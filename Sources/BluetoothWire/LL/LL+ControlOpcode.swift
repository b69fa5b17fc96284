extension LL {
  /// The first octet of an LL Control PDU (Core v5.4, Vol 6, Part B, 2.4.2). Open: unknown opcodes survive.
  public enum ControlOpcode {
    public static let connectionUpdateInd: UInt8 = 0x00
    public static let channelMapInd: UInt8 = 0x01
    public static let terminateInd: UInt8 = 0x02
    public static let encReq: UInt8 = 0x03
    public static let encRsp: UInt8 = 0x04
    public static let startEncReq: UInt8 = 0x05
    public static let startEncRsp: UInt8 = 0x06
    public static let unknownRsp: UInt8 = 0x07
    public static let featureReq: UInt8 = 0x08
    public static let featureRsp: UInt8 = 0x09
    public static let pauseEncReq: UInt8 = 0x0A
    public static let pauseEncRsp: UInt8 = 0x0B
    public static let versionInd: UInt8 = 0x0C
    public static let rejectInd: UInt8 = 0x0D
    public static let peripheralFeatureReq: UInt8 = 0x0E
    public static let connectionParamReq: UInt8 = 0x0F
    public static let connectionParamRsp: UInt8 = 0x10
    public static let rejectExtInd: UInt8 = 0x11
    public static let pingReq: UInt8 = 0x12
    public static let pingRsp: UInt8 = 0x13
    public static let lengthReq: UInt8 = 0x14
    public static let lengthRsp: UInt8 = 0x15
    public static let phyReq: UInt8 = 0x16
    public static let phyRsp: UInt8 = 0x17
    public static let phyUpdateInd: UInt8 = 0x18
    public static let minUsedChannelsInd: UInt8 = 0x19
    public static let periodicSyncInd: UInt8 = 0x1C
    public static let clockAccuracyReq: UInt8 = 0x1D
    public static let clockAccuracyRsp: UInt8 = 0x1E
    public static let cisReq: UInt8 = 0x1F
    public static let cisRsp: UInt8 = 0x20
    public static let cisInd: UInt8 = 0x21
    public static let cisTerminateInd: UInt8 = 0x22
    public static let powerControlReq: UInt8 = 0x23
    public static let powerControlRsp: UInt8 = 0x24
    public static let powerChangeInd: UInt8 = 0x25
    public static let subrateReq: UInt8 = 0x26
    public static let subrateInd: UInt8 = 0x27
    public static let channelReportingInd: UInt8 = 0x28
    public static let channelStatusInd: UInt8 = 0x29
    public static let periodicSyncWRInd: UInt8 = 0x2A
  }
}
