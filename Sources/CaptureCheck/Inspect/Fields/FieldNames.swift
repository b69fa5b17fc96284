import BluetoothWire

/// Names of LE features. Spec: Core v5.4, Vol 6, Part B, 4.6, Table 4.4.
enum LEFeatures {
  private static let names: [(bit: UInt64, name: String)] = [
    (0, "LE Encryption"), (1, "Connection Parameters Request Procedure"), (2, "Extended Reject Indication"),
    (3, "Peripheral-initiated Features Exchange"), (4, "LE Ping"), (5, "LE Data Packet Length Extension"),
    (6, "LL Privacy"), (7, "Extended Scanning Filter Policies"), (8, "LE 2M PHY"),
    (9, "Stable Modulation Index - Transmitter"), (10, "Stable Modulation Index - Receiver"), (11, "LE Coded PHY"),
    (12, "LE Extended Advertising"), (13, "LE Periodic Advertising"), (14, "Channel Selection Algorithm #2"),
    (15, "LE Power Class 1"), (16, "Minimum Number of Used Channels Procedure"), (17, "Connection CTE Request"),
    (18, "Connection CTE Response"), (19, "Connectionless CTE Transmitter"), (20, "Connectionless CTE Receiver"),
    (21, "Antenna Switching During CTE Transmission (AoD)"), (22, "Antenna Switching During CTE Reception (AoA)"),
    (23, "Receiving Constant Tone Extensions"), (24, "Periodic Advertising Sync Transfer - Sender"),
    (25, "Periodic Advertising Sync Transfer - Recipient"), (26, "Sleep Clock Accuracy Updates"),
    (27, "Remote Public Key Validation"), (28, "Connected Isochronous Stream - Central"),
    (29, "Connected Isochronous Stream - Peripheral"), (30, "Isochronous Broadcaster"), (31, "Synchronized Receiver"),
    (32, "Connected Isochronous Stream (Host Support)"), (33, "LE Power Control Request"),
    (34, "LE Power Control Request"), (35, "LE Path Loss Monitoring"), (36, "Periodic Advertising ADI support"),
    (37, "Connection Subrating"), (38, "Connection Subrating (Host Support)"), (39, "Channel Classification"),
    (40, "Advertising Coding Selection"), (41, "Advertising Coding Selection (Host Support)"),
    (43, "Periodic Advertising with Responses - Advertiser"), (44, "Periodic Advertising with Responses - Scanner"),
  ]

  /// Those that are set, bit 0 first; a bit without a name by its number.
  static func names(_ features: UInt64) -> [String] {
    (0..<UInt64(64)).filter { features >> $0 & 1 != 0 }.map { bit in
      names.first { $0.bit == bit }?.name ?? "bit \(bit)"
    }
  }
}

/// Versions of the Core Specification. Spec: Assigned Numbers, 2.1.
enum CoreVersions {
  private static let names = [
    "1.0b", "1.1", "1.2", "2.0 + EDR", "2.1 + EDR", "3.0 + HS", "4.0", "4.1", "4.2", "5.0", "5.1", "5.2", "5.3", "5.4",
    "6.0",
  ]

  static func text(_ version: UInt8) -> String {
    let hex = hexNumber(version, digits: 2)
    return Int(version) < names.count ? "Bluetooth \(names[Int(version)]) (\(hex))" : hex
  }
}

/// Some company identifiers: makers of controllers and of phones. Spec: Assigned Numbers, 7.1.
enum CompanyNames {
  private static let companies: [UInt16: String] = [
    0x0000: "Ericsson AB", 0x0001: "Nokia Mobile Phones", 0x0002: "Intel Corp.", 0x0004: "Toshiba Corp.",
    0x0006: "Microsoft", 0x000A: "Qualcomm Technologies International", 0x000D: "Texas Instruments Inc.",
    0x000F: "Broadcom Corporation", 0x001D: "Qualcomm", 0x0025: "NXP B.V.", 0x0030: "ST Microelectronics",
    0x0046: "MediaTek, Inc.", 0x0047: "Bluegiga", 0x0048: "Marvell Technology Group Ltd.", 0x004C: "Apple, Inc.",
    0x0059: "Nordic Semiconductor ASA", 0x005D: "Realtek Semiconductor Corporation",
    0x0060: "RivieraWaves S.A.S", 0x0075: "Samsung Electronics Co. Ltd.", 0x00D2: "Dialog Semiconductor B.V.",
    0x00E0: "Google", 0x0131: "Cypress Semiconductor", 0x0211: "Telink Semiconductor Co. Ltd",
    0x02E5: "Espressif Systems (Shanghai) Co., Ltd.", 0x02FF: "Silicon Laboratories",
    0x05F1: "The Linux Foundation",
  ]

  static func text(_ company: UInt16) -> String {
    let hex = hexNumber(company, digits: 4)
    return companies[company].map { "\($0) (\(hex))" } ?? hex
  }
}

