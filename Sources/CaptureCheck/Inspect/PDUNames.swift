import BluetoothWire

/// Names of ATT, link layer, signalling and security manager PDUs.
enum PDUNames {
  /// Spec: Core v5.4, Vol 3, Part F, 3.4.8.
  static let att = NameTable(
    """
    01 ATT_ERROR_RSP 02 ATT_EXCHANGE_MTU_REQ 03 ATT_EXCHANGE_MTU_RSP 04 ATT_FIND_INFORMATION_REQ
    05 ATT_FIND_INFORMATION_RSP 06 ATT_FIND_BY_TYPE_VALUE_REQ 07 ATT_FIND_BY_TYPE_VALUE_RSP
    08 ATT_READ_BY_TYPE_REQ 09 ATT_READ_BY_TYPE_RSP 0A ATT_READ_REQ 0B ATT_READ_RSP 0C ATT_READ_BLOB_REQ
    0D ATT_READ_BLOB_RSP 0E ATT_READ_MULTIPLE_REQ 0F ATT_READ_MULTIPLE_RSP 10 ATT_READ_BY_GROUP_TYPE_REQ
    11 ATT_READ_BY_GROUP_TYPE_RSP 12 ATT_WRITE_REQ 13 ATT_WRITE_RSP 16 ATT_PREPARE_WRITE_REQ
    17 ATT_PREPARE_WRITE_RSP 18 ATT_EXECUTE_WRITE_REQ 19 ATT_EXECUTE_WRITE_RSP 1B ATT_HANDLE_VALUE_NTF
    1D ATT_HANDLE_VALUE_IND 1E ATT_HANDLE_VALUE_CFM 20 ATT_READ_MULTIPLE_VARIABLE_REQ
    21 ATT_READ_MULTIPLE_VARIABLE_RSP 23 ATT_MULTIPLE_HANDLE_VALUE_NTF 52 ATT_WRITE_CMD D2 ATT_SIGNED_WRITE_CMD
    """)

  /// Spec: Core v5.4, Vol 3, Part F, 3.4.1.1, Table 3.4.
  static let attErrors = NameTable(
    """
    01 Invalid_Handle 02 Read_Not_Permitted 03 Write_Not_Permitted 04 Invalid_PDU 05 Insufficient_Authentication
    06 Request_Not_Supported 07 Invalid_Offset 08 Insufficient_Authorization 09 Prepare_Queue_Full
    0A Attribute_Not_Found 0B Attribute_Not_Long 0C Encryption_Key_Size_Too_Short
    0D Invalid_Attribute_Value_Length 0E Unlikely_Error 0F Insufficient_Encryption 10 Unsupported_Group_Type
    11 Insufficient_Resources 12 Database_Out_Of_Sync 13 Value_Not_Allowed FC Write_Request_Rejected
    FD CCCD_Improperly_Configured FE Procedure_Already_In_Progress FF Out_Of_Range
    """)

  /// Spec: Core v5.4, Vol 6, Part B, 2.4.2, Table 2.18.
  static let control = NameTable(
    """
    00 LL_CONNECTION_UPDATE_IND 01 LL_CHANNEL_MAP_IND 02 LL_TERMINATE_IND 03 LL_ENC_REQ 04 LL_ENC_RSP
    05 LL_START_ENC_REQ 06 LL_START_ENC_RSP 07 LL_UNKNOWN_RSP 08 LL_FEATURE_REQ 09 LL_FEATURE_RSP
    0A LL_PAUSE_ENC_REQ 0B LL_PAUSE_ENC_RSP 0C LL_VERSION_IND 0D LL_REJECT_IND 0E LL_PERIPHERAL_FEATURE_REQ
    0F LL_CONNECTION_PARAM_REQ 10 LL_CONNECTION_PARAM_RSP 11 LL_REJECT_EXT_IND 12 LL_PING_REQ 13 LL_PING_RSP
    14 LL_LENGTH_REQ 15 LL_LENGTH_RSP 16 LL_PHY_REQ 17 LL_PHY_RSP 18 LL_PHY_UPDATE_IND
    19 LL_MIN_USED_CHANNELS_IND 1A LL_CTE_REQ 1B LL_CTE_RSP 1C LL_PERIODIC_SYNC_IND 1D LL_CLOCK_ACCURACY_REQ
    1E LL_CLOCK_ACCURACY_RSP 1F LL_CIS_REQ 20 LL_CIS_RSP 21 LL_CIS_IND 22 LL_CIS_TERMINATE_IND
    23 LL_POWER_CONTROL_REQ 24 LL_POWER_CONTROL_RSP 25 LL_POWER_CHANGE_IND 26 LL_SUBRATE_REQ 27 LL_SUBRATE_IND
    28 LL_CHANNEL_REPORTING_IND 29 LL_CHANNEL_STATUS_IND 2A LL_PERIODIC_SYNC_WR_IND
    """)

