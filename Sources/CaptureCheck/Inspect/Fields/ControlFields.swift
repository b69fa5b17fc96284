import SimKernel

/// The fields of LL Control PDUs after the opcode. Spec: Core v5.4, Vol 6, Part B, 2.4.2.
enum ControlFields {
  static let table = FieldTable(
    """
    00 WinSize:interval WinOffset:interval2 Interval:interval2 Latency:u2 Timeout:timeout2 Instant:u2
    01 ChM:channels Instant:u2
    02 ErrorCode:status
    03 Rand:x8 EDIV:x2 SKD_C:x8 IV_C:x4
    04 SKD_P:x8 IV_P:x4
    05 06
    07 UnknownType:llopcode
    08 FeatureSet:features 09 FeatureSet:features
    0A 0B
    0C Version:version Company_Identifier:company Subversion_Number:x2
    0D ErrorCode:status
    0E FeatureSet:features
    0F Interval_Min:interval2 Interval_Max:interval2 Latency:u2 Timeout:timeout2 PreferredPeriodicity:interval
       ReferenceConnEventCount:u2 Offset0:offset2 Offset1:offset2 Offset2:offset2 Offset3:offset2 Offset4:offset2
       Offset5:offset2
    10 Interval_Min:interval2 Interval_Max:interval2 Latency:u2 Timeout:timeout2 PreferredPeriodicity:interval
       ReferenceConnEventCount:u2 Offset0:offset2 Offset1:offset2 Offset2:offset2 Offset3:offset2 Offset4:offset2
       Offset5:offset2
    11 RejectOpcode:llopcode ErrorCode:status
    12 13
    14 MaxRxOctets:octets2 MaxRxTime:us2 MaxTxOctets:octets2 MaxTxTime:us2
    15 MaxRxOctets:octets2 MaxRxTime:us2 MaxTxOctets:octets2 MaxTxTime:us2
    16 TX_PHYS:phys RX_PHYS:phys
    17 TX_PHYS:phys RX_PHYS:phys
    18 PHY_C_TO_P:phys PHY_P_TO_C:phys Instant:u2
    19 PHYS:phys MinUsedChannels:u
    1A MinCTELenReq_and_CTETypeReq:x 1B
    1C ID:x2 SyncInfo:hex18 connEventCount:u2 lastPaEventCounter:u2 SID_AType_SCA:x PHY:phys AdvA:address
       syncConnEventCount:u2
    1D SCA:clockaccuracy 1E SCA:clockaccuracy
    1F CIG_ID:u CIS_ID:u PHY_C_To_P:phys PHY_P_To_C:phys Max_SDU_C_To_P:x2 Max_SDU_P_To_C:x2 SDU_Interval_C_To_P:us3
       SDU_Interval_P_To_C:us3 Max_PDU_C_To_P:octets2 Max_PDU_P_To_C:octets2 NSE:u Sub_Interval:us3 BN:x FT_C_To_P:u
       FT_P_To_C:u ISO_Interval:interval2 CIS_Offset_Min:us3 CIS_Offset_Max:us3 connEventCount:u2
    20 CIS_Offset_Min:us3 CIS_Offset_Max:us3 connEventCount:u2
    21 AA:x4 CIS_Offset:us3 CIG_Sync_Delay:us3 CIS_Sync_Delay:us3 connEventCount:u2
    22 CIG_ID:u CIS_ID:u ErrorCode:status
    23 PHY:phys Delta:db TxPower:dbm
    24 Flags:x Delta:db TxPower:dbm APR:u
    25 PHY:phys Flags:x Delta:db TxPower:dbm
    26 SubrateFactorMin:u2 SubrateFactorMax:u2 Max_Latency:u2 ContinuationNumber:u2 Timeout:timeout2
    27 SubrateFactor:u2 SubrateBaseEvent:u2 Latency:u2 ContinuationNumber:u2 Timeout:timeout2
    28 Enable:flag MinSpacing:u MaxDelay:u
    29 Channel_Classification:hex10
    2A ID:x2 SyncInfo:hex18 connEventCount:u2 lastPaEventCounter:u2 SID_AType_SCA:x PHY:phys AdvA:address
       syncConnEventCount:u2 RspAA:x4 numSubevents:u subeventInterval:interval responseSlotDelay:interval
       responseSlotSpacing:u
    """)

  /// - Parameter payload: the opcode and what follows.
  static func lines(_ payload: ArraySlice<UInt8>) -> [String] {
    guard let opcode = payload.first else { return [] }
    return table.lines(UInt16(opcode), payload.dropFirst())
  }

  /// The header of a PDU on a data channel (2.4), its length octet included.
  static func header(_ octets: ArraySlice<UInt8>) -> [String] {
    guard let first = octets.first, octets.count >= 2 else { return [] }
    let kinds = ["reserved", "continuing fragment, or empty PDU", "start of a frame", "LL Control PDU"]
    let bit = { (place: UInt8) in "\(first >> place & 1)" }
    let cte = first & 0x20 != 0 ? ", CP: 1" : ""
    return [
      "LLID: \(first & 3) (\(kinds[Int(first & 3)])), NESN: \(bit(2)), SN: \(bit(3)), MD: \(bit(4))\(cte), "
        + "Length: \(CountedNoun.text(octets[octets.startIndex + 1], "octet"))"
    ]
  }
}