/// Error codes. Spec: Core v5.4, Vol 1, Part F, 1.3.
enum ErrorNames {
  static let table = NameTable(
    """
    00 Success 01 Unknown_HCI_Command 02 Unknown_Connection_Identifier 03 Hardware_Failure 04 Page_Timeout
    05 Authentication_Failure 06 PIN_or_Key_Missing 07 Memory_Capacity_Exceeded 08 Connection_Timeout
    09 Connection_Limit_Exceeded 0A Synchronous_Connection_Limit_To_A_Device_Exceeded
    0B Connection_Already_Exists 0C Command_Disallowed 0D Connection_Rejected_due_to_Limited_Resources
    0E Connection_Rejected_Due_To_Security_Reasons 0F Connection_Rejected_due_to_Unacceptable_BD_ADDR
    10 Connection_Accept_Timeout_Exceeded 11 Unsupported_Feature_or_Parameter_Value
    12 Invalid_HCI_Command_Parameters 13 Remote_User_Terminated_Connection
    14 Remote_Device_Terminated_Connection_due_to_Low_Resources
    15 Remote_Device_Terminated_Connection_due_to_Power_Off 16 Connection_Terminated_By_Local_Host
    17 Repeated_Attempts 18 Pairing_Not_Allowed 19 Unknown_LMP_PDU 1A Unsupported_Remote_Feature
    1B SCO_Offset_Rejected 1C SCO_Interval_Rejected 1D SCO_Air_Mode_Rejected 1E Invalid_LMP_or_LL_Parameters
    1F Unspecified_Error 20 Unsupported_LMP_or_LL_Parameter_Value 21 Role_Change_Not_Allowed
    22 LMP_or_LL_Response_Timeout 23 LMP_Error_Transaction_Collision_or_LL_Procedure_Collision
    24 LMP_PDU_Not_Allowed 25 Encryption_Mode_Not_Acceptable 26 Link_Key_cannot_be_Changed
    27 Requested_QoS_Not_Supported 28 Instant_Passed 29 Pairing_With_Unit_Key_Not_Supported
    2A Different_Transaction_Collision 2C QoS_Unacceptable_Parameter 2D QoS_Rejected
    2E Channel_Classification_Not_Supported 2F Insufficient_Security 30 Parameter_Out_Of_Mandatory_Range
    32 Role_Switch_Pending 34 Reserved_Slot_Violation 35 Role_Switch_Failed
    36 Extended_Inquiry_Response_Too_Large 37 Secure_Simple_Pairing_Not_Supported_By_Host 38 Host_Busy_-_Pairing
    39 Connection_Rejected_due_to_No_Suitable_Channel_Found 3A Controller_Busy
    3B Unacceptable_Connection_Parameters 3C Advertising_Timeout
    3D Connection_Terminated_due_to_MIC_Failure 3E Connection_Failed_to_be_Established
    40 Coarse_Clock_Adjustment_Rejected 41 Type0_Submap_Not_Defined 42 Unknown_Advertising_Identifier
    43 Limit_Reached 44 Operation_Cancelled_by_Host 45 Packet_Too_Long
    """)
}

/// Names of 16-bit UUIDs: declarations, descriptors and the services that nearly all devices have.
/// Spec: Assigned Numbers, 3.
enum UUIDNames {
  private static let table = NameTable(
    """
    1800 GAP 1801 GATT 1802 Immediate_Alert 1803 Link_Loss 1804 Tx_Power 1805 Current_Time 1809 Health_Thermometer
    180A Device_Information 180D Heart_Rate 180F Battery 1812 Human_Interface_Device 1816 Cycling_Speed_and_Cadence
    1818 Cycling_Power 1819 Location_and_Navigation 181A Environmental_Sensing 1822 Pulse_Oximeter 1826 Fitness_Machine
    1827 Mesh_Provisioning 1828 Mesh_Proxy 2800 Primary_Service 2801 Secondary_Service 2802 Include
    2803 Characteristic 2900 Characteristic_Extended_Properties 2901 Characteristic_User_Description
    2902 Client_Characteristic_Configuration 2903 Server_Characteristic_Configuration
    2904 Characteristic_Presentation_Format 2905 Characteristic_Aggregate_Format 2908 Report_Reference
    2A00 Device_Name 2A01 Appearance 2A04 Peripheral_Preferred_Connection_Parameters 2A05 Service_Changed
    2A06 Alert_Level 2A07 Tx_Power_Level 2A19 Battery_Level 2A23 System_ID 2A24 Model_Number_String
    2A25 Serial_Number_String 2A26 Firmware_Revision_String 2A27 Hardware_Revision_String
    2A28 Software_Revision_String 2A29 Manufacturer_Name_String 2A37 Heart_Rate_Measurement 2A4A HID_Information
    2A4B Report_Map 2A4C HID_Control_Point 2A4D Report 2A50 PnP_ID 2AA6 Central_Address_Resolution
    2B29 Client_Supported_Features 2B2A Database_Hash 2B3A Server_Supported_Features
    """)

  static func text(_ uuid: BluetoothUUID) -> String {
    uuid.short.flatMap { table.name($0) }.map { "\(uuid) (\($0.replacing("_", with: " ")))" } ?? uuid.description
  }

  /// - Parameter octets: 2, 4 or 16, least significant first.
  static func text(_ octets: ArraySlice<UInt8>) -> String {
    if octets.count == 2 {
      let number = octets.word(at: 0)
      let name = table.name(number).map { " (\($0.replacing("_", with: " ")))" } ?? ""
      return hexNumber(number, digits: 4) + name
    }
    if octets.count == 16, let uuid = try? BluetoothUUID(decoding: octets) { return uuid.description }
    return "0x" + String(hexadecimal: Array(octets.reversed()), uppercase: true)
  }
}
