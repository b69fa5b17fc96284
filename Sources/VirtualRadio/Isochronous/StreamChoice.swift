import BluetoothWire

/// What the controller makes of the parameters that a host gives for a group (Vol 4, Part E, 7.8.97).
///
/// Decisions: the interval is the least multiple of both SDU intervals of at least 5 ms; where there is none of up to
/// 100 ms in steps of 1.25 ms, or the host wants it, the group is framed. LE 2M is preferred. As many subevents as the
/// wished retransmissions need, less where they do not fit. The flush timeouts use up the latency that the host allows,
/// up to eight events.
extension StreamGroup.Wish {
  private static let longestInterval: UInt32 = 100_000
  private static let mostFlushTimeout: UInt32 = 8
  private static let segmentHead = 5

  /// - Returns: nil when nothing fits.
  func plan(phys: HCI.PHYMask) -> StreamPlan? {
    switch self {
    case .test(let wish): StreamPlan(shapes(wish), isInterleaved: wish.common.packing == 1)
    case .parameters(let wish): choose(wish, phys: phys)
    }
  }

  private func shapes(_ wish: HCI.CIGTestParameters) -> [LL.CISRequest] {
    wish.streams.map { entry in
      LL.CISRequest(
        group: wish.common.group, stream: entry.stream, centralPHY: entry.centralPHY.rawValue,
        peripheralPHY: entry.peripheralPHY.rawValue,
        central: LL.StreamDirection(
          longestSDU: entry.centralSDU, sduInterval: wish.common.centralSDUInterval, longestPDU: entry.centralPDU,
          burst: entry.centralBurst, flushTimeout: wish.centralFlushTimeout),
        peripheral: LL.StreamDirection(
          longestSDU: entry.peripheralSDU, sduInterval: wish.common.peripheralSDUInterval,
          longestPDU: entry.peripheralPDU, burst: entry.peripheralBurst, flushTimeout: wish.peripheralFlushTimeout),
        isFramed: wish.common.framing == 1, subevents: entry.subevents, subinterval: 0, interval: wish.interval,
        offsetMinimum: 0, offsetMaximum: 0, event: 0)
    }
  }

  private func choose(_ wish: HCI.CIGParameters, phys: HCI.PHYMask) -> StreamPlan? {
    let common = wish.common
    let unframed = common.framing == 0 ? unframedInterval(wish) : nil
    let longest = max(common.centralSDUInterval, common.peripheralSDUInterval)
    let interval = unframed ?? max(5_000, (longest + 1_249) / 1_250 * 1_250)
    let isFramed = unframed == nil
    var subevents: [UInt8] = []
    var shapes: [LL.CISRequest] = []
    for entry in wish.streams {
      let central = direction(
        entry.centralSDU, every: common.centralSDUInterval, interval: interval, isFramed: isFramed)
      let peripheral = direction(
        entry.peripheralSDU, every: common.peripheralSDUInterval, interval: interval, isFramed: isFramed)
      guard let central, let peripheral, let centralPHY = best(entry.centralPHY, phys),
        let peripheralPHY = best(entry.peripheralPHY, phys)
      else { return nil }
      let wanted = max(
        Int(central.burst) * (1 + Int(entry.centralRetransmissions)),
        Int(peripheral.burst) * (1 + Int(entry.peripheralRetransmissions)), 1)
      subevents.append(UInt8(min(31, wanted)))
      shapes.append(
        LL.CISRequest(
          group: common.group, stream: entry.stream, centralPHY: centralPHY.rawValue,
          peripheralPHY: peripheralPHY.rawValue, central: central, peripheral: peripheral, isFramed: isFramed,
          subevents: 1, subinterval: 0, interval: UInt16(interval / 1_250), offsetMinimum: 0, offsetMaximum: 0,
          event: 0))
    }
    while true {
      for place in shapes.indices { shapes[place].subevents = subevents[place] }
      if let plan = StreamPlan(shapes, isInterleaved: common.packing == 1) {
        return flush(plan, wish, isInterleaved: common.packing == 1)
      }
      // The stream with the most subevents gives one away, down to what its payloads need.
      let spare = shapes.indices.filter {
        subevents[$0] > max(1, shapes[$0].central.burst, shapes[$0].peripheral.burst)
      }
      guard let place = spare.max(by: { subevents[$0] < subevents[$1] }) else { return nil }
      subevents[place] -= 1
    }
  }

  /// The least interval in microseconds for unframed PDUs; nil: there is none.
  private func unframedInterval(_ wish: HCI.CIGParameters) -> UInt32? {
    let used = [
      wish.streams.contains { $0.centralSDU > 0 } ? wish.common.centralSDUInterval : nil,
      wish.streams.contains { $0.peripheralSDU > 0 } ? wish.common.peripheralSDUInterval : nil,
    ].compactMap { $0 }
    return stride(from: 5_000, through: Self.longestInterval, by: 1_250).first { interval in
      used.allSatisfy { interval % $0 == 0 }
    }
  }

  private func direction(
    _ longestSDU: UInt16, every sduInterval: UInt32, interval: UInt32, isFramed: Bool
  ) -> LL.StreamDirection? {
    guard longestSDU > 0 else {
      return LL.StreamDirection(longestSDU: 0, sduInterval: sduInterval, longestPDU: 0, burst: 0, flushTimeout: 1)
    }
    let burst: Int
    let longestPDU: Int
    if isFramed {
      let sdus = Int((interval + sduInterval - 1) / sduInterval)
      let octets = sdus * (Int(longestSDU) + Self.segmentHead)
      // Each PDU may cut an SDU, which costs two octets more.
      burst = (octets + 248) / 249
      longestPDU = min(251, (octets + burst - 1) / burst + 2)
    } else {
      let pdus = (Int(longestSDU) + 250) / 251
      burst = pdus * Int(interval / sduInterval)
      longestPDU = (Int(longestSDU) + pdus - 1) / pdus
    }
    guard burst <= 15 else { return nil }
    return LL.StreamDirection(
      longestSDU: longestSDU, sduInterval: sduInterval, longestPDU: UInt16(longestPDU), burst: UInt8(burst),
      flushTimeout: 1)
  }

  private func best(_ wished: HCI.PHYMask, _ phys: HCI.PHYMask) -> HCI.PHYMask? {
    [.le2M, .le1M, .leCoded].first { wished.contains($0) && phys.contains($0) }
  }

  /// Flush timeouts as long as the latency allows; nil: not even one event does.
  private func flush(_ plan: StreamPlan, _ wish: HCI.CIGParameters, isInterleaved: Bool) -> StreamPlan? {
    var shapes = plan.shapes
    for place in shapes.indices {
      for (role, most) in [(HCI.Role.central, wish.centralLatency), (.peripheral, wish.peripheralLatency)] {
        let base = shapes[place].latency(of: role, groupSyncDelay: plan.syncDelay)
        let room = UInt32(most) * 1_000
        let isSilent = shapes[place].direction(of: role).burst == 0
        guard base <= room || isSilent else { return nil }
        let more = isSilent ? 0 : min(Self.mostFlushTimeout - 1, (room - base) / shapes[place].intervalTime)
        switch role {
        case .central: shapes[place].central.flushTimeout += UInt8(more)
        case .peripheral: shapes[place].peripheral.flushTimeout += UInt8(more)
        }
      }
    }
    return StreamPlan(shapes, isInterleaved: isInterleaved)
  }
}
