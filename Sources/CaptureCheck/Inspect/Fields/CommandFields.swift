/// The parameters of HCI commands. Spec: Core v5.4, Vol 4, Part E, 7.1 to 7.8.
enum CommandFields {
  static let table = FieldTable(
    """
    0406 Connection_Handle:handle Reason:status 041B Connection_Handle:handle 041D Connection_Handle:handle
    0C01 Event_Mask:x8 0C03 0C13 Local_Name:text 0C14
    0C16 Connection_Accept_Timeout:slots2 0C18 Page_Timeout:slots2 0C1A Scan_Enable:x 0C24 Class_Of_Device:x3
    0C2D Connection_Handle:handle Type:u 0C31 Flow_Control_Enable:flag
    0C33 Host_ACL_Data_Packet_Length:octets2 Host_Synchronous_Data_Packet_Length:octets1
         Host_Total_Num_ACL_Data_Packets:u2 Host_Total_Num_Synchronous_Data_Packets:u2
    0C35 Num_Handles:u #( Connection_Handle:handle Host_Num_Completed_Packets:u2 )
    0C56 Simple_Pairing_Mode:flag 0C63 Event_Mask_Page_2:x8 0C6C
    0C6D LE_Supported_Host:flag Unused:u 0C7A Secure_Connections_Host_Support:flag
    0C7C Connection_Handle:handle Authenticated_Payload_Timeout:timeout2
    1001 1002 1003 1004 Page_Number:u 1005 1009 1405 Handle:handle 1408 Connection_Handle:handle
    2001 LE_Event_Mask:x8 2002 2003 2005 Random_Address:randomaddress6
    2006 Advertising_Interval_Min:slots2 Advertising_Interval_Max:slots2 Advertising_Type:advertisingtype
         Own_Address_Type:ownaddress Peer_Address_Type:addresstype Peer_Address:address
         Advertising_Channel_Map:primarychannels Advertising_Filter_Policy:advertisingfilter
    2007 2008 Advertising_Data:lad31 2009 Scan_Response_Data:lad31 200A Advertising_Enable:flag
    200B LE_Scan_Type:scantype LE_Scan_Interval:slots2 LE_Scan_Window:slots2 Own_Address_Type:ownaddress
         Scanning_Filter_Policy:scanfilter
    200C LE_Scan_Enable:flag Filter_Duplicates:flag
    200D LE_Scan_Interval:slots2 LE_Scan_Window:slots2 Initiator_Filter_Policy:initiatorfilter
         Peer_Address_Type:addresstype Peer_Address:address Own_Address_Type:ownaddress
         Connection_Interval_Min:interval2 Connection_Interval_Max:interval2 Max_Latency:u2
         Supervision_Timeout:timeout2 Min_CE_Length:slots2 Max_CE_Length:slots2
    200E 200F 2010 2011 Address_Type:addresstype Address:address 2012 Address_Type:addresstype Address:address
    2013 Connection_Handle:handle Connection_Interval_Min:interval2 Connection_Interval_Max:interval2
         Max_Latency:u2 Supervision_Timeout:timeout2 Min_CE_Length:slots2 Max_CE_Length:slots2
    2014 Channel_Map:channels 2015 Connection_Handle:handle 2016 Connection_Handle:handle
    2017 Key:hex16 Plaintext_Data:hex16 2018
    2019 Connection_Handle:handle Random_Number:x8 Encrypted_Diversifier:x2 Long_Term_Key:hex16
    201A Connection_Handle:handle Long_Term_Key:hex16 201B Connection_Handle:handle 201C
    201D RX_Channel:u 201E TX_Channel:u Test_Data_Length:octets Packet_Payload:u 201F
    2020 Connection_Handle:handle Interval_Min:interval2 Interval_Max:interval2 Max_Latency:u2 Timeout:timeout2
         Min_CE_Length:slots2 Max_CE_Length:slots2
    2021 Connection_Handle:handle Reason:status 2022 Connection_Handle:handle TX_Octets:octets2 TX_Time:us2 2023
    2024 Suggested_Max_TX_Octets:octets2 Suggested_Max_TX_Time:us2 2025
    2026 Key_X_Coordinate:hex32 Key_Y_Coordinate:hex32
    2027 Peer_Identity_Address_Type:addresstype Peer_Identity_Address:address Peer_IRK:hex16 Local_IRK:hex16
    2028 Peer_Identity_Address_Type:addresstype Peer_Identity_Address:address 2029 202A
    202B Peer_Identity_Address_Type:addresstype Peer_Identity_Address:address
    202C Peer_Identity_Address_Type:addresstype Peer_Identity_Address:address
    202D Address_Resolution_Enable:flag 202E RPA_Timeout:seconds2 202F 2030 Connection_Handle:handle
    2031 All_PHYs:x TX_PHYs:phys RX_PHYs:phys
    2032 Connection_Handle:handle All_PHYs:x TX_PHYs:phys RX_PHYs:phys PHY_Options:x2
    2035 Advertising_Handle:u Random_Address:randomaddress6
    2036 Advertising_Handle:u Advertising_Event_Properties:advertisingflags2
         Primary_Advertising_Interval_Min:slots3 Primary_Advertising_Interval_Max:slots3
         Primary_Advertising_Channel_Map:primarychannels Own_Address_Type:ownaddress
         Peer_Address_Type:addresstype Peer_Address:address Advertising_Filter_Policy:advertisingfilter
         Advertising_TX_Power:dbm Primary_Advertising_PHY:phy Secondary_Advertising_Max_Skip:u
         Secondary_Advertising_PHY:phy Advertising_SID:u Scan_Request_Notification_Enable:flag
    2037 Advertising_Handle:u Operation:operation Fragment_Preference:u Advertising_Data:lad
    2038 Advertising_Handle:u Operation:operation Fragment_Preference:u Scan_Response_Data:lad
    2039 Enable:flag Num_Sets:u #( Advertising_Handle:u Duration:timeout2 Max_Extended_Advertising_Events:u )
    203A 203B 203C Advertising_Handle:u 203D
    203E Advertising_Handle:u Periodic_Advertising_Interval_Min:interval2
         Periodic_Advertising_Interval_Max:interval2 Periodic_Advertising_Properties:x2
    203F Advertising_Handle:u Operation:operation Advertising_Data:lad 2040 Enable:x Advertising_Handle:u
    2041 Own_Address_Type:ownaddress Scanning_Filter_Policy:scanfilter Scanning_PHYs:phys
         *( Scan_Type:scantype Scan_Interval:slots2 Scan_Window:slots2 )
    2042 Enable:flag Filter_Duplicates:flag Duration:timeout2 Period:u2
    2043 Initiator_Filter_Policy:initiatorfilter Own_Address_Type:ownaddress Peer_Address_Type:addresstype
         Peer_Address:address Initiating_PHYs:phys *( Scan_Interval:slots2 Scan_Window:slots2
         Connection_Interval_Min:interval2 Connection_Interval_Max:interval2 Max_Latency:u2
         Supervision_Timeout:timeout2 Min_CE_Length:slots2 Max_CE_Length:slots2 )
    2044 Options:x Advertising_SID:u Advertiser_Address_Type:addresstype Advertiser_Address:address Skip:u2
         Sync_Timeout:timeout2 Sync_CTE_Type:x
    2045 2046 Sync_Handle:handle
    2047 Advertiser_Address_Type:addresstype Advertiser_Address:address Advertising_SID:u
    2048 Advertiser_Address_Type:addresstype Advertiser_Address:address Advertising_SID:u
    2049 204A 204B 204C 204D RF_TX_Path_Compensation_Value:x2
         RF_RX_Path_Compensation_Value:x2
    204E Peer_Identity_Address_Type:addresstype Peer_Identity_Address:address Privacy_Mode:privacymode
    2059 Sync_Handle:handle Enable:x
    205A Connection_Handle:handle Service_Data:x2 Sync_Handle:handle
    205B Connection_Handle:handle Service_Data:x2 Advertising_Handle:u
    205C Connection_Handle:handle Mode:u Skip:u2 Sync_Timeout:timeout2 CTE_Type:x
    205D Mode:u Skip:u2 Sync_Timeout:timeout2 CTE_Type:x
    205F Action:u 2060 2061 Connection_Handle:handle
    2062 CIG_ID:u SDU_Interval_C_To_P:us3 SDU_Interval_P_To_C:us3 Worst_Case_SCA:clockaccuracy Packing:u Framing:u
         Max_Transport_Latency_C_To_P:u2 Max_Transport_Latency_P_To_C:u2 CIS_Count:u #( CIS_ID:u
         Max_SDU_C_To_P:octets2 Max_SDU_P_To_C:octets2 PHY_C_To_P:phys PHY_P_To_C:phys RTN_C_To_P:u RTN_P_To_C:u )
    2063 CIG_ID:u SDU_Interval_C_To_P:us3 SDU_Interval_P_To_C:us3 FT_C_To_P:u FT_P_To_C:u ISO_Interval:interval2
         Worst_Case_SCA:clockaccuracy Packing:u Framing:u CIS_Count:u #( CIS_ID:u NSE:u
         Max_SDU_C_To_P:octets2 Max_SDU_P_To_C:octets2 Max_PDU_C_To_P:octets2 Max_PDU_P_To_C:octets2
         PHY_C_To_P:phys PHY_P_To_C:phys BN_C_To_P:u BN_P_To_C:u )
    2064 CIS_Count:u #( CIS_Connection_Handle:handle ACL_Connection_Handle:handle ) 2065 CIG_ID:u
    2066 Connection_Handle:handle 2067 Connection_Handle:handle Reason:status 206D Connection_Handle:handle
    206E Connection_Handle:handle Data_Path_Direction:u Data_Path_ID:u Codec_ID:x5 Controller_Delay:us3
         Codec_Configuration:lhex
    206F Connection_Handle:handle Data_Path_Direction:x 2070 Connection_Handle:handle Payload_Type:u
    2071 Connection_Handle:handle Payload_Type:u 2072 Connection_Handle:handle 2073 Connection_Handle:handle
    2075 Connection_Handle:handle
    2076 Connection_Handle:handle PHY:phy 2077 Connection_Handle:handle PHY:phy
    2078 Connection_Handle:handle High_Threshold:u High_Hysteresis:u Low_Threshold:u Low_Hysteresis:u
         Min_Time_Spent:u2
    2079 Connection_Handle:handle Enable:flag 207A Connection_Handle:handle Local_Enable:flag Remote_Enable:flag
    207D Subrate_Min:u2 Subrate_Max:u2 Max_Latency:u2 Continuation_Number:u2 Supervision_Timeout:timeout2
    2082 Advertising_Handle:u Num_Subevents:u
         #( Subevent:u Response_Slot_Start:u Response_Slot_Count:u Subevent_Data:lad )
    2083 Sync_Handle:handle Request_Event:u2 Request_Subevent:u Response_Subevent:u Response_Slot:u
         Response_Data:lad
    2084 Sync_Handle:handle Periodic_Advertising_Properties:x2 Num_Subevents:u #( Subevent:u )
    2086 Advertising_Handle:u Periodic_Advertising_Interval_Min:interval2
         Periodic_Advertising_Interval_Max:interval2 Periodic_Advertising_Properties:x2 Num_Subevents:u
         Subevent_Interval:interval Response_Slot_Delay:interval Response_Slot_Spacing:u Num_Response_Slots:u
    207E Connection_Handle:handle Subrate_Min:u2 Subrate_Max:u2 Max_Latency:u2 Continuation_Number:u2
         Supervision_Timeout:timeout2
    """)

