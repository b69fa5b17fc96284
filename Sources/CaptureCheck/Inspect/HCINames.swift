/// Names of HCI commands and events, of this bench's own and of all others.
///
/// Spec: Core v5.4, Vol 4, Part E, 7.1 to 7.8, and what earlier versions had. Vendors' commands have no names here.
enum HCINames {
  /// Without `HCI_`; nil for an opcode that the Core Specification does not define.
  static func command(_ opcode: UInt16) -> String? { commands.name(opcode) }
  /// Without `HCI_`.
  static func event(_ code: UInt8) -> String? { events.name(UInt16(code)) }
  /// Names of LE Meta events, without `HCI_`.
  static func subevent(_ code: UInt8) -> String? { subevents.name(UInt16(code)) }

  static let commands = NameTable(commandText)
  static let events = NameTable(eventText)
  static let subevents = NameTable(subeventText)

  private static let commandText = """
    0401 Inquiry 0402 Inquiry_Cancel 0403 Periodic_Inquiry_Mode 0404 Exit_Periodic_Inquiry_Mode
    0405 Create_Connection 0406 Disconnect 0407 Add_SCO_Connection 0408 Create_Connection_Cancel
    0409 Accept_Connection_Request 040A Reject_Connection_Request 040B Link_Key_Request_Reply
    040C Link_Key_Request_Negative_Reply 040D PIN_Code_Request_Reply 040E PIN_Code_Request_Negative_Reply
    040F Change_Connection_Packet_Type 0411 Authentication_Requested 0413 Set_Connection_Encryption
    0415 Change_Connection_Link_Key 0417 Link_Key_Selection 0419 Remote_Name_Request 041A Remote_Name_Request_Cancel
    041B Read_Remote_Supported_Features 041C Read_Remote_Extended_Features 041D Read_Remote_Version_Information
    041F Read_Clock_Offset 0420 Read_LMP_Handle 0428 Setup_Synchronous_Connection
    0429 Accept_Synchronous_Connection_Request 042A Reject_Synchronous_Connection_Request
    042B IO_Capability_Request_Reply 042C User_Confirmation_Request_Reply
    042D User_Confirmation_Request_Negative_Reply 042E User_Passkey_Request_Reply
    042F User_Passkey_Request_Negative_Reply 0430 Remote_OOB_Data_Request_Reply
    0433 Remote_OOB_Data_Request_Negative_Reply 0434 IO_Capability_Request_Negative_Reply 0435 Create_Physical_Link
    0436 Accept_Physical_Link 0437 Disconnect_Physical_Link 0438 Create_Logical_Link 0439 Accept_Logical_Link
    043A Disconnect_Logical_Link 043B Logical_Link_Cancel 043C Flow_Spec_Modify
    043D Enhanced_Setup_Synchronous_Connection 043E Enhanced_Accept_Synchronous_Connection_Request
    043F Truncated_Page 0440 Truncated_Page_Cancel 0441 Set_Connectionless_Peripheral_Broadcast
    0442 Set_Connectionless_Peripheral_Broadcast_Receive 0443 Start_Synchronization_Train
    0444 Receive_Synchronization_Train 0445 Remote_OOB_Extended_Data_Request_Reply 0801 Hold_Mode 0803 Sniff_Mode
    0804 Exit_Sniff_Mode 0805 Park_Mode 0806 Exit_Park_Mode 0807 QoS_Setup 0809 Role_Discovery 080B Switch_Role
    080C Read_Link_Policy_Settings 080D Write_Link_Policy_Settings 080E Read_Default_Link_Policy_Settings
    080F Write_Default_Link_Policy_Settings 0810 Flow_Specification 0811 Sniff_Subrating 0C01 Set_Event_Mask
    0C03 Reset 0C05 Set_Event_Filter 0C08 Flush 0C09 Read_PIN_Type 0C0A Write_PIN_Type 0C0B Create_New_Unit_Key
    0C0D Read_Stored_Link_Key 0C11 Write_Stored_Link_Key 0C12 Delete_Stored_Link_Key 0C13 Write_Local_Name
    0C14 Read_Local_Name 0C15 Read_Connection_Accept_Timeout 0C16 Write_Connection_Accept_Timeout
    0C17 Read_Page_Timeout 0C18 Write_Page_Timeout 0C19 Read_Scan_Enable 0C1A Write_Scan_Enable
    0C1B Read_Page_Scan_Activity 0C1C Write_Page_Scan_Activity 0C1D Read_Inquiry_Scan_Activity
    0C1E Write_Inquiry_Scan_Activity 0C1F Read_Authentication_Enable 0C20 Write_Authentication_Enable
    0C21 Read_Encryption_Mode 0C22 Write_Encryption_Mode 0C23 Read_Class_Of_Device 0C24 Write_Class_Of_Device
    0C25 Read_Voice_Setting 0C26 Write_Voice_Setting 0C27 Read_Automatic_Flush_Timeout
    0C28 Write_Automatic_Flush_Timeout 0C29 Read_Num_Broadcast_Retransmissions
    0C2A Write_Num_Broadcast_Retransmissions 0C2B Read_Hold_Mode_Activity 0C2C Write_Hold_Mode_Activity
    0C2D Read_Transmit_Power_Level 0C2E Read_Synchronous_Flow_Control_Enable
    0C2F Write_Synchronous_Flow_Control_Enable 0C31 Set_Controller_To_Host_Flow_Control 0C33 Host_Buffer_Size
    0C35 Host_Number_Of_Completed_Packets 0C36 Read_Link_Supervision_Timeout 0C37 Write_Link_Supervision_Timeout
    0C38 Read_Number_Of_Supported_IAC 0C39 Read_Current_IAC_LAP 0C3A Write_Current_IAC_LAP
    0C3B Read_Page_Scan_Period_Mode 0C3C Write_Page_Scan_Period_Mode 0C3D Read_Page_Scan_Mode
    0C3E Write_Page_Scan_Mode 0C3F Set_AFH_Host_Channel_Classification 0C42 Read_Inquiry_Scan_Type
    0C43 Write_Inquiry_Scan_Type 0C44 Read_Inquiry_Mode 0C45 Write_Inquiry_Mode 0C46 Read_Page_Scan_Type
    0C47 Write_Page_Scan_Type 0C48 Read_AFH_Channel_Assessment_Mode 0C49 Write_AFH_Channel_Assessment_Mode
    0C51 Read_Extended_Inquiry_Response 0C52 Write_Extended_Inquiry_Response 0C53 Refresh_Encryption_Key
    0C55 Read_Simple_Pairing_Mode 0C56 Write_Simple_Pairing_Mode 0C57 Read_Local_OOB_Data
    0C58 Read_Inquiry_Response_Transmit_Power_Level 0C59 Write_Inquiry_Transmit_Power_Level
    0C5A Read_Default_Erroneous_Data_Reporting 0C5B Write_Default_Erroneous_Data_Reporting 0C5F Enhanced_Flush
    0C60 Send_Keypress_Notification 0C61 Read_Logical_Link_Accept_Timeout 0C62 Write_Logical_Link_Accept_Timeout
    0C63 Set_Event_Mask_Page_2 0C64 Read_Location_Data 0C65 Write_Location_Data 0C66 Read_Flow_Control_Mode
    0C67 Write_Flow_Control_Mode 0C68 Read_Enhanced_Transmit_Power_Level 0C69 Read_Best_Effort_Flush_Timeout
    0C6A Write_Best_Effort_Flush_Timeout 0C6B Short_Range_Mode 0C6C Read_LE_Host_Supported
    0C6D Write_LE_Host_Supported 0C6E Set_MWS_Channel_Parameters 0C6F Set_External_Frame_Configuration
    0C70 Set_MWS_Signaling 0C71 Set_MWS_Transport_Layer 0C72 Set_MWS_Scan_Frequency_Table
    0C73 Set_MWS_Pattern_Configuration 0C74 Set_Reserved_LT_ADDR 0C75 Delete_Reserved_LT_ADDR
    0C76 Set_Connectionless_Peripheral_Broadcast_Data 0C77 Read_Synchronization_Train_Parameters
    0C78 Write_Synchronization_Train_Parameters 0C79 Read_Secure_Connections_Host_Support
    0C7A Write_Secure_Connections_Host_Support 0C7B Read_Authenticated_Payload_Timeout
    0C7C Write_Authenticated_Payload_Timeout 0C7D Read_Local_OOB_Extended_Data 0C7E Read_Extended_Page_Timeout
    0C7F Write_Extended_Page_Timeout 0C80 Read_Extended_Inquiry_Length 0C81 Write_Extended_Inquiry_Length
    0C82 Set_Ecosystem_Base_Interval 0C83 Configure_Data_Path 0C84 Set_Min_Encryption_Key_Size
    1001 Read_Local_Version_Information
    1002 Read_Local_Supported_Commands 1003 Read_Local_Supported_Features 1004 Read_Local_Extended_Features
    1005 Read_Buffer_Size 1009 Read_BD_ADDR 100A Read_Data_Block_Size 100B Read_Local_Supported_Codecs[v1]
    100C Read_Local_Simple_Pairing_Options 100D Read_Local_Supported_Codecs[v2]
    100E Read_Local_Supported_Codec_Capabilities 100F Read_Local_Supported_Controller_Delay
    1401 Read_Failed_Contact_Counter 1402 Reset_Failed_Contact_Counter 1403 Read_Link_Quality 1405 Read_RSSI
    1406 Read_AFH_Channel_Map 1407 Read_Clock 1408 Read_Encryption_Key_Size 1409 Read_Local_AMP_Info
    140A Read_Local_AMP_Assoc 140B Write_Remote_AMP_Assoc 140C Get_MWS_Transport_Layer_Configuration
    140D Set_Triggered_Clock_Capture 1801 Read_Loopback_Mode 1802 Write_Loopback_Mode
    1803 Enable_Device_Under_Test_Mode 1804 Write_Simple_Pairing_Debug_Mode 1807 Enable_AMP_Receiver_Reports
    1808 AMP_Test_End 1809 AMP_Test 180A Write_Secure_Connections_Test_Mode 2001 LE_Set_Event_Mask
    2002 LE_Read_Buffer_Size[v1] 2003 LE_Read_Local_Supported_Features 2005 LE_Set_Random_Address
    2006 LE_Set_Advertising_Parameters 2007 LE_Read_Advertising_Physical_Channel_Tx_Power
    2008 LE_Set_Advertising_Data 2009 LE_Set_Scan_Response_Data 200A LE_Set_Advertising_Enable
    200B LE_Set_Scan_Parameters 200C LE_Set_Scan_Enable 200D LE_Create_Connection 200E LE_Create_Connection_Cancel
    200F LE_Read_Filter_Accept_List_Size 2010 LE_Clear_Filter_Accept_List 2011 LE_Add_Device_To_Filter_Accept_List
    2012 LE_Remove_Device_From_Filter_Accept_List 2013 LE_Connection_Update 2014 LE_Set_Host_Channel_Classification
    2015 LE_Read_Channel_Map 2016 LE_Read_Remote_Features 2017 LE_Encrypt 2018 LE_Rand 2019 LE_Enable_Encryption
    201A LE_Long_Term_Key_Request_Reply 201B LE_Long_Term_Key_Request_Negative_Reply 201C LE_Read_Supported_States
    201D LE_Receiver_Test[v1] 201E LE_Transmitter_Test[v1] 201F LE_Test_End
    2020 LE_Remote_Connection_Parameter_Request_Reply 2021 LE_Remote_Connection_Parameter_Request_Negative_Reply
    2022 LE_Set_Data_Length 2023 LE_Read_Suggested_Default_Data_Length 2024 LE_Write_Suggested_Default_Data_Length
    2025 LE_Read_Local_P-256_Public_Key 2026 LE_Generate_DHKey[v1] 2027 LE_Add_Device_To_Resolving_List
    2028 LE_Remove_Device_From_Resolving_List 2029 LE_Clear_Resolving_List 202A LE_Read_Resolving_List_Size
    202B LE_Read_Peer_Resolvable_Address 202C LE_Read_Local_Resolvable_Address 202D LE_Set_Address_Resolution_Enable
    202E LE_Set_Resolvable_Private_Address_Timeout 202F LE_Read_Maximum_Data_Length 2030 LE_Read_PHY
    2031 LE_Set_Default_PHY 2032 LE_Set_PHY 2033 LE_Receiver_Test[v2] 2034 LE_Transmitter_Test[v2]
    2035 LE_Set_Advertising_Set_Random_Address 2036 LE_Set_Extended_Advertising_Parameters[v1]
    2037 LE_Set_Extended_Advertising_Data 2038 LE_Set_Extended_Scan_Response_Data
    2039 LE_Set_Extended_Advertising_Enable 203A LE_Read_Maximum_Advertising_Data_Length
    203B LE_Read_Number_Of_Supported_Advertising_Sets 203C LE_Remove_Advertising_Set 203D LE_Clear_Advertising_Sets
    203E LE_Set_Periodic_Advertising_Parameters[v1] 203F LE_Set_Periodic_Advertising_Data
    2040 LE_Set_Periodic_Advertising_Enable 2041 LE_Set_Extended_Scan_Parameters 2042 LE_Set_Extended_Scan_Enable
    2043 LE_Extended_Create_Connection[v1] 2044 LE_Periodic_Advertising_Create_Sync
    2045 LE_Periodic_Advertising_Create_Sync_Cancel 2046 LE_Periodic_Advertising_Terminate_Sync
    2047 LE_Add_Device_To_Periodic_Advertiser_List 2048 LE_Remove_Device_From_Periodic_Advertiser_List
    2049 LE_Clear_Periodic_Advertiser_List 204A LE_Read_Periodic_Advertiser_List_Size 204B LE_Read_Transmit_Power
    204C LE_Read_RF_Path_Compensation 204D LE_Write_RF_Path_Compensation 204E LE_Set_Privacy_Mode
    204F LE_Receiver_Test[v3] 2050 LE_Transmitter_Test[v3] 2051 LE_Set_Connectionless_CTE_Transmit_Parameters
    2052 LE_Set_Connectionless_CTE_Transmit_Enable 2053 LE_Set_Connectionless_IQ_Sampling_Enable
    2054 LE_Set_Connection_CTE_Receive_Parameters 2055 LE_Set_Connection_CTE_Transmit_Parameters
    2056 LE_Connection_CTE_Request_Enable 2057 LE_Connection_CTE_Response_Enable 2058 LE_Read_Antenna_Information
    2059 LE_Set_Periodic_Advertising_Receive_Enable 205A LE_Periodic_Advertising_Sync_Transfer
    205B LE_Periodic_Advertising_Set_Info_Transfer 205C LE_Set_Periodic_Advertising_Sync_Transfer_Parameters
    205D LE_Set_Default_Periodic_Advertising_Sync_Transfer_Parameters 205E LE_Generate_DHKey[v2]
    205F LE_Modify_Sleep_Clock_Accuracy 2060 LE_Read_Buffer_Size[v2] 2061 LE_Read_ISO_Tx_Sync
    2062 LE_Set_CIG_Parameters 2063 LE_Set_CIG_Parameters_Test 2064 LE_Create_CIS 2065 LE_Remove_CIG
    2066 LE_Accept_CIS_Request 2067 LE_Reject_CIS_Request 2068 LE_Create_BIG 2069 LE_Create_BIG_Test
    206A LE_Terminate_BIG 206B LE_BIG_Create_Sync 206C LE_BIG_Terminate_Sync 206D LE_Request_Peer_SCA
    206E LE_Setup_ISO_Data_Path 206F LE_Remove_ISO_Data_Path 2070 LE_ISO_Transmit_Test 2071 LE_ISO_Receive_Test
    2072 LE_ISO_Read_Test_Counters 2073 LE_ISO_Test_End 2074 LE_Set_Host_Feature[v1] 2075 LE_Read_ISO_Link_Quality
    2076 LE_Enhanced_Read_Transmit_Power_Level 2077 LE_Read_Remote_Transmit_Power_Level
    2078 LE_Set_Path_Loss_Reporting_Parameters 2079 LE_Set_Path_Loss_Reporting_Enable
    207A LE_Set_Transmit_Power_Reporting_Enable 207B LE_Transmitter_Test[v4]
    207C LE_Set_Data_Related_Address_Changes 207D LE_Set_Default_Subrate 207E LE_Subrate_Request
    207F LE_Set_Extended_Advertising_Parameters[v2] 2082 LE_Set_Periodic_Advertising_Subevent_Data
    2083 LE_Set_Periodic_Advertising_Response_Data 2084 LE_Set_Periodic_Sync_Subevent
    2085 LE_Extended_Create_Connection[v2] 2086 LE_Set_Periodic_Advertising_Parameters[v2]
    """

