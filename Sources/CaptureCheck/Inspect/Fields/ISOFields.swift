import BluetoothWire
import SimKernel

/// The fields of an HCI ISO Data packet after its indicator; any octets are taken.
///
/// Spec: Core v5.4, Vol 4, Part E, 5.4.5.
struct ISOFields {
  /// Handle, flags and length.
  static let headerLength = 4
  static let statusNames = ["valid", "possibly with errors", "lost, or parts of it", "status 3"]
  private static let boundaryNames = ["first fragment", "continuing fragment", "complete SDU", "last fragment"]
  private static let stamp: [Substring] = ["Time_Stamp:us4"]
  private static let head: [Substring] = ["Packet_Sequence_Number:u2", "ISO_SDU_Length:sdulength2"]
  private static let fragment: [Substring] = ["ISO_SDU_Fragment:hex"]

  /// After the header.
  private let rest: ArraySlice<UInt8>
  private let field: UInt16
  private let length: UInt16

  /// - Parameter octets: at least `headerLength`.
  init(_ octets: ArraySlice<UInt8>) {
    field = octets.word(at: 0)
    length = octets.word(at: 2) & 0x3FFF
    rest = octets.dropFirst(Self.headerLength)
  }

  private var handle: HCI.ConnectionHandle { field & 0x0FFF }
  private var boundary: Int { Int(field >> 12 & 3) }
  private var isStamped: Bool { field & 0x4000 != 0 }
  private var hasHead: Bool { boundary & 1 == 0 }
  /// Octets of the time stamp and of what the packet says of its SDU.
  private var headLength: Int { (isStamped ? 4 : 0) + (hasHead ? 4 : 0) }

  /// One line.
  var text: PacketText {
    let front: PacketText = "ISO data on handle \(hex: handle, digits: 4), \(Self.boundaryNames[boundary])"
    let data = rest.count - min(headLength, rest.count)
    guard hasHead, rest.count >= headLength else { return "\(front), \(data, "octet")" }
    let number = rest.word(at: headLength - 4)
    let last = rest.word(at: headLength - 2)
    let status: PacketText = last >> 14 == 0 ? "" : ", \(Self.statusNames[Int(last >> 14)])"
    if boundary == 0 { return "\(front) of SDU \(number), \(data) of \(Int(last & 0x0FFF), "octet")\(status)" }
    return "\(front) \(number), \(data, "octet")\(status)"
  }

  var lines: [String] {
    var reader = FieldReader(rest)
    if isStamped { reader.read(Self.stamp) }
    if hasHead { reader.read(Self.head) }
    reader.read(Self.fragment)
    return [
      "Connection_Handle: \(hexNumber(handle, digits: 4)), PB_Flag: \(boundary) (\(Self.boundaryNames[boundary])), "
        + "TS_Flag: \(isStamped ? 1 : 0), Data_Total_Length: \(CountedNoun.text(length, "octet"))"
    ] + reader.finished()
  }
}
