import BluetoothWire

/// One L2CAP frame of one direction of one link, put together from its fragments.
///
/// Spec: Core v5.4, Vol 3, Part A, 7.2.1. A frame that comes in one fragment is never copied.
struct FrameAssembly {
  enum Outcome {
    /// More is to come.
    case partial
    case frame(L2CAP.ChannelID, ArraySlice<UInt8>)
    case gap(TrafficGap)
  }

  private var held: [UInt8] = []
  /// Octets of the whole frame with its header; 0 while its length is not known.
  private var expected = 0
  private(set) var isOpen = false

  /// The octets of a frame's first fragment; what is open is cut short.
  mutating func start(_ octets: ArraySlice<UInt8>) -> Outcome {
    isOpen = false
    if let whole = Self.length(octets) {
      if octets.count == whole { return Self.frame(octets) }
      if octets.count > whole { return .gap(.frameTooLong) }
      expected = whole
    } else {
      expected = 0
    }
    held.removeAll(keepingCapacity: true)
    held.append(contentsOf: octets)
    isOpen = true
    return .partial
  }

  mutating func proceed(_ octets: ArraySlice<UInt8>) -> Outcome {
    guard isOpen else { return .gap(.continuationWithoutStart) }
    held.append(contentsOf: octets)
    if expected == 0 { expected = Self.length(held[...]) ?? 0 }
    if expected == 0 || held.count < expected { return .partial }
    isOpen = false
    return held.count == expected ? Self.frame(held[...]) : .gap(.frameTooLong)
  }

  /// Forgets what is partial. - Returns: whether there was anything.
  mutating func abandon() -> Bool {
    defer { isOpen = false }
    return isOpen
  }

  /// The channel of a frame that came in one fragment; nil: the fragment is shorter, or longer, than its frame.
  @inline(__always)
  static func channel(ofWhole octets: ArraySlice<UInt8>) -> L2CAP.ChannelID? {
    guard octets.count >= L2CAP.headerLength, length(octets) == octets.count else { return nil }
    return L2CAP.ChannelID(rawValue: octets.word(at: 2))
  }

  private static func length(_ octets: ArraySlice<UInt8>) -> Int? {
    guard octets.count >= 2 else { return nil }
    let start = octets.startIndex
    return L2CAP.headerLength + (Int(octets[start]) | Int(octets[start + 1]) << 8)
  }

  private static func frame(_ octets: ArraySlice<UInt8>) -> Outcome {
    let start = octets.startIndex
    let channel = UInt16(octets[start + 2]) | UInt16(octets[start + 3]) << 8
    return .frame(L2CAP.ChannelID(rawValue: channel), octets[(start + L2CAP.headerLength)...])
  }
}
