import BluetoothWire

/// What the commands and events of one captured controller say about it and its host.
public final class AdapterStats {
  /// What a host asked for as central.
  public struct Asked: Hashable, Sendable {
    /// Units of 1.25 ms.
    public var intervals: ClosedRange<UInt16>
    public var peripheralLatency: UInt16
    /// Units of 10 ms.
    public var supervisionTimeout: UInt16
  }

  public let adapter: TrafficAdapter
  public internal(set) var commands = 0
  public internal(set) var events = 0
  /// From LE Read Buffer Size, or Read Buffer Size where LE shares the buffers of BR/EDR.
  public internal(set) var aclOctets: Int?
  public internal(set) var aclCount: Int?
  /// The most ACL packets that were on their way at once; at most `aclCount`, if the capture has the beginning.
  public internal(set) var mostOutstanding = 0
  /// From Read Local Version Information and LE Read Local Supported Features.
  public internal(set) var identity = EndIdentity()
  /// LE features, bit 0 first (Core v5.4, Vol 6, Part B, 4.6).
  public internal(set) var features: UInt64?
  /// The largest LL payload of the controller, octets.
  public internal(set) var maximumDataOctets: Int?
  public internal(set) var asksForDataLength = false
  public internal(set) var asksFor2M = false
  /// Newest of what the host asked for in LE Create Connection.
  public internal(set) var asked: Asked?
  /// Newest advertising interval that the host set, units of 0.625 ms.
  public internal(set) var advertisingIntervals: ClosedRange<UInt32>?

  init(_ adapter: TrafficAdapter) { self.adapter = adapter }

  func readCommand(_ opcode: HCI.Opcode, _ parameters: ArraySlice<UInt8>) {
    commands += 1
    switch opcode.rawValue {
    case 0x2006:
      if let least = parameters.little(at: 0, 2), let most = parameters.little(at: 2, 2), least <= most {
        advertisingIntervals = least...most
      }
    case 0x2036:
      if let least = parameters.little(at: 3, 3), let most = parameters.little(at: 6, 3), least <= most {
        advertisingIntervals = least...most
      }
    case 0x200D: readAsked(parameters, at: 13)
    case 0x2043: readAsked(parameters, at: 14)
    case 0x2022: if let octets = parameters.little(at: 2, 2), octets > 27 { asksForDataLength = true }
    case 0x2024: if let octets = parameters.little(at: 0, 2), octets > 27 { asksForDataLength = true }
    case 0x2032: if let masks = parameters.little(at: 3, 2), masks & 0x0202 != 0 { asksFor2M = true }
    default: break
    }
  }

  private func readAsked(_ parameters: ArraySlice<UInt8>, at offset: Int) {
    guard let least = parameters.little(at: offset, 2), let most = parameters.little(at: offset + 2, 2), least <= most,
      let latency = parameters.little(at: offset + 4, 2), let timeout = parameters.little(at: offset + 6, 2)
    else { return }
    asked = Asked(
      intervals: UInt16(least)...UInt16(most), peripheralLatency: UInt16(latency), supervisionTimeout: UInt16(timeout))
  }

  /// Command Complete: the opcode and what stands after the status.
  func readComplete(_ parameters: ArraySlice<UInt8>) {
    guard let opcode = parameters.little(at: 1, 2), parameters.little(at: 3, 1) == 0 else { return }
    let values = parameters.dropFirst(4)
    switch opcode {
    case 0x2002, 0x2060:
      if let octets = values.little(at: 0, 2), let count = values.little(at: 2, 1), octets > 0, count > 0 {
        aclOctets = Int(octets)
        aclCount = Int(count)
      }
    case 0x1005:
      if aclCount == nil, let octets = values.little(at: 0, 2), let count = values.little(at: 3, 2) {
        aclOctets = Int(octets)
        aclCount = Int(count)
      }
    // HCI version and subversion, then those of the link layer, as a peer would hear them.
    case 0x1001: identity.readVersion(values.dropFirst(3))
    case 0x2003:
      identity.readFeatures(values)
      if let low = values.little(at: 0, 4), let high = values.little(at: 4, 4) {
        features = UInt64(low) | UInt64(high) << 32
      }
    case 0x202F: if let octets = values.little(at: 0, 2) { maximumDataOctets = Int(octets) }
    default: break
    }
  }
}

extension ArraySlice<UInt8> {
  /// An unsigned integer of at most four octets, the least significant first; nil when they are not all there.
  func little(at offset: Int, _ octets: Int) -> UInt32? {
    guard offset >= 0, offset + octets <= count else { return nil }
    var value: UInt32 = 0
    for index in 0..<octets { value |= UInt32(self[startIndex + offset + index]) << UInt32(8 * index) }
    return value
  }
}
