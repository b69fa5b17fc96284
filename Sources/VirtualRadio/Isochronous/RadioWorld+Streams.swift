import BluetoothWire
import SimKernel

/// Making and ending connected isochronous streams (Vol 6, Part B, 5.1.15, 5.1.16).
extension RadioWorld {
  /// LE features of both roles, and of the host (4.6): bits 28, 29, 32.
  static let streamFeatures: UInt64 = 1 << 28 | 1 << 29
  static let streamHostBit: UInt8 = 32
  /// The least CIS_Offset, microseconds (2.4.2.29).
  private static let leastOffset: UInt32 = 500
  /// By how much a stream begins after what the link may send in the event before it, microseconds. Decision.
  private static let offsetMargin: UInt32 = 300

  // MARK: Central

  /// Asks the peripheral for a stream.
  func beginStream(_ handle: HCI.ConnectionHandle, _ end: LinkEnd, _ c: Connection) {
    guard let (group, place) = end.radio.controller.streamGroup(of: handle) else { return finishProcedure(end, c) }
    if c.isParked { unpark(c) }
    c.newStream = nil
    let start = streamStart(group, place, end, c, from: nextInstant(c))
    var request = group.plan.shapes[place]
    request.event = start.event
    if group.reference == nil {
      request.offsetMinimum = Self.leastOffset
      request.offsetMaximum = max(start.offset, UInt32(clamping: c.interval.nanoseconds / 1_000))
    } else {
      (request.offsetMinimum, request.offsetMaximum) = (start.offset, start.offset)
    }
    send(.cisReq(request), end, c)
  }

  /// Where the first event of a stream may begin: a connection event from `instant` on, and microseconds from its
  /// anchor point. Streams of a group that is on the air keep to its grid.
  private func streamStart(
    _ group: StreamGroup, _ place: Int, _ end: LinkEnd, _ c: Connection, from instant: UInt16
  ) -> (event: UInt16, offset: UInt32, anchor: SimInstant) {
    let radio = end.radio
    let base = c.anchor + c.step * Int64(instant &- c.eventCounter)
    guard let reference = group.reference else {
      let longest =
        LL.airTime(payloadLength: c.central.effectiveTx + c.central.micLength, phy: c.centralPHY)
        + LL.airTime(payloadLength: c.peripheral.effectiveTx + c.peripheral.micLength, phy: c.peripheralPHY)
      let offset = max(
        Self.leastOffset, UInt32(clamping: (longest + LL.interFrameSpace) / 1_000) + Self.offsetMargin)
      return (instant, offset, base + radio.trueTime(.microseconds(Int64(offset))))
    }
    let step = radio.trueTime(.microseconds(Int64(group.plan.shapes[place].intervalTime)))
    let first = reference + radio.trueTime(.microseconds(Int64(group.plan.offsets[place])))
    let least = base + radio.trueTime(.microseconds(Int64(Self.leastOffset)))
    let rounds = max(0, ((least - first).nanoseconds + step.nanoseconds - 1) / step.nanoseconds)
    let anchor = first + step * rounds
    let events = max(0, (anchor - least).nanoseconds / c.step.nanoseconds)
    let span = radio.ownTime(anchor - (base + c.step * events))
    return (instant &+ UInt16(truncatingIfNeeded: events), UInt32(clamping: span.nanoseconds / 1_000), anchor)
  }

  /// LL_CIS_RSP: the central says when the stream begins.
  private func receiveStreamResponse(_ least: UInt32, _ most: UInt32, _ end: LinkEnd, _ c: Connection) {
    guard end.role == .central, case .createStream(let handle)? = end.procedure, c.newStream == nil,
      let (group, place) = end.radio.controller.streamGroup(of: handle)
    else { return }
    let radio = end.radio
    var start = streamStart(group, place, end, c, from: nextInstant(c))
    if group.reference == nil, least <= most, !(least...most).contains(start.offset) {
      let moved = min(max(start.offset, least), most)
      start.anchor =
        start.anchor + radio.trueTime(.microseconds(Int64(moved) - Int64(start.offset)))
      start.offset = moved
    }
    if group.reference == nil {
      group.reference = start.anchor - radio.trueTime(.microseconds(Int64(group.plan.offsets[place])))
    }
    let shape = group.plan.shapes[place]
    let indication = LL.CISIndication(
      accessAddress: newAccessAddress(
        &radio.isochronousDraws, hasCoded: shape.centralPHY == 4 || shape.peripheralPHY == 4), offset: start.offset,
      groupSyncDelay: group.plan.syncDelay,
      streamSyncDelay: group.plan.streamDelay(place), event: start.event)
    let now = timeline.now
    let stream = IsochronousStream(
      index: streams.count, connection: c, shape: shape, indication: indication,
      central: StreamEnd(radio: radio, role: .central, handle: handle, shape: shape, now: max(now, start.anchor)),
      peripheral: StreamEnd(
        radio: c.peripheral.radio, role: .peripheral, handle: c.peripheral.streamOffer?.handle ?? 0, shape: shape,
        now: max(now, start.anchor)),
      anchor: start.anchor)
    stream.peripheral.isPresent = false
    streams.append(stream)
    c.newStream = stream
    add(stream.central, stream)
    send(.cisInd(indication), end, c)
    scheduleSubevent(stream)
  }

  private func add(_ end: StreamEnd, _ s: IsochronousStream) {
    unparkAll(on: end.radio)
    end.radio.streams.append(s)
  }

  /// The peripheral does not want the stream, or cannot have it.
  func streamRefused(_ handle: HCI.ConnectionHandle, _ end: LinkEnd, reason: HCI.ErrorCode) {
    end.radio.controller.notEstablished(handle, reason: reason)
  }

