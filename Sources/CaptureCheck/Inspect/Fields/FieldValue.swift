import BluetoothWire
import Judging
import SimKernel

/// Values of fields in words, with their units.
enum FieldValue {
  private static let octetLimit = 64

  /// Octets that a kind takes where its width is not given.
  static func width(_ kind: Substring) -> Int {
    switch kind {
    case "address": 6
    case "features": 8
    case "channels": 5
    case "handle", "attribute", "opcode", "company": 2
    default: 1
    }
  }

  static func words(_ kind: Substring, _ value: UInt64, _ width: Int) -> String {
    let hex = hexNumber(value, digits: 2 * width)
    switch kind {
    case "u": return "\(value) (\(hex))"
    case "x", "handle": return hex
    case "octets": return CountedNoun.text(value, "octet")
    case "flag": return value == 0 ? "no" : value == 1 ? "yes" : hex
    case "interval": return "\(milliseconds(value, 1_250)) ms (\(hex))"
    case "slots": return "\(milliseconds(value, 625)) ms (\(hex))"
    case "offset": return value == 0xFFFF ? "not valid" : "\(milliseconds(value, 1_250)) ms (\(hex))"
    case "timeout": return StatsText.duration(Int64(clamping: value * 10_000_000)) + " (\(hex))"
    case "us": return "\(value) µs"
    case "seconds": return "\(value) s"
    case "dbm":
      let level = Int8(truncatingIfNeeded: value)
      return level == 127 ? "not available" : "\(level) dBm"
    case "db": return "\(Int8(truncatingIfNeeded: value)) dB"
    case "status", "atterror", "smpreason": return name(kind, value, hex)
    case "opcode": return HCINames.command(UInt16(value)).map { "HCI_\($0) (\(hex))" } ?? hex
    case "llopcode": return PDUNames.control.name(UInt16(value)).map { "\($0) (\(hex))" } ?? hex
    case "attopcode": return PDUNames.att.name(UInt16(value)).map { "\($0) (\(hex))" } ?? hex
    case "version": return CoreVersions.text(UInt8(value))
    case "company": return CompanyNames.text(UInt16(value))
    case "phys": return "\(flags(value, ["LE 1M", "LE 2M", "LE Coded"], none: "no change")) (\(hex))"
    case "primarychannels": return "\(flags(value, ["37", "38", "39"], none: "none")) (\(hex))"
    case "channels": return channels(value)
    case "features": return hex
    case "authreq": return "\(authentication(value)) (\(hex))"
    case "keys": return "\(flags(value, ["EncKey", "IdKey", "SignKey", "LinkKey"], none: "none")) (\(hex))"
    case "reportflags":
      let names = ["connectable", "scannable", "directed", "scan response", "legacy"]
      let status = ["complete", "incomplete, more to come", "incomplete, truncated", "status 3"]
      return "\(flags(value, names, none: "undirected")); data \(status[Int(value >> 5 & 3)]) (\(hex))"
    case "advertisingflags":
      let names = [
        "connectable", "scannable", "directed", "high duty cycle", "legacy", "anonymous", "TX power",
      ]
      return "\(flags(value, names, none: "none")) (\(hex))"
    case "auxpointer": return auxiliary(value)
    case "syncoffset":
      // Offset Base, Offset Units and Offset Adjust (Vol 6, Part B, 2.3.4.6).
      let offset = (value & 0x1FFF) * (value & 0x2000 == 0 ? 30 : 300) + (value & 0x4000 == 0 ? 0 : 2_457_600)
      return value & 0x1FFF == 0 ? "cannot be said (\(hex))" : "\(offset) µs (\(hex))"
    case "sdulength":
      // ISO_SDU_Length and Packet_Status_Flag (Vol 4, Part E, 5.4.5).
      return "\(CountedNoun.text(value & 0x0FFF, "octet")), \(ISOFields.statusNames[Int(value >> 14 & 3)]) (\(hex))"
    case "channelsaccuracy": return "\(channels(value)), \(Choices.name("clockaccuracy", value >> 37 & 7) ?? hex)"
    default: return Choices.name(kind, value).map { "\($0) (\(hex))" } ?? hex
    }
  }

  private static func name(_ kind: Substring, _ value: UInt64, _ hex: String) -> String {
    let number = UInt16(truncatingIfNeeded: value)
    let name =
      switch kind {
      case "status": ErrorNames.table.name(number)
      case "atterror": PDUNames.attErrors.name(number)
      default: PDUNames.securityReasons.name(number)
      }
    return name.map { "\($0.replacing("_", with: " ")) (\(hex))" } ?? hex
  }

  /// The names of the bits that are set, bit 0 first; bits without a name are not said.
  static func flags(_ value: UInt64, _ names: [String], none: String) -> String {
    let set = names.indices.filter { value >> UInt64($0) & 1 != 0 }.map { names[$0] }
    return set.isEmpty ? none : set.joined(separator: ", ")
  }

  private static func authentication(_ value: UInt64) -> String {
    let bonding = value & 3 == 0 ? "no bonding" : value & 3 == 1 ? "bonding" : "bonding flags \(value & 3)"
    let rest = flags(value >> 2, ["MITM", "SC", "Keypress", "CT2"], none: "")
    return rest.isEmpty ? bonding : "\(bonding), \(rest)"
  }

