import BluetoothWire
import SimKernel

/// The fields of advertising channel PDUs. Spec: Core v5.4, Vol 6, Part B, 2.3.
enum AdvertisingFields {
  private static let address = "address6"

  /// - Parameter octets: header and payload.
  static func lines(_ octets: ArraySlice<UInt8>) -> [String] {
    guard let first = octets.first, octets.count >= 2 else { return [FieldValue.octets(octets)] }
    let payload = octets.dropFirst(2)
    let header =
      "ChSel: \(first >> 5 & 1), TxAdd: \(first >> 6 & 1), RxAdd: \(first >> 7), "
      + "Length: \(CountedNoun.text(octets[octets.startIndex + 1], "octet"))"
    return [header] + fields(first, payload)
  }

  private static func fields(_ first: UInt8, _ payload: ArraySlice<UInt8>) -> [String] {
    let sender = first & 0x40 != 0
    let receiver = first & 0x80 != 0
    switch first & 0x0F {
    case 0x00, 0x02, 0x06: return read(payload, [("AdvA", sender)], "AdvData:ad")
    case 0x04: return read(payload, [("AdvA", sender)], "ScanRspData:ad")
    case 0x01: return read(payload, [("AdvA", sender), ("TargetA", receiver)], "")
    case 0x03: return read(payload, [("ScanA", sender), ("AdvA", receiver)], "")
    case 0x05:
      let rest = """
        AA:x4 CRCInit:x3 WinSize:interval WinOffset:interval2 Interval:interval2 Latency:u2 Timeout:timeout2 \
        ChM:channels
        """
      var lines = read(payload.prefix(33), [("InitA", sender), ("AdvA", receiver)], rest)
      if payload.count >= 34 {
        let last = payload.octet(at: 33)
        lines += ["Hop: \(last & 0x1F)", "SCA: \(FieldValue.words("clockaccuracy", UInt64(last >> 5), 1))"]
        if payload.count > 34 { lines.append("Further_Octets: \(FieldValue.octets(payload.dropFirst(34)))") }
      }
      return lines
    case 0x07, 0x08: return extended(payload, sender, receiver)
    default: return [FieldValue.octets(payload)]
    }
  }

  private static func read(
    _ payload: ArraySlice<UInt8>, _ addresses: [(name: String, isRandom: Bool)], _ rest: String
  ) -> [String] {
    var reader = FieldReader(payload)
    for (name, isRandom) in addresses {
      reader.isRandom = isRandom
      reader.read(["\(name):\(address)"])
    }
    reader.read(rest.split(separator: " "))
    return reader.finished()
  }

  /// The Common Extended Advertising Payload Format (2.3.4).
  private static func extended(_ payload: ArraySlice<UInt8>, _ sender: Bool, _ receiver: Bool) -> [String] {
    guard let first = payload.first else { return ["Extended_Header_Length: missing"] }
    let length = Int(first & 0x3F)
    let modes = ["non-connectable, non-scannable", "connectable", "scannable", "reserved"]
    var lines = ["AdvMode: \(modes[Int(first >> 6)])", "Extended_Header_Length: \(CountedNoun.text(length, "octet"))"]
    let header = payload.dropFirst().prefix(length)
    let data = payload.dropFirst(1 + length)
    if let flags = header.first { lines += self.header(header.dropFirst(), flags, sender, receiver) }
    if !data.isEmpty { lines += read(data, [], "AdvData:ad") }
    return lines
  }

  /// Where periodic advertising begins (2.3.4.6).
  private static let syncInfo: [Substring] = [
    "Sync_Packet_Offset:syncoffset2", "Interval:interval2", "ChM,_SCA:channelsaccuracy5", "AA:x4", "CRCInit:x3",
    "Event_Counter:u2",
  ]

  private static func header(
    _ octets: ArraySlice<UInt8>, _ flags: UInt8, _ sender: Bool, _ receiver: Bool
  ) -> [String] {
    var reader = FieldReader(octets)
    if flags & 0x01 != 0 {
      reader.isRandom = sender
      reader.read(["AdvA:\(address)"])
    }
    if flags & 0x02 != 0 {
      reader.isRandom = receiver
      reader.read(["TargetA:\(address)"])
    }
    if flags & 0x04 != 0 { reader.read(["CTEInfo:x1"]) }
    if flags & 0x08 != 0 { reader.read(["AdvDataInfo_(SID,_DID):x2"]) }
    if flags & 0x10 != 0 { reader.read(["AuxPtr:auxpointer3"]) }
    if flags & 0x20 != 0 { reader.read(syncInfo) }
    if flags & 0x40 != 0 { reader.read(["TxPower:dbm"]) }
    // Additional Controller Advertising Data take what is left of the header (2.3.4.8).
    if reader.hasMore { reader.read(["ACAD:ad"]) }
    return reader.finished()
  }
}

