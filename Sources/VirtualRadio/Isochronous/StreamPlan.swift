import BluetoothWire
import SimKernel

/// How the streams of a connected isochronous group lie in one of its events (Vol 6, Part B, 4.5.14): one after the
/// other, or interleaved.
struct StreamPlan {
  /// What LL_CIS_REQ says of each stream; offsets and event are those of a link, and not set here.
  let shapes: [LL.CISRequest]
  /// Microseconds from the reference point of the group to the anchor point of each stream.
  let offsets: [UInt32]
  /// Microseconds from the reference point to the end of the last PDU.
  let syncDelay: UInt32

  /// T_MSS, microseconds between a subevent and the next one (4.5.14.1).
  private static let subeventSpace: UInt32 = 150
  /// The least Sub_Interval where there are several subevents, microseconds.
  private static let leastSubinterval: UInt32 = 400

  /// - Returns: nil when the streams do not fit into their interval.
  init?(_ shapes: [LL.CISRequest], isInterleaved: Bool) {
    var shapes = shapes
    var offsets: [UInt32] = []
    var end: UInt32 = 0
    var reached: UInt32 = 0
    let lengths = shapes.map { $0.exchange + Self.subeventSpace }
    let round = max(lengths.reduce(0, +), Self.leastSubinterval)
    for place in shapes.indices {
      let subevents = UInt32(shapes[place].subevents)
      let subinterval = isInterleaved ? round : max(lengths[place], subevents > 1 ? Self.leastSubinterval : 0)
      shapes[place].subinterval = subevents > 1 ? subinterval : 0
      offsets.append(reached)
      let last = reached + (subevents - 1) * subinterval
      end = max(end, last + shapes[place].exchange)
      reached = isInterleaved ? reached + lengths[place] : last + lengths[place]
    }
    let interval = UInt32(shapes.first?.interval ?? 0) * 1_250
    guard !shapes.isEmpty, max(end, reached) <= interval else { return nil }
    (self.shapes, self.offsets, syncDelay) = (shapes, offsets, end)
  }

  /// Microseconds from the anchor point of a stream to the end of its group's last PDU: CIS_Sync_Delay.
  func streamDelay(_ place: Int) -> UInt32 { syncDelay - offsets[place] }
}

extension LL.CISRequest {
  /// Microseconds of a subevent in which both ends send as much as they may.
  var exchange: UInt32 {
    central.mostTime(on: LL.StreamDirection.phy(of: centralPHY))
      + UInt32(LL.interFrameSpace / 1_000) + peripheral.mostTime(on: LL.StreamDirection.phy(of: peripheralPHY))
  }

  /// What an end sends.
  func direction(of role: HCI.Role) -> LL.StreamDirection { role == .central ? central : peripheral }

  func phy(of role: HCI.Role) -> LL.AirPHY {
    LL.StreamDirection.phy(of: role == .central ? centralPHY : peripheralPHY)
  }

  /// Microseconds, 1.25 ms each.
  var intervalTime: UInt32 { UInt32(interval) * 1_250 }

  /// What HCI_LE_CIS_Established says of latency in one direction (Vol 6, Part G, 3.2): microseconds.
  func latency(of role: HCI.Role, groupSyncDelay: UInt32) -> UInt32 {
    let direction = direction(of: role)
    let flush = UInt32(direction.flushTimeout) * intervalTime
    return isFramed
      ? groupSyncDelay + flush + direction.sduInterval
      : groupSyncDelay + flush - min(flush, direction.sduInterval)
  }

  /// Whether a controller could make a stream of it (Vol 6, Part B, 2.4.2.29).
  var isValid: Bool {
    guard isKnown(centralPHY), isKnown(peripheralPHY), fits(central), fits(peripheral) else { return false }
    guard (1...31).contains(subevents), (4...3_200).contains(interval), offsetMinimum <= offsetMaximum else {
      return false
    }
    let span = UInt64(subinterval) * UInt64(subevents - 1) + UInt64(exchange)
    return span <= UInt64(intervalTime) && (subevents == 1 || subinterval >= exchange)
  }

  private func isKnown(_ phy: UInt8) -> Bool { phy == 1 || phy == 2 || phy == 4 }

  private func fits(_ direction: LL.StreamDirection) -> Bool {
    direction.burst <= subevents && direction.flushTimeout >= 1 && direction.longestPDU <= 251
      && (direction.burst == 0 || direction.sduInterval >= 0xFF)
  }
}

extension LL.StreamDirection {
  /// One bit as in LL_PHY_REQ; LE Coded is sent with eight symbols a bit.
  static func phy(of bit: UInt8) -> LL.AirPHY { bit == 2 ? .le2M : bit == 4 ? .codedS8 : .le1M }

  /// Microseconds of its longest PDU, with a MIC.
  func mostTime(on phy: LL.AirPHY) -> UInt32 {
    let octets = longestPDU == 0 ? 0 : Int(longestPDU) + 4
    return UInt32((LL.airTime(payloadLength: octets, phy: phy) + 999) / 1_000)
  }

  /// SDUs that go with an event of the stream.
  func sdusPerEvent(interval: UInt32) -> UInt32 { max(1, interval / max(1, sduInterval)) }

  /// Unframed PDUs that every SDU has.
  func pdusPerSDU(interval: UInt32) -> UInt64 {
    max(1, UInt64(burst) / UInt64(sdusPerEvent(interval: interval)))
  }
}
