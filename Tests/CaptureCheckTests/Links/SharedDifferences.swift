/// Where our reading of a shared capture is not tshark's, and why. A difference that is not here fails, and so does one
/// here that is gone.
enum SharedDifferences {
  struct Difference {
    var reason: String
    /// Of counts "key: ours, tshark theirs"; of meanings "ours …, tshark …".
    var lines: [String]
  }

  /// Files that tshark itself does not read: bare H4 packets.
  static let unread: Set<String> = ["18"]
  /// Files that we refuse, likewise.
  static let refused: Set<String> = ["18"]

  private static let debug = "tshark decodes the debug records on handle 0x0EDC as ATT"

  /// Counts, by the number of the file.
  static let counts: [String: [Difference]] = [
    "01": [
      Difference(
        reason: "a single data PDU, of a connection of which nothing else is there: not enough to tell it from noise",
        lines: ["att 87: 0, tshark 1"])
    ],
    "07": [
      Difference(
        reason: "packet 60 repeats packet 59 with the same sequence number: one PDU, which tshark counts twice",
        lines: ["att 02: 1, tshark 2"])
    ],
    "13": [Difference(reason: debug, lines: ["att 0a: 0, tshark 1"])],
    "34": [Difference(reason: debug, lines: ["att 0a: 757, tshark 758"])],
  ]

  /// What handles mean: opcode, handle, service, characteristic and type.
  static let meanings: [String: [Difference]] = [
    "04": [
      Difference(
        reason: "the server lists 0x0012 among the descriptors of 0xFFF3, with the type 0xFFF3; tshark takes only the"
          + " types that it knows for descriptors",
        lines: ["ours 1b 0012 fff0 fff3 fff3, tshark 1b 0012 fff0  fff3"])
    ],
    "08": [
      Difference(
        reason: "tshark does not connect the configuration, found by Find Information, with its characteristic",
        lines: ["ours 12 0004 1801 2a05 2902, tshark 12 0004   2902"])
    ],
    "27": [
      Difference(
        reason: "128-bit UUIDs over the Base UUID, which equal their 16-bit form",
        lines: [
          "ours 12 0011 fff0 fff1 2902, tshark 12 0011 \(long("fff0")) \(long("fff1")) 2902",
          "ours 12 0015 fff0 fff2 2902, tshark 12 0015 \(long("fff0")) \(long("fff2")) 2902",
          "ours 1b 0010 fff0  fff1, tshark 1b 0010 \(long("fff0"))  \(long("fff1"))",
          "ours 52 0014 fff0  fff2, tshark 52 0014 \(long("fff0"))  \(long("fff2"))",
          "ours 52 0018 fff0  fff3, tshark 52 0018 \(long("fff0"))  \(long("fff3"))",
        ])
    ],
    "30": [
      Difference(
        reason: "the phone's own server indicates; tshark looks the handle up in the peripheral's",
        lines: ["ours 1d 0003   , tshark 1d 0003 ffe0  ffe1"])
    ],
  ]

  private static func long(_ short: String) -> String { "0000\(short)00001000800000805f9b34fb" }
}
