import Bench
import BluetoothWire
import SimKernel
import VirtualRadio

/// Links and searches that the air explains, where it is recorded: nearly everything that one device sent to another
/// one was lost for one cause.
extension CircumstanceBook {
  /// The sender and the receiver of PDUs, or a device and its peer.
  struct Ends: Hashable, Sendable {
    var from: Int
    var to: Int

    var reversed: Ends { Ends(from: to, to: from) }
    /// The same in both directions.
    var pair: Ends { from < to ? self : reversed }
  }

  /// Links of a device with a peer that ended because one end heard nothing of the other, for one cause.
  struct DeadLinks: Sendable {
    var count: Int
    var cause: PDULoss
    /// Who did not hear whom.
    var ends: Ends
    /// When the newest one ended.
    var instant: SimInstant
  }

  struct Air: Sendable {
    /// On links.
    var lost: [Ends: LostPDUs] = [:]
    /// Advertising that a device listened to.
    var unheard: [Ends: LostPDUs] = [:]
    /// By a device and its peer.
    var dead: [Ends: DeadLinks] = [:]
    /// Connection intervals of CONNECT_IND, and what such links carry, for each pair of devices.
    var intervals: [Ends: SimDuration] = [:]
    /// Supervision timeouts of CONNECT_IND, until the parameters of the link change.
    var timeouts: [Ends: SimDuration] = [:]
    /// Requests to connect that have not come, since the newest that has.
    var unasked: [Ends: LostPDUs] = [:]
    var busy: [Ends: BusyLink] = [:]
    /// Links that last though the sender is too far away, in `kept`.
    var farAway: [Ends: Int] = [:]
  }

  /// After so long a link whose clocks drift apart is another one.
  private static let patience = SimDuration.seconds(10)

  mutating func read(_ pdu: AirPDU, _ record: TraceRecord) {
    guard let receiver = pdu.receiver else {
      for listener in pdu.listeners { advertises(pdu, to: listener) }
      return
    }
    let ends = Ends(from: pdu.transmitter, to: receiver)
    if pdu.accessAddress == LL.advertisingAccessAddress { return asksToConnect(pdu, ends, record) }
    guard let loss = pdu.loss else {
      carries(pdu, ends, record)
      return arrives(ends, record)
    }
    if air.lost[ends]?.accessAddress != pdu.accessAddress { air.lost[ends] = LostPDUs(of: pdu.accessAddress) }
    air.lost[ends]?.add(loss, rfChannel: pdu.rfChannel, level: pdu.rssi, sensitivity: pdu.sensitivity)
    if loss == .level { isOutOfRange(ends, record) }
  }

  // MARK: Links

  /// A link works again in the direction in which it did not.
  private mutating func arrives(_ ends: Ends, _ record: TraceRecord) {
    air.lost[ends] = nil
    if let place = air.farAway.removeValue(forKey: ends), kept[place].end == nil { close(place, record) }
    for pair in [ends, ends.reversed] {
      guard let dead = air.dead[pair], dead.ends == ends else { continue }
      // Clocks need some time to drift apart.
      if case .outsideWindow = dead.cause, record.instant - dead.instant < Self.patience { continue }
      air.dead[pair] = nil
      close(record) { $0.kind == .lossyLink && $0.device == pair.from && $0.peer == pair.to }
    }
  }