  /// By `AdvertisingCode`. Spec: Core v5.4, Vol 6, Part B, 2.3, Table 2.3.
  static let advertising = NameTable(
    """
    00 ADV_IND 01 ADV_DIRECT_IND 02 ADV_NONCONN_IND 03 SCAN_REQ 04 SCAN_RSP 05 CONNECT_IND 06 ADV_SCAN_IND
    07 ADV_EXT_IND 08 AUX_CONNECT_RSP 13 AUX_SCAN_REQ 15 AUX_CONNECT_REQ 17 AUX_ADV_IND 27 AUX_CHAIN_IND
    37 AUX_SYNC_IND 47 AUX_SCAN_RSP 57 AUX_SYNC_SUBEVENT_IND 67 AUX_SYNC_SUBEVENT_RSP
    """)

  /// Spec: Core v5.4, Vol 3, Part A, 4, Table 4.2.
  static let signalling = NameTable(
    """
    01 L2CAP_COMMAND_REJECT_RSP 02 L2CAP_CONNECTION_REQ 03 L2CAP_CONNECTION_RSP 04 L2CAP_CONFIGURATION_REQ
    05 L2CAP_CONFIGURATION_RSP 06 L2CAP_DISCONNECTION_REQ 07 L2CAP_DISCONNECTION_RSP 08 L2CAP_ECHO_REQ
    09 L2CAP_ECHO_RSP 0A L2CAP_INFORMATION_REQ 0B L2CAP_INFORMATION_RSP 12 L2CAP_CONNECTION_PARAMETER_UPDATE_REQ
    13 L2CAP_CONNECTION_PARAMETER_UPDATE_RSP 14 L2CAP_LE_CREDIT_BASED_CONNECTION_REQ
    15 L2CAP_LE_CREDIT_BASED_CONNECTION_RSP 16 L2CAP_FLOW_CONTROL_CREDIT_IND
    17 L2CAP_CREDIT_BASED_CONNECTION_REQ 18 L2CAP_CREDIT_BASED_CONNECTION_RSP
    19 L2CAP_CREDIT_BASED_RECONFIGURE_REQ 1A L2CAP_CREDIT_BASED_RECONFIGURE_RSP
    """)

  /// Spec: Core v5.4, Vol 3, Part H, 3.3, Table 3.3.
  static let security = NameTable(
    """
    01 SMP_Pairing_Request 02 SMP_Pairing_Response 03 SMP_Pairing_Confirm 04 SMP_Pairing_Random
    05 SMP_Pairing_Failed 06 SMP_Encryption_Information 07 SMP_Central_Identification 08 SMP_Identity_Information
    09 SMP_Identity_Address_Information 0A SMP_Signing_Information 0B SMP_Security_Request
    0C SMP_Pairing_Public_Key 0D SMP_Pairing_DHKey_Check 0E SMP_Keypress_Notification
    """)

  /// Spec: Core v5.4, Vol 3, Part H, 3.5.5, Table 3.7.
  static let securityReasons = NameTable(
    """
    01 Passkey_Entry_Failed 02 OOB_Not_Available 03 Authentication_Requirements 04 Confirm_Value_Failed
    05 Pairing_Not_Supported 06 Encryption_Key_Size 07 Command_Not_Supported 08 Unspecified_Reason
    09 Repeated_Attempts 0A Invalid_Parameters 0B DHKey_Check_Failed 0C Numeric_Comparison_Failed
    0D BR/EDR_pairing_in_progress 0E Cross-transport_Key_Derivation/Generation_not_allowed 0F Key_Rejected
    """)

  /// What Linux's monitor says besides packets, by BlueZ's `doc/btsnoop-protocol`.
  static let monitor = NameTable(
    """
    00 New_Index 01 Deleted_Index 08 Open_Index 09 Close_Index 0A Index_Info 0B Vendor_Diagnostics 0C System_Note
    0D User_Logging 0E Control_Open 0F Control_Close 10 Control_Command 11 Control_Event 12 ISO_TX 13 ISO_RX
    """)

  /// The name, or the number where there is none.
  static func name(_ table: NameTable, _ number: UInt8, _ kind: String) -> String {
    table.name(UInt16(number)) ?? "\(kind) \(hexNumber(number, digits: 2))"
  }
}
