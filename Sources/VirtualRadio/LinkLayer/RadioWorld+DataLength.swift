import BluetoothWire
import SimKernel

/// How long a PDU may be: octets and microseconds, and what LE Coded makes of them (Vol 6, Part B, 4.5.10, 5.1.9).
extension RadioWorld {
  /// Microseconds of the longest PDU on LE 1M.
  static let longestUncoded = time(forOctets: 251)
  /// Microseconds of the longest PDU on LE Coded with S = 8.
  static let longestCoded = time(forOctets: 251, coded: true)
  /// Microseconds of a PDU of 27 octets on LE Coded with S = 8, which each end may send there whatever was agreed.
  private static let leastCoded: UInt16 = 2_704

  /// Microseconds of the longest PDU with that payload and a MIC on LE 1M, or on LE Coded with S = 8.
  static func time(forOctets octets: Int, coded: Bool = false) -> UInt16 {
    coded ? UInt16(octets * 64 + 976) : UInt16((octets + 14) * 8)
  }

  /// The longest payload of a PDU that takes so many microseconds, with a MIC.
  static func octets(within time: UInt16, on phy: LL.AirPHY) -> Int {
    switch phy {
    case .le1M: Int(time) / 8 - 14
    case .le2M: Int(time) / 4 - 15
    // 376 µs come before the header, TERM2 after the CRC.
    case .codedS8: (Int(time) - 400) / 64 - 9
    case .codedS2: (Int(time) - 382) / 16 - 9
    }
  }

  func adopt(_ length: LL.DataLength, _ end: LinkEnd, _ c: Connection) {
    end.peerMaxTxOctets = max(27, Int(length.maxTxOctets))
    end.peerMaxRxOctets = max(27, Int(length.maxRxOctets))
    end.peerMaxTxTime = max(328, length.maxTxTime)
    end.peerMaxRxTime = max(328, length.maxRxTime)
    updateDataLength(end, c)
  }

  /// Effective lengths and times are the minimum of what one end sends and the other takes; a PDU keeps to both, on the
  /// PHY that it is sent on.
  func updateDataLength(_ end: LinkEnd, _ c: Connection) {
    let lengths = effectiveLengths(of: end, c)
    end.effectiveTx = min(
      Int(lengths.maxTxOctets), Self.octets(within: lengths.maxTxTime, on: c.transmitPHY(of: end)))
    assert(end.effectiveTx > 0, "an end may send something")
    guard end.reportedLengths != lengths else { return }
    end.reportedLengths = lengths
    end.radio.controller.emit(
      .leDataLengthChange(
        end.handle, maxTxOctets: lengths.maxTxOctets, maxTxTime: lengths.maxTxTime, maxRxOctets: lengths.maxRxOctets,
        maxRxTime: lengths.maxRxTime))
  }

  /// On LE Coded a PDU may take 2704 µs in any case, and no more than the interval leaves beside the longest that the
  /// peer may send.
  private func effectiveLengths(of end: LinkEnd, _ c: Connection) -> LL.DataLength {
    var lengths = LL.DataLength(
      maxRxOctets: UInt16(min(end.maxRxOctets, end.peerMaxTxOctets)), maxRxTime: min(end.maxRxTime, end.peerMaxTxTime),
      maxTxOctets: UInt16(min(end.maxTxOctets, end.peerMaxRxOctets)), maxTxTime: min(end.maxTxTime, end.peerMaxRxTime))
    if c.transmitPHY(of: c.peer(of: end)).isCoded { lengths.maxRxTime = max(lengths.maxRxTime, Self.leastCoded) }
    if c.transmitPHY(of: end).isCoded {
      let interval = Int(c.intervalUnits) * 1_250
      let available = min(Int(lengths.maxTxTime), interval - Self.required(for: lengths))
      lengths.maxTxTime = UInt16(max(available, Int(Self.leastCoded)))
    }
    return lengths
  }

  /// `connIntervalRequired`: microseconds of an interval that belong to the peer.
  private static func required(for lengths: LL.DataLength) -> Int {
    Int(2 * LL.interFrameSpace / 1_000) + min(Int(lengths.maxRxTime), Int(lengths.maxRxOctets) * 64 + 976)
  }

  /// `connIntervalCodedMin`, units of 1.25 ms: a central gives a link on LE Coded no shorter interval (5.1.1).
  func leastCodedInterval(_ end: LinkEnd, _ c: Connection) -> UInt16 {
    guard end.radio.configuration.maximumDataLength > 27 else { return 6 }
    let least = Self.required(for: effectiveLengths(of: end, c)) + Int(Self.leastCoded)
    return UInt16((least + 1_249) / 1_250)
  }

  /// A link begins: what it may send at first is nothing that a host has to be told.
  func beginDataLength(_ end: LinkEnd, _ c: Connection) {
    guard c.isCoded else { return }
    end.reportedLengths = effectiveLengths(of: end, c)
    end.effectiveTx = min(27, Self.octets(within: end.reportedLengths.maxTxTime, on: c.transmitPHY(of: end)))
  }

  /// Each end sends with the coding that its host has asked for last, from one event to the next.
  func takeCodings(_ c: Connection) {
    for end in [c.central, c.peripheral] where c.transmitPHY(of: end).coding.map({ $0 != end.coding }) ?? false {
      c.setPHY(of: end, .leCoded)
      updateDataLength(end, c)
    }
  }
}