  /// What Command Complete returns, by the command; what is not here begins with a status.
  static let returned = FieldTable(
    """
    0C14 Status:status Local_Name:text
    1001 Status:status HCI_Version:version HCI_Subversion:x2 LMP_Version:version Company_Identifier:company
         LMP_Subversion:x2
    1002 Status:status Supported_Commands:hex64 1003 Status:status LMP_Features:x8
    1004 Status:status Page_Number:u Max_Page_Number:u Extended_LMP_Features:x8
    1005 Status:status ACL_Data_Packet_Length:octets2 Synchronous_Data_Packet_Length:octets1
         Total_Num_ACL_Data_Packets:u2 Total_Num_Synchronous_Data_Packets:u2
    1009 Status:status BD_ADDR:address 1405 Status:status Handle:handle RSSI:dbm
    0C2D Status:status Connection_Handle:handle TX_Power_Level:dbm 0C7C Status:status Connection_Handle:handle
    2002 Status:status LE_ACL_Data_Packet_Length:octets2 Total_Num_LE_ACL_Data_Packets:u
    2003 Status:status LE_Features:features 2007 Status:status TX_Power_Level:dbm
    200F Status:status Filter_Accept_List_Size:u 2015 Status:status Connection_Handle:handle Channel_Map:channels
    2017 Status:status Encrypted_Data:hex16 2018 Status:status Random_Number:x8
    201A Status:status Connection_Handle:handle 201B Status:status Connection_Handle:handle
    201C Status:status LE_States:x8 201F Status:status Num_Packets:u2
    2020 Status:status Connection_Handle:handle 2021 Status:status Connection_Handle:handle
    2022 Status:status Connection_Handle:handle
    2023 Status:status Suggested_Max_TX_Octets:octets2 Suggested_Max_TX_Time:us2
    202A Status:status Resolving_List_Size:u 202B Status:status Peer_Resolvable_Address:randomaddress6
    202C Status:status Local_Resolvable_Address:randomaddress6
    202F Status:status Supported_Max_TX_Octets:octets2 Supported_Max_TX_Time:us2 Supported_Max_RX_Octets:octets2
         Supported_Max_RX_Time:us2
    2030 Status:status Connection_Handle:handle TX_PHY:phy RX_PHY:phy 2036 Status:status Selected_TX_Power:dbm
    203A Status:status Max_Advertising_Data_Length:octets2 203B Status:status Num_Supported_Advertising_Sets:u
    204A Status:status Periodic_Advertiser_List_Size:u 204B Status:status Min_TX_Power:dbm Max_TX_Power:dbm
    2060 Status:status LE_ACL_Data_Packet_Length:octets2 Total_Num_LE_ACL_Data_Packets:u
         ISO_Data_Packet_Length:octets2 Total_Num_ISO_Data_Packets:u
    2061 Status:status Connection_Handle:handle Packet_Sequence_Number:u2 TX_Time_Stamp:us4 Time_Offset:us3
    2062 Status:status CIG_ID:u CIS_Count:u #( Connection_Handle:handle )
    2063 Status:status CIG_ID:u CIS_Count:u #( Connection_Handle:handle ) 2065 Status:status CIG_ID:u
    2067 Status:status Connection_Handle:handle 206E Status:status Connection_Handle:handle
    206F Status:status Connection_Handle:handle 2070 Status:status Connection_Handle:handle
    2071 Status:status Connection_Handle:handle
    2072 Status:status Connection_Handle:handle Received_SDU_Count:u4 Missed_SDU_Count:u4 Failed_SDU_Count:u4
    2073 Status:status Connection_Handle:handle Received_SDU_Count:u4 Missed_SDU_Count:u4 Failed_SDU_Count:u4
    2075 Status:status Connection_Handle:handle TX_UnACKed_Packets:u4 TX_Flushed_Packets:u4
         TX_Last_Subevent_Packets:u4 Retransmitted_Packets:u4 CRC_Error_Packets:u4 RX_Unreceived_Packets:u4
         Duplicate_Packets:u4
    2076 Status:status Connection_Handle:handle PHY:phy Current_TX_Power_Level:dbm Max_TX_Power_Level:dbm
    2078 Status:status Connection_Handle:handle 2079 Status:status Connection_Handle:handle
    207A Status:status Connection_Handle:handle
    2082 Status:status Advertising_Handle:u 2083 Status:status Sync_Handle:handle
    2084 Status:status Sync_Handle:handle 2086 Status:status Advertising_Handle:u
    """)
  private static let status = FieldTable("00 Status:status")