  // MARK: What comes in

  func receiveOfStreams(_ end: LinkEnd, _ c: Connection, _ pdu: LL.ControlPDU) {
    guard end.radio.configuration.supportsStreams else { return send(.unknownRsp(opcode: pdu.opcode), end, c) }
    switch pdu {
    case .cisReq(let request) where end.role == .peripheral: offerStream(request, end, c)
    case .cisRsp(let least, let most, _): receiveStreamResponse(least, most, end, c)
    case .cisInd where end.role == .peripheral: enterStream(end, c)
    case .cisTerminateInd(let group, let id, let reason):
      for stream in end.radio.streams where stream.connection === c && stream.isNamed(group, id) {
        dropStream(stream, at: end.role, reason: reason)
      }
    default: send(.unknownRsp(opcode: pdu.opcode), end, c)
    }
  }

  private func offerStream(_ request: LL.CISRequest, _ end: LinkEnd, _ c: Connection) {
    func refuse(_ reason: HCI.ErrorCode) {
      send(.rejectExtInd(rejectOpcode: LL.ControlOpcode.cisReq, errorCode: reason), end, c)
    }
    guard end.radio.controller.hostSettings.has(Self.streamHostBit), c.programEnd == nil else {
      return refuse(.unsupportedRemoteFeature)
    }
    guard request.isValid else { return refuse(.invalidLLParameters) }
    let phys = end.radio.controller.supportedPHYs
    guard phys.contains(HCI.PHYMask(rawValue: request.centralPHY | request.peripheralPHY)) else {
      return refuse(.unsupportedLLParameterValue)
    }
    guard end.streamOffer == nil,
      !end.radio.streams.contains(where: { $0.connection === c && $0.isNamed(request.group, request.stream) })
    else { return refuse(.commandDisallowed) }
    guard let handle = end.radio.controller.offered(request, end) else { return refuse(.unsupportedRemoteFeature) }
    end.streamOffer = StreamOffer(request: request, handle: handle)
  }

  /// The peripheral's host has answered.
  func answerStreamOffer(_ reason: HCI.ErrorCode?, _ end: LinkEnd, _ c: Connection) {
    guard let offer = end.streamOffer else { return }
    if let reason {
      end.streamOffer = nil
      send(.rejectExtInd(rejectOpcode: LL.ControlOpcode.cisReq, errorCode: reason), end, c)
    } else {
      end.streamOffer?.isAccepted = true
      let request = offer.request
      send(
        .cisRsp(offsetMinimum: request.offsetMinimum, offsetMaximum: request.offsetMaximum, event: request.event), end,
        c)
    }
  }

  /// LL_CIS_IND: the peripheral takes part from the first event on.
  private func enterStream(_ end: LinkEnd, _ c: Connection) {
    guard let offer = end.streamOffer, offer.isAccepted, let stream = c.newStream else { return }
    assert(stream.peripheral.handle == offer.handle, "a stream has the handle that was offered")
    end.streamOffer = nil
    stream.peripheral.isPresent = true
    add(stream.peripheral, stream)
  }

  /// LL_CIS_IND was acknowledged.
  func streamIndicated(_ end: LinkEnd, _ c: Connection) {
    guard case .createStream? = end.procedure else { return }
    c.newStream = nil
    finishProcedure(end, c)
  }

  // MARK: The end

  /// LL_CIS_TERMINATE_IND of this end was acknowledged.
  func leaveStream(_ group: UInt8, _ id: UInt8, _ end: LinkEnd, _ c: Connection) {
    for stream in end.radio.streams where stream.connection === c && stream.isNamed(group, id) {
      dropStream(stream, at: end.role, reason: .connectionTerminatedByLocalHost)
    }
  }

  /// An end leaves a stream and tells its host.
  func dropStream(_ s: IsochronousStream, at role: HCI.Role, reason: HCI.ErrorCode) {
    let end = s.end(role)
    guard end.isPresent else { return }
    end.isPresent = false
    end.radio.streams.removeAll { $0 === s }
    if role == .central, let (group, _) = end.radio.controller.streamGroup(of: end.handle),
      !end.radio.streams.contains(where: { $0.shape.group == group.id && $0.central.radio === end.radio })
    {
      group.reference = nil
    }
    end.radio.controller.streamOver(end, reason: reason)
    if !s.central.isPresent, !s.peripheral.isPresent, let handle = s.handle {
      timeline.cancel(handle)
      s.handle = nil
    }
    var digest = digest
    digest.combine(UInt64(bitPattern: timeline.now.nanoseconds))
    digest.combine(UInt64(s.index) << 16 | UInt64(role.rawValue) << 8 | UInt64(reason.rawValue) | 1 << 48)
    self.digest = digest
  }

  /// A link is over, and with it what goes with it.
  func dropStreams(_ end: LinkEnd, _ c: Connection, reason: HCI.ErrorCode) {
    let controller = end.radio.controller
    let isNext = controller.creatingStreams.first?.link == end.handle
    let creations = controller.takeCreations(of: end.handle)
    let streams = end.radio.streams.filter { $0.connection === c }
    for stream in streams { dropStream(stream, at: end.role, reason: reason) }
    for handle in creations where !streams.contains(where: { $0.end(end.role).handle == handle }) {
      controller.notEstablished(handle, reason: reason)
    }
    end.streamOffer = nil
    if isNext { controller.createNextStream() }
  }
}

extension IsochronousStream {
  func isNamed(_ group: UInt8, _ id: UInt8) -> Bool { shape.group == group && shape.stream == id }
}