  private static let eventText = """
    01 Inquiry_Complete 02 Inquiry_Result 03 Connection_Complete 04 Connection_Request 05 Disconnection_Complete
    06 Authentication_Complete 07 Remote_Name_Request_Complete 08 Encryption_Change[v1]
    09 Change_Connection_Link_Key_Complete 0A Link_Key_Type_Changed 0B Read_Remote_Supported_Features_Complete
    0C Read_Remote_Version_Information_Complete 0D QoS_Setup_Complete 0E Command_Complete 0F Command_Status
    10 Hardware_Error 11 Flush_Occurred 12 Role_Change 13 Number_Of_Completed_Packets 14 Mode_Change
    15 Return_Link_Keys 16 PIN_Code_Request 17 Link_Key_Request 18 Link_Key_Notification 19 Loopback_Command
    1A Data_Buffer_Overflow 1B Max_Slots_Change 1C Read_Clock_Offset_Complete 1D Connection_Packet_Type_Changed
    1E QoS_Violation 1F Page_Scan_Mode_Change 20 Page_Scan_Repetition_Mode_Change 21 Flow_Specification_Complete
    22 Inquiry_Result_with_RSSI 23 Read_Remote_Extended_Features_Complete 2C Synchronous_Connection_Complete
    2D Synchronous_Connection_Changed 2E Sniff_Subrating 2F Extended_Inquiry_Result
    30 Encryption_Key_Refresh_Complete 31 IO_Capability_Request 32 IO_Capability_Response
    33 User_Confirmation_Request 34 User_Passkey_Request 35 Remote_OOB_Data_Request 36 Simple_Pairing_Complete
    38 Link_Supervision_Timeout_Changed 39 Enhanced_Flush_Complete 3B User_Passkey_Notification
    3C Keypress_Notification 3D Remote_Host_Supported_Features_Notification 3E LE_Meta 40 Physical_Link_Complete
    41 Channel_Selected 42 Disconnect_Physical_Link_Complete 43 Physical_Link_Loss_Early_Warning
    44 Physical_Link_Recovery 45 Logical_Link_Complete 46 Disconnect_Logical_Link_Complete
    47 Flow_Spec_Modify_Complete 48 Number_Of_Completed_Data_Blocks 49 AMP_Start_Test 4A AMP_Test_End
    4B AMP_Receiver_Report 4C Short_Range_Mode_Change_Complete 4D AMP_Status_Change 4E Triggered_Clock_Capture
    4F Synchronization_Train_Complete 50 Synchronization_Train_Received
    51 Connectionless_Peripheral_Broadcast_Receive 52 Connectionless_Peripheral_Broadcast_Timeout
    53 Truncated_Page_Complete 54 Peripheral_Page_Response_Timeout
    55 Connectionless_Peripheral_Broadcast_Channel_Map_Change 56 Inquiry_Response_Notification
    57 Authenticated_Payload_Timeout_Expired 58 SAM_Status_Change 59 Encryption_Change[v2] FF Vendor_Specific
    """