  static func returned(_ opcode: UInt16, _ values: ArraySlice<UInt8>) -> [String] {
    if values.isEmpty { return [] }
    return returned.fields(opcode) == nil ? status.lines(0, values) : returned.lines(opcode, values)
  }
}

/// The parameters of HCI events, and of LE Meta events after the subevent code.
/// Spec: Core v5.4, Vol 4, Part E, 7.7.
enum EventFields {
  static func lines(_ code: UInt8, _ parameters: ArraySlice<UInt8>) -> [String] {
    if code == 0x3E, let subevent = parameters.first {
      return subevents.lines(UInt16(subevent), parameters.dropFirst())
    }
    if code == 0x0E, parameters.count >= 3 {
      return table.lines(0x0E, parameters.prefix(3))
        + CommandFields.returned(parameters.word(at: 1), parameters.dropFirst(3))
    }
    return table.lines(UInt16(code), parameters)
  }

  private static let table = FieldTable(
    """
    03 Status:status Connection_Handle:handle BD_ADDR:address Link_Type:linktype Encryption_Enabled:encryption
    04 BD_ADDR:address Class_Of_Device:x3 Link_Type:linktype
    05 Status:status Connection_Handle:handle Reason:status
    08 Status:status Connection_Handle:handle Encryption_Enabled:encryption
    0B Status:status Connection_Handle:handle LMP_Features:x8
    0C Status:status Connection_Handle:handle Version:version Company_Identifier:company Subversion:x2
    0E Num_HCI_Command_Packets:u Command_Opcode:opcode
    0F Status:status Num_HCI_Command_Packets:u Command_Opcode:opcode
    10 Hardware_Code:x 13 Num_Handles:u #( Connection_Handle:handle Num_Completed_Packets:u2 ) 1A Link_Type:linktype
    30 Status:status Connection_Handle:handle 57 Connection_Handle:handle
    59 Status:status Connection_Handle:handle Encryption_Enabled:encryption Encryption_Key_Size:octets
    """)

