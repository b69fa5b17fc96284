/// The fields of ATT PDUs after the opcode. Spec: Core v5.4, Vol 3, Part F, 3.4.
enum AttributeFields {
  static let table = FieldTable(
    """
    01 Request_Opcode_In_Error:attopcode Attribute_Handle_In_Error:attribute Error_Code:atterror
    02 Client_Rx_MTU:octets2 03 Server_Rx_MTU:octets2
    04 Starting_Handle:attribute Ending_Handle:attribute
    05 Information:information
    06 Starting_Handle:attribute Ending_Handle:attribute Attribute_Type:uuid2 Attribute_Value:hex
    07 *( Found_Attribute_Handle:attribute Group_End_Handle:attribute )
    08 Starting_Handle:attribute Ending_Handle:attribute Attribute_Type:uuid
    09 Attribute_Data_List:values
    0A Attribute_Handle:attribute 0B Attribute_Value:hex
    0C Attribute_Handle:attribute Value_Offset:octets2 0D Part_Attribute_Value:hex
    0E *( Set_Of_Handles:attribute ) 0F Set_Of_Values:hex
    10 Starting_Handle:attribute Ending_Handle:attribute Attribute_Group_Type:uuid
    11 Attribute_Data_List:groups
    12 Attribute_Handle:attribute Attribute_Value:hex 13
    16 Attribute_Handle:attribute Value_Offset:octets2 Part_Attribute_Value:hex
    17 Attribute_Handle:attribute Value_Offset:octets2 Part_Attribute_Value:hex
    18 Flags:execute 19
    1B Attribute_Handle:attribute Attribute_Value:hex 1D Attribute_Handle:attribute Attribute_Value:hex 1E
    20 *( Set_Of_Handles:attribute ) 21 *( Attribute_Value:vhex )
    23 *( Attribute_Handle:attribute Attribute_Value:vhex )
    52 Attribute_Handle:attribute Attribute_Value:hex
    D2 Attribute_Handle:attribute Attribute_Value_and_Authentication_Signature:hex
    """)
}

/// The fields of commands on the LE signalling channel after code, identifier and length.
/// Spec: Core v5.4, Vol 3, Part A, 4.
enum SignallingFields {
  private static let table = FieldTable(
    """
    01 Reason:rejectreason2 Reason_Data:hex
    06 DCID:x2 SCID:x2 07 DCID:x2 SCID:x2
    12 Interval_Min:interval2 Interval_Max:interval2 Latency:u2 Timeout:timeout2
    13 Result:parametersresult2
    14 SPSM:x2 SCID:x2 MTU:octets2 MPS:octets2 Initial_Credits:u2
    15 DCID:x2 MTU:octets2 MPS:octets2 Initial_Credits:u2 Result:x2
    16 CID:x2 Credits:u2
    17 SPSM:x2 MTU:octets2 MPS:octets2 Initial_Credits:u2 *( Source_CID:x2 )
    18 MTU:octets2 MPS:octets2 Initial_Credits:u2 Result:x2 *( Destination_CID:x2 )
    19 MTU:octets2 MPS:octets2 *( Destination_CID:x2 ) 1A Result:x2
    """)
  private static let front = FieldTable("00 Identifier:u Data_Length:octets2")

  static func lines(_ octets: ArraySlice<UInt8>) -> [String] {
    guard let code = octets.first else { return [] }
    let header = front.lines(0, octets.dropFirst().prefix(3))
    return octets.count < 4 ? header : header + table.lines(UInt16(code), octets.dropFirst(4))
  }
}

/// The fields of security manager PDUs after the code. Spec: Core v5.4, Vol 3, Part H, 3.5 and 3.6.
enum SecurityFields {
  static let table = FieldTable(
    """
    01 IO_Capability:capability OOB_data_flag:flag AuthReq:authreq Maximum_Encryption_Key_Size:octets
       Initiator_Key_Distribution:keys Responder_Key_Distribution:keys
    02 IO_Capability:capability OOB_data_flag:flag AuthReq:authreq Maximum_Encryption_Key_Size:octets
       Initiator_Key_Distribution:keys Responder_Key_Distribution:keys
    03 Confirm_Value:hex16 04 Random_Value:hex16 05 Reason:smpreason 06 Long_Term_Key:hex16
    07 EDIV:x2 Rand:x8 08 Identity_Resolving_Key:hex16 09 AddrType:addresstype BD_ADDR:address6
    0A Signature_Key:hex16 0B AuthReq:authreq 0C Public_Key_X:hex32 Public_Key_Y:hex32 0D DHKey_Check:hex16
    0E Notification_Type:u
    """)
}
