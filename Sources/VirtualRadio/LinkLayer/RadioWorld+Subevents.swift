import BluetoothWire
import SimKernel

/// The advertiser's side of periodic advertising with responses (Vol 6, Part B, 4.4.2.12): subevents, and the slots in
/// which responses come.
///
/// Not modelled: AUX_CONNECT_REQ in a subevent, responses of programs.
extension RadioWorld {
  /// What an advertiser takes a responder's clock to be off at most, parts per million: nothing has told it.
  private static let worstAccuracy: Int64 = 500

  /// A train of subevents begins: data of the first ones are asked for.
  func beginSubevents(_ set: Advertiser, _ plan: SubeventTrain) {
    subeventSets.append(set)
    plan.subevent = 0
    set.radio.controller.askForData(set, from: 0, count: plan.ahead)
  }

  func endSubevents(_ set: Advertiser, _ plan: SubeventTrain) {
    subeventSets.removeAll { $0 === set }
    if let handle = plan.handle { timeline.cancel(handle) }
    (plan.handle, plan.slots, plan.isOnAir) = (nil, nil, false)
    plan.data = plan.data.map { _ in nil }
  }

  /// The start of the next subevent that has not begun; those before it are left out.
  func nextSubevent(_ set: Advertiser, _ train: PeriodicTrain, _ plan: SubeventTrain) -> SimInstant {
    while true {
      let start =
        plan.subevent == 0
        ? train.nextStart : plan.eventStart + set.radio.trueTime(plan.timing.span(toSubevent: plan.subevent))
      if start >= timeline.now { return start }
      beginSubevent(set, train, plan)
      leaveOut(set, plan)
    }
  }

  /// Its channel, and the counter of its event.
  func beginSubevent(_ set: Advertiser, _ train: PeriodicTrain, _ plan: SubeventTrain) {
    if plan.subevent == 0 {
      (plan.eventStart, plan.eventCounter) = (train.nextStart, train.counter)
      train.skip(before: set.radio.trueTime(train.interval))
    }
    train.beginSubevent(plan.subevent, of: plan.eventCounter)
    // What was kept for slots of the subevent before counts no longer.
    if set.radio.busyUntil == plan.keptUntil { set.radio.busyUntil = min(plan.keptUntil, timeline.now) }
  }

  /// The present subevent is not sent.
  func leaveOut(_ set: Advertiser, _ plan: SubeventTrain) {
    if plan.data[Int(plan.subevent)] != nil {
      var responses = HCI.SubeventResponses(set: set.setHandle ?? 0, subevent: plan.subevent)
      responses.transmitStatus = 1
      set.radio.controller.emit(.periodic(.lePeriodicAdvertisingResponseReport(responses)))
    }
    subeventOver(set, plan)
  }

  /// AUX_SYNC_SUBEVENT_IND is out: slots are listened to where its host wants that.
  func awaitResponses(_ set: Advertiser, _ train: PeriodicTrain, _ plan: SubeventTrain) {
    if let data = plan.data[Int(plan.subevent)], data.slots > 0 {
      plan.slots = ResponseSlots(data, on: train.channelIndex, start: train.pduStart)
      awaitSlot(set, plan)
    }
    subeventOver(set, plan)
  }

  /// Its data are gone, and the host is asked for those of another one.
  private func subeventOver(_ set: Advertiser, _ plan: SubeventTrain) {
    let subevent = plan.subevent
    plan.isOnAir = false
    plan.data[Int(subevent)] = nil
    plan.subevent = plan.subevent(1, after: subevent)
    set.radio.controller.askForData(set, from: plan.subevent(plan.ahead, after: subevent), count: 1)
  }

  // MARK: Slots

  private func slotStart(_ set: Advertiser, _ plan: SubeventTrain, _ slots: ResponseSlots, _ index: Int) -> SimInstant {
    slots.start + set.radio.trueTime(plan.timing.span(toSlot: Int(slots.first) + index))
  }

  private func widening(_ set: Advertiser, _ plan: SubeventTrain, _ slots: ResponseSlots, _ index: Int) -> SimDuration {
    set.radio.widening(after: plan.timing.span(toSlot: Int(slots.first) + index), peer: Self.worstAccuracy)
  }