  private static let subevents = FieldTable(
    """
    01 Status:status Connection_Handle:handle Role:role Peer_Address_Type:addresstype Peer_Address:address
       Connection_Interval:interval2 Peripheral_Latency:u2 Supervision_Timeout:timeout2
       Central_Clock_Accuracy:clockaccuracy
    02 Num_Reports:u #( Event_Type:reporttype Address_Type:addresstype Address:address Data:lad RSSI:dbm )
    03 Status:status Connection_Handle:handle Connection_Interval:interval2 Peripheral_Latency:u2
       Supervision_Timeout:timeout2
    04 Status:status Connection_Handle:handle LE_Features:features
    05 Connection_Handle:handle Random_Number:x8 Encrypted_Diversifier:x2
    06 Connection_Handle:handle Interval_Min:interval2 Interval_Max:interval2 Max_Latency:u2 Timeout:timeout2
    07 Connection_Handle:handle Max_TX_Octets:octets2 Max_TX_Time:us2 Max_RX_Octets:octets2 Max_RX_Time:us2
    08 Status:status Key_X_Coordinate:hex32 Key_Y_Coordinate:hex32 09 Status:status DH_Key:hex32
    0A Status:status Connection_Handle:handle Role:role Peer_Address_Type:addresstype Peer_Address:address
       Local_Resolvable_Private_Address:randomaddress6 Peer_Resolvable_Private_Address:randomaddress6
       Connection_Interval:interval2 Peripheral_Latency:u2 Supervision_Timeout:timeout2
       Central_Clock_Accuracy:clockaccuracy
    0B Num_Reports:u #( Event_Type:reporttype Address_Type:addresstype Address:address
       Direct_Address_Type:addresstype Direct_Address:address RSSI:dbm )
    0C Status:status Connection_Handle:handle TX_PHY:phy RX_PHY:phy
    0D Num_Reports:u #( Event_Type:reportflags2 Address_Type:addresstype Address:address Primary_PHY:phy
       Secondary_PHY:phy Advertising_SID:u TX_Power:dbm RSSI:dbm Periodic_Advertising_Interval:interval2
       Direct_Address_Type:addresstype Direct_Address:address Data:lad )
    0E Status:status Sync_Handle:handle Advertising_SID:u Advertiser_Address_Type:addresstype
       Advertiser_Address:address Advertiser_PHY:phy Periodic_Advertising_Interval:interval2
       Advertiser_Clock_Accuracy:clockaccuracy
    0F Sync_Handle:handle TX_Power:dbm RSSI:dbm CTE_Type:x Data_Status:x Data:lad
    10 Sync_Handle:handle 11
    12 Status:status Advertising_Handle:u Connection_Handle:handle Num_Completed_Extended_Advertising_Events:u
    13 Advertising_Handle:u Scanner_Address_Type:addresstype Scanner_Address:address
    14 Connection_Handle:handle Channel_Selection_Algorithm:algorithm
    18 Status:status Connection_Handle:handle Service_Data:x2 Sync_Handle:handle Advertising_SID:u
       Advertiser_Address_Type:addresstype Advertiser_Address:address Advertiser_PHY:phy
       Periodic_Advertising_Interval:interval2 Advertiser_Clock_Accuracy:clockaccuracy
    19 Status:status Connection_Handle:handle CIG_Sync_Delay:us3 CIS_Sync_Delay:us3 Transport_Latency_C_To_P:us3
       Transport_Latency_P_To_C:us3 PHY_C_To_P:phy PHY_P_To_C:phy NSE:u BN_C_To_P:u BN_P_To_C:u FT_C_To_P:u
       FT_P_To_C:u Max_PDU_C_To_P:octets2 Max_PDU_P_To_C:octets2 ISO_Interval:interval2
    1A ACL_Connection_Handle:handle CIS_Connection_Handle:handle CIG_ID:u CIS_ID:u
    1F Status:status Connection_Handle:handle Peer_Clock_Accuracy:clockaccuracy
    20 Connection_Handle:handle Current_Path_Loss:u Zone_Entered:u
    21 Status:status Connection_Handle:handle Reason:u PHY:phy TX_Power_Level:dbm TX_Power_Level_Flag:x Delta:db
    23 Status:status Connection_Handle:handle Subrate_Factor:u2 Peripheral_Latency:u2 Continuation_Number:u2
       Supervision_Timeout:timeout2
    24 Status:status Sync_Handle:handle Advertising_SID:u Advertiser_Address_Type:addresstype
       Advertiser_Address:address Advertiser_PHY:phy Periodic_Advertising_Interval:interval2
       Advertiser_Clock_Accuracy:clockaccuracy Num_Subevents:u Subevent_Interval:interval
       Response_Slot_Delay:interval Response_Slot_Spacing:u
    25 Sync_Handle:handle TX_Power:dbm RSSI:dbm CTE_Type:x Periodic_Event_Counter:u2 Subevent:u Data_Status:x
       Data:lad
    26 Status:status Connection_Handle:handle Service_Data:x2 Sync_Handle:handle Advertising_SID:u
       Advertiser_Address_Type:addresstype Advertiser_Address:address Advertiser_PHY:phy
       Periodic_Advertising_Interval:interval2 Advertiser_Clock_Accuracy:clockaccuracy Num_Subevents:u
       Subevent_Interval:interval Response_Slot_Delay:interval Response_Slot_Spacing:u
    27 Advertising_Handle:u Subevent_Start:u Subevent_Data_Count:u
    28 Advertising_Handle:u Subevent:u TX_Status:x Num_Responses:u #( TX_Power:dbm RSSI:dbm CTE_Type:x
       Response_Slot:u Data_Status:x Data:lad )
    29 Status:status Connection_Handle:handle Role:role Peer_Address_Type:addresstype Peer_Address:address
       Local_Resolvable_Private_Address:randomaddress6 Peer_Resolvable_Private_Address:randomaddress6
       Connection_Interval:interval2 Peripheral_Latency:u2 Supervision_Timeout:timeout2
       Central_Clock_Accuracy:clockaccuracy Advertising_Handle:u Sync_Handle:handle
    """)
}