/// AD structures by name. Spec: Core Specification Supplement, Part A, 1; Assigned Numbers, 2.3.
enum ADFields {
  private static let names = NameTable(
    """
    01 Flags 02 Incomplete_List_of_16-bit_Service_UUIDs 03 Complete_List_of_16-bit_Service_UUIDs
    04 Incomplete_List_of_32-bit_Service_UUIDs 05 Complete_List_of_32-bit_Service_UUIDs
    06 Incomplete_List_of_128-bit_Service_UUIDs 07 Complete_List_of_128-bit_Service_UUIDs
    08 Shortened_Local_Name 09 Complete_Local_Name 0A Tx_Power_Level 0D Class_of_Device
    0E Simple_Pairing_Hash_C-192 0F Simple_Pairing_Randomizer_R-192 10 Device_ID 11 Security_Manager_Out_of_Band_Flags
    12 Peripheral_Connection_Interval_Range 14 List_of_16-bit_Service_Solicitation_UUIDs
    15 List_of_128-bit_Service_Solicitation_UUIDs 16 Service_Data_-_16-bit_UUID 17 Public_Target_Address
    18 Random_Target_Address 19 Appearance 1A Advertising_Interval 1B LE_Bluetooth_Device_Address 1C LE_Role
    1D Simple_Pairing_Hash_C-256 1E Simple_Pairing_Randomizer_R-256
    1F List_of_32-bit_Service_Solicitation_UUIDs 20 Service_Data_-_32-bit_UUID 21 Service_Data_-_128-bit_UUID
    22 LE_Secure_Connections_Confirmation_Value 23 LE_Secure_Connections_Random_Value 24 URI 25 Indoor_Positioning
    26 Transport_Discovery_Data 27 LE_Supported_Features 28 Channel_Map_Update_Indication 29 PB-ADV 2A Mesh_Message
    2B Mesh_Beacon 2C BIGInfo 2D Broadcast_Code 2E Resolvable_Set_Identifier 2F Advertising_Interval_-_long
    30 Broadcast_Name 31 Encrypted_Advertising_Data
    32 Periodic_Advertising_Response_Timing_Information 3D 3D_Information_Data FF Manufacturer_Specific_Data
    """)

  /// One line for each structure; what reaches past the end is shown as far as it goes.
  static func lines(_ octets: ArraySlice<UInt8>) -> [String] {
    var lines: [String] = []
    var rest = octets
    while let length = rest.first.map(Int.init) {
      rest = rest.dropFirst()
      // A length of zero ends the list early (11, "early termination").
      if length == 0 {
        if rest.contains(where: { $0 != 0 }) { lines.append("After_the_end: \(FieldValue.octets(rest))") }
        return lines
      }
      guard let type = rest.first else {
        lines.append("AD structure of \(CountedNoun.text(length, "octet")): missing")
        return lines
      }
      let data = rest.dropFirst().prefix(length - 1)
      let cut = data.count < length - 1 ? ", \(CountedNoun.text(length - 1 - data.count, "octet")) missing" : ""
      let hex = hexNumber(type, digits: 2)
      let name = names.name(UInt16(type)).map { $0.replacing("_", with: " ") + " (\(hex))" } ?? "AD type \(hex)"
      lines.append("\(name): \(value(type, data))\(cut)")
      rest = rest.dropFirst(length)
    }
    return lines
  }

  /// The complete or the shortened local name; nil where there is none.
  static func localName(_ octets: ArraySlice<UInt8>) -> String? {
    structures(octets).first { $0.type == 0x08 || $0.type == 0x09 }.map { String(decoding: $0.data, as: UTF8.self) }
  }

  /// The structures up to the end of the list, or to the first that reaches past the end of the octets.
  static func structures(_ octets: ArraySlice<UInt8>) -> some Sequence<(type: UInt8, data: ArraySlice<UInt8>)> {
    sequence(state: octets) { rest in
      guard let length = rest.first.map(Int.init), length > 0, rest.count > length else { return nil }
      defer { rest = rest.dropFirst(1 + length) }
      return (rest.octet(at: 1), rest.dropFirst(2).prefix(length - 1))
    }
  }

  private static func value(_ type: UInt8, _ data: ArraySlice<UInt8>) -> String {
    switch type {
    case 0x01 where data.count >= 1:
      let names = [
        "LE Limited Discoverable Mode", "LE General Discoverable Mode", "BR/EDR Not Supported",
        "Simultaneous LE and BR/EDR (Controller)", "Simultaneous LE and BR/EDR (Host)",
      ]
      let flags = data.octet(at: 0)
      return "\(FieldValue.flags(UInt64(flags), names, none: "none")) (\(hexNumber(flags, digits: 2)))"
    case 0x02, 0x03, 0x14: return uuids(data, 2)
    case 0x04, 0x05, 0x1F: return uuids(data, 4)
    case 0x06, 0x07, 0x15: return uuids(data, 16)
    case 0x08, 0x09, 0x30: return FieldValue.text(data)
    case 0x0A where data.count == 1: return FieldValue.words("dbm", UInt64(data.octet(at: 0)), 1)
    case 0x12 where data.count == 4:
      let range = [data.word(at: 0), data.word(at: 2)].map {
        $0 == 0xFFFF ? "not given" : FieldValue.words("interval", UInt64($0), 2)
      }
      return range.joined(separator: " to ")
    case 0x16 where data.count >= 2: return service(data, 2)
    case 0x20 where data.count >= 4: return service(data, 4)
    case 0x21 where data.count >= 16: return service(data, 16)
    case 0x1A where data.count == 2: return FieldValue.words("slots", UInt64(data.word(at: 0)), 2)
    case 0x19 where data.count == 2: return hexNumber(data.word(at: 0), digits: 4)
    case 0xFF where data.count >= 2:
      return "\(CompanyNames.text(data.word(at: 0))), \(FieldValue.octets(data.dropFirst(2)))"
    default: return FieldValue.octets(data)
    }
  }

  private static func uuids(_ data: ArraySlice<UInt8>, _ width: Int) -> String {
    guard !data.isEmpty, data.count.isMultiple(of: width) else { return FieldValue.octets(data) }
    return stride(from: 0, to: data.count, by: width)
      .map { UUIDNames.text(data.dropFirst($0).prefix(width)) }.joined(separator: ", ")
  }

  private static func service(_ data: ArraySlice<UInt8>, _ width: Int) -> String {
    "\(UUIDNames.text(data.prefix(width))), \(FieldValue.octets(data.dropFirst(width)))"
  }
}