  private static let subeventText = """
    01 LE_Connection_Complete 02 LE_Advertising_Report 03 LE_Connection_Update_Complete
    04 LE_Read_Remote_Features_Complete 05 LE_Long_Term_Key_Request 06 LE_Remote_Connection_Parameter_Request
    07 LE_Data_Length_Change 08 LE_Read_Local_P-256_Public_Key_Complete 09 LE_Generate_DHKey_Complete
    0A LE_Enhanced_Connection_Complete[v1] 0B LE_Directed_Advertising_Report 0C LE_PHY_Update_Complete
    0D LE_Extended_Advertising_Report 0E LE_Periodic_Advertising_Sync_Established[v1]
    0F LE_Periodic_Advertising_Report[v1] 10 LE_Periodic_Advertising_Sync_Lost 11 LE_Scan_Timeout
    12 LE_Advertising_Set_Terminated 13 LE_Scan_Request_Received 14 LE_Channel_Selection_Algorithm
    15 LE_Connectionless_IQ_Report 16 LE_Connection_IQ_Report 17 LE_CTE_Request_Failed
    18 LE_Periodic_Advertising_Sync_Transfer_Received[v1] 19 LE_CIS_Established 1A LE_CIS_Request
    1B LE_Create_BIG_Complete 1C LE_Terminate_BIG_Complete 1D LE_BIG_Sync_Established 1E LE_BIG_Sync_Lost
    1F LE_Request_Peer_SCA_Complete 20 LE_Path_Loss_Threshold 21 LE_Transmit_Power_Reporting
    22 LE_BIGInfo_Advertising_Report 23 LE_Subrate_Change 24 LE_Periodic_Advertising_Sync_Established[v2]
    25 LE_Periodic_Advertising_Report[v2] 26 LE_Periodic_Advertising_Sync_Transfer_Received[v2]
    27 LE_Periodic_Advertising_Subevent_Data_Request 28 LE_Periodic_Advertising_Response_Report
    29 LE_Enhanced_Connection_Complete[v2]
    """
}

/// Numbers with their names.
struct NameTable {
  /// Sorted by number.
  let entries: [(number: UInt16, name: String)]

  /// - Parameter text: hexadecimal number and name, in turns; the numbers rise.
  init(_ text: String) {
    let words = text.split(whereSeparator: \.isWhitespace)
    entries = stride(from: 0, to: words.count - 1, by: 2).compactMap { index in
      UInt16(words[index], radix: 16).map { ($0, String(words[index + 1])) }
    }
  }

  func name(_ number: UInt16) -> String? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].number == number ? entries[low].name : nil
  }
}