  /// `0-10, 21-36 (27 channels)`.
  private static func channels(_ map: UInt64) -> String {
    var ranges: [ClosedRange<Int>] = []
    for index in 0..<37 where map >> UInt64(index) & 1 != 0 {
      if let last = ranges.last, last.upperBound == index - 1 {
        ranges[ranges.count - 1] = last.lowerBound...index
      } else {
        ranges.append(index...index)
      }
    }
    let text = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
    let count = ranges.reduce(0) { $0 + $1.count }
    return "channel index \(text.isEmpty ? "none" : text.joined(separator: ", ")) (\(count) channels)"
  }

  /// Where the next PDU of extended advertising is (Vol 6, Part B, 2.3.4.5).
  private static func auxiliary(_ pointer: UInt64) -> String {
    let unit: UInt64 = pointer & 0x80 == 0 ? 30 : 300
    let phys = ["LE 1M", "LE 2M", "LE Coded"]
    let phy = Int(pointer >> 21 & 7)
    return "channel index \(pointer & 0x3F), after \((pointer >> 8 & 0x1FFF) * unit) µs, "
      + (phy < phys.count ? phys[phy] : "PHY \(phy)")
  }

  private static func milliseconds(_ value: UInt64, _ microseconds: UInt64) -> String {
    var text = StatsText.decimal(value * microseconds, places: 3)
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }

  /// - Parameter isRandom: nil where nothing says what kind it is.
  static func address(_ bits: UInt64, isRandom: Bool?) -> String {
    let kind =
      switch (isRandom, bits >> 46) {
      case (nil, _): ""
      case (false, _): " (public)"
      case (_, 3): " (random, static)"
      case (_, 1): " (random, resolvable private)"
      case (_, 0): " (random, non-resolvable private)"
      default: " (random)"
      }
    return BluetoothAddress(kind: isRandom == true ? .random : .publicDevice, bits: bits).description + kind
  }

  static func text(_ octets: some Collection<UInt8>) -> String {
    "\"\(ConsoleTable.oneLine(String(decoding: octets, as: UTF8.self)))\""
  }

  /// Digits in pairs; of many octets the first ones.
  static func octets(_ octets: ArraySlice<UInt8>) -> String {
    if octets.isEmpty { return "nothing" }
    let more = octets.count > octetLimit ? " … \(octets.count - octetLimit) more" : ""
    return String(hexadecimal: octets.prefix(octetLimit), separator: " ") + more
  }
}

/// Numbers that choose one of several things.
enum Choices {
  /// By the number, from 0.
  private static let names: [Substring: [String]] = [
    "role": ["Central", "Peripheral"],
    "addresstype": [
      "Public Device Address", "Random Device Address", "Public Identity Address", "Random (static) Identity Address",
    ],
    "ownaddress": [
      "Public Device Address", "Random Device Address", "RPA, or Public Address", "RPA, or Random Address",
    ],
    "phy": ["none", "LE 1M", "LE 2M", "LE Coded"],
    "clockaccuracy": [
      "251 to 500 ppm", "151 to 250 ppm", "101 to 150 ppm", "76 to 100 ppm", "51 to 75 ppm", "31 to 50 ppm",
      "21 to 30 ppm", "0 to 20 ppm",
    ],
    "advertisingtype": [
      "ADV_IND", "ADV_DIRECT_IND, high duty cycle", "ADV_SCAN_IND", "ADV_NONCONN_IND", "ADV_DIRECT_IND, low duty cycle",
    ],
    "reporttype": ["ADV_IND", "ADV_DIRECT_IND", "ADV_SCAN_IND", "ADV_NONCONN_IND", "SCAN_RSP"],
    "scantype": ["Passive Scanning", "Active Scanning"],
    "scanfilter": [
      "Basic unfiltered", "Basic filtered", "Extended unfiltered", "Extended filtered",
    ],
    "advertisingfilter": [
      "scan and connection requests from all", "scan requests from the Filter Accept List only",
      "connection requests from the Filter Accept List only", "requests from the Filter Accept List only",
    ],
    "initiatorfilter": ["Peer_Address is used", "Filter Accept List is used"],
    "operation": [
      "intermediate fragment", "first fragment", "last fragment", "complete data", "unchanged data",
    ],
    "algorithm": ["Channel Selection Algorithm #1", "Channel Selection Algorithm #2"],
    "capability": ["DisplayOnly", "DisplayYesNo", "KeyboardOnly", "NoInputNoOutput", "KeyboardDisplay"],
    "encryption": ["off", "on", "on, AES-CCM for BR/EDR"],
    "rejectreason": ["Command not understood", "Signaling MTU exceeded", "Invalid CID in request"],
    "parametersresult": ["accepted", "rejected"],
    "execute": ["cancel all prepared writes", "write all pending prepared values"],
    "linktype": ["SCO", "ACL", "eSCO"],
    "privacymode": ["Network Privacy Mode", "Device Privacy Mode"],
  ]

  static func name(_ kind: Substring, _ value: UInt64) -> String? {
    guard let names = names[kind], value < UInt64(names.count) else { return nil }
    return names[Int(value)]
  }
}