  /// The next slot, or the end of the last one.
  private func awaitSlot(_ set: Advertiser, _ plan: SubeventTrain) {
    guard let slots = plan.slots else { return }
    var instant = slotStart(set, plan, slots, slots.begun)
    if slots.begun < slots.outcomes.count {
      instant = instant - widening(set, plan, slots, slots.begun)
    } else if plan.timing.slotSpacing == 0 {
      instant = slots.start + set.radio.trueTime(plan.timing.span(toSubevent: 1))
    }
    plan.handle = schedule(
      .responseSlot, set.radio.index, at: max(timeline.now, instant), argument: UInt64(set.index))
  }

  /// A slot begins for its advertiser, or the last one is over.
  func responseSlot(_ set: Advertiser) {
    guard let train = set.train, let plan = train.plan, let slots = plan.slots else { return }
    plan.handle = nil
    let index = slots.begun
    guard index < slots.outcomes.count else {
      plan.slots = nil
      return set.radio.controller.report(slots, of: set)
    }
    plan.slots?.begun += 1
    let (radio, now) = (set.radio, timeline.now)
    let last = slotStart(set, plan, slots, index) + widening(set, plan, slots, index)
    // What it keeps for the slot before is no hindrance.
    let from = radio.busyUntil == plan.keptUntil ? max(now, plan.keptUntil) : now
    let end = max(from, last + Self.detection(train.phy))
    if from > now { radio.busyUntil = now }
    if hasTime(radio, from: now, to: end) {
      plan.slots?.outcomes[index] = .silent
      radio.meter.add(transmit: .zero, receive: end - from, from: from, to: end)
      (radio.busyUntil, plan.keptUntil) = (end, end)
    }
    awaitSlot(set, plan)
  }

  /// A response begins: whether an advertiser listens for it.
  func startOfResponse(_ response: SubeventResponse, until end: SimInstant) {
    response.listener = nil
    guard let set = subeventSets.first(where: { $0.train?.plan?.accessAddress == response.accessAddress }),
      let train = set.train, let plan = train.plan, let slots = plan.slots,
      slots.channelIndex == response.channelIndex, train.phy.phy == response.sync.phy.phy, set.radio.isOn
    else { return }
    let now = timeline.now
    let places = slots.outcomes.indices.prefix(slots.begun)
    guard let index = places.min(by: { distance(now, $0) < distance(now, $1) }),
      now >= slotStart(set, plan, slots, index) - widening(set, plan, slots, index),
      now <= slotStart(set, plan, slots, index) + widening(set, plan, slots, index),
      case .silent = slots.outcomes[index], set.radio.busyUntil == plan.keptUntil
    else { return }
    func distance(_ instant: SimInstant, _ index: Int) -> Int64 {
      abs((instant - slotStart(set, plan, slots, index)).nanoseconds)
    }
    response.listener = set
    response.slotIndex = index
    if end > plan.keptUntil {
      let from = plan.keptUntil
      set.radio.meter.add(transmit: .zero, receive: end - from, from: from, to: end)
      (set.radio.busyUntil, plan.keptUntil) = (end, end)
    }
  }

  /// It is over.
  func endOfResponse(_ response: SubeventResponse) {
    let (radio, now) = (response.sync.radio, timeline.now)
    var fate = Reception.unheard
    if let set = response.listener, let train = set.train, let plan = train.plan {
      fate =
        radio.isOn && set.radio.isOn
        ? medium.judge(
          from: radio.index, to: set.radio.index, channel: Int(LL.rfChannel(dataChannelIndex: response.channelIndex)),
          start: response.start, end: now, phy: response.sync.phy) : medium.lose(.level, .unheard)
      let isOfThis = plan.slots.map { $0.start <= response.start && $0.outcomes.indices.contains(response.slotIndex) }
      if fate == .received, isOfThis == true, case .silent? = plan.slots?.outcomes[response.slotIndex],
        let pdu = try? LL.ExtendedPDU(decoding: response.pdu, as: .auxSyncSubeventRsp)
      {
        let level = set.radio.controller.atAntenna(rssi(from: radio.index, to: set.radio.index))
        plan.slots?.outcomes[response.slotIndex] = .heard(pdu, rssi: level)
      }
    }
    traceAdvertising(
      radio, pdu: response.pdu, start: response.start, end: now, channelIndex: response.channelIndex,
      phy: response.sync.phy, receiver: response.listener?.radio.index, fate: fate.fate,
      isJudged: response.listener != nil, auxiliary: .auxSyncSubeventRsp, accessAddress: response.accessAddress,
      crcInit: response.sync.info.crcInit)
  }
}