  /// A link has ended, or was never established, because an end received nothing: the second time for one cause that is
  /// told. Clocks that drift apart are told at once.
  mutating func endsForWantOfPackets(_ peer: Int?, _ reason: HCI.ErrorCode, _ record: TraceRecord) {
    guard reason == .connectionTimeout || reason == .connectionFailedToBeEstablished, let peer else { return }
    if reason == .connectionFailedToBeEstablished { isNotAsked(peer, record) }
    let pair = Ends(from: record.device, to: peer)
    let known = [pair, pair.reversed].compactMap { ends in air.lost[ends].map { (ends: ends, lost: $0) } }
    guard let most = known.max(by: { $0.lost.count < $1.lost.count }), most.lost.count > 0 else {
      // The other end is gone.
      air.dead[pair] = nil
      if air.unasked[pair]?.cause != nil { return }
      return close(record) { $0.kind == .lossyLink && $0.device == pair.from && $0.peer == pair.to }
    }
    guard let cause = most.lost.cause else { return }
    let before = air.dead[pair].flatMap { $0.cause == cause && $0.ends == most.ends ? $0.count : nil } ?? 0
    air.dead[pair] = DeadLinks(count: before + 1, cause: cause, ends: most.ends, instant: record.instant)
    var isClock = false
    if case .outsideWindow = cause { isClock = true }
    guard before > 0 || isClock else { return }
    let links =
      before == 0
      ? "the link of \(name(pair.from)) with \(name(peer)) has"
      : "\(before + 1) links of \(name(pair.from)) with \(name(peer)) have"
    let words = most.lost.words(
      "PDUs from \(name(most.ends.from)) to \(name(most.ends.to))", to: name(most.ends.to), header)
    say(
      .lossyLink, peer: peer, link: nil,
      "\(links) ended for want of packets: \(before == 0 ? "" : "of the last one, ")\(words)", record)
  }

  // MARK: Searches

  private mutating func advertises(_ pdu: AirPDU, to listener: AirPDU.Listener) {
    let ends = Ends(from: pdu.transmitter, to: listener.device)
    guard let loss = listener.loss else {
      // What was not heard until now explains why it took its time.
      guard air.unheard[ends] != nil else { return }
      for place in open where kept[place].device == ends.to { kept[place].text += unheard(kept[place], by: ends.from) }
      return air.unheard[ends] = nil
    }
    air.unheard[ends, default: LostPDUs(of: pdu.accessAddress)].add(
      loss, rfChannel: pdu.rfChannel, level: listener.rssi, sensitivity: listener.sensitivity,
      distance: listener.distance)
  }

  /// Why a device that listens does not hear its peer's advertising; empty: it does, or there is not one cause.
  /// - Parameter sender: nil: of any.
  func unheard(_ circumstance: Circumstance, by sender: Int? = nil) -> String {
    guard circumstance.kind == .notFound || circumstance.kind == .connecting, let peer = circumstance.peer,
      sender ?? peer == peer,
      let lost = air.unheard[Ends(from: peer, to: circumstance.device)], lost.cause != nil
    else { return "" }
    let receiver = name(circumstance.device)
    return "; of what \(name(peer)) advertises " + lost.words("PDUs that \(receiver) listened to", to: receiver, header)
  }

  private mutating func asksToConnect(_ pdu: AirPDU, _ ends: Ends, _ record: TraceRecord) {
    guard case .connectInd(let connect)? = try? LL.AdvertisingPDU(decoding: pdu.pdu) else { return }
    if let loss = pdu.loss {
      air.unasked[ends, default: LostPDUs(of: pdu.accessAddress, least: 3)].add(
        loss, rfChannel: pdu.rfChannel, level: pdu.rssi, sensitivity: pdu.sensitivity)
      return
    }
    if air.unasked.removeValue(forKey: ends) != nil, air.dead[ends] == nil {
      close(record) { $0.kind == .lossyLink && $0.device == ends.from && $0.peer == ends.to }
    }
    setInterval(ends, connect.interval)
    air.timeouts[ends.pair] = .milliseconds(10) * Int64(connect.timeout)
  }

  /// Requests to connect that never came, for one cause: no link of them is established.
  private mutating func isNotAsked(_ peer: Int, _ record: TraceRecord) {
    let ends = Ends(from: record.device, to: peer)
    guard let lost = air.unasked[ends], lost.cause != nil else { return }
    let words = lost.words("requests to connect from \(name(ends.from))", to: name(peer), header)
    say(.lossyLink, peer: peer, link: nil, "\(name(ends.from)) gets no link with \(name(peer)): \(words)", record)
  }
}
