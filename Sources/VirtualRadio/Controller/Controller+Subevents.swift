import BluetoothWire
import SimKernel

/// Periodic advertising with responses as hosts ask for it (Vol 4, Part E, 7.8.61 [v2], 7.8.125 … 7.8.127, 7.7.65.36,
/// 7.7.65.37).
extension Controller {
  /// Subevents that one command may give data for.
  private static let mostDataAtOnce = 15

  func executeSubevents(_ command: HCI.PeriodicCommand) {
    let whole = HCI.Command.periodic(command)
    switch command {
    case .leSetPeriodicAdvertisingParametersV2(let parameters, let subevents):
      complete(whole, status: set(parameters, subevents) ?? .success, [parameters.set])
    case .leSetPeriodicAdvertisingSubeventData(let set, let list):
      complete(whole, status: put(list, ofTrain: set) ?? .success, [set])
    case .leSetPeriodicAdvertisingResponseData(let answer):
      complete(whole, status: respond(answer) ?? .success, little(answer.handle))
    case .leSetPeriodicSyncSubevent(let choice):
      complete(whole, status: choose(choice) ?? .success, little(choice.handle))
    default: refuse(whole, .unknownCommand)
    }
  }

  // MARK: Advertiser

  /// All of the data are taken, or none.
  private func put(_ list: [HCI.SubeventData], ofTrain handle: HCI.AdvertisingHandle) -> HCI.ErrorCode? {
    guard handle <= Self.maximumSetHandle, (1...Self.mostDataAtOnce).contains(list.count) else {
      return .invalidParameters
    }
    guard let set = advertisingSet(handle) else { return .unknownAdvertisingIdentifier }
    guard let train = set.train, let plan = train.plan else { return .commandDisallowed }
    for data in list {
      guard data.subevent < plan.count, Int(data.firstSlot) + Int(data.slots) <= Int(plan.parameters.slots),
        list.count(where: { $0.subevent == data.subevent }) == 1
      else { return .invalidParameters }
    }
    // Nothing was asked for before it is on the air.
    guard train.isOnAir else { return .tooEarly }
    for data in list {
      if let problem = plan.problem(ofTime: data.subevent) { return problem }
      let octets = train.head(of: .auxSyncSubeventInd, power: 0).payloadLength + data.data.count
      let time = SimDuration.nanoseconds(LL.airTime(payloadLength: octets, phy: train.phy))
      if octets > LL.ExtendedPDU.maximumPayload || time > plan.timing.room(hasSlots: data.slots > 0) {
        return .packetTooLong
      }
    }
    for data in list { plan.data[Int(data.subevent)] = data }
    return nil
  }

  /// The link layer wants data of subevents.
  func askForData(_ set: Advertiser, from first: UInt8, count: Int) {
    emit(
      .periodic(
        .lePeriodicAdvertisingSubeventDataRequest(set.setHandle ?? 0, first: first, count: UInt8(clamping: count))))
  }

  /// The slots of a subevent are over: what came in each of them, in as many events as that needs. A response that is
  /// longer than an event comes in two.
  func report(_ slots: ResponseSlots, of set: Advertiser) {
    typealias Report = HCI.SubeventResponses
    var event = Report(set: set.setHandle ?? 0, subevent: slots.subevent)
    var octets = 0
    func add(_ response: Report.Response) {
      let count = Report.Response.headLength + response.data.count
      if octets + count > Report.maximumOctets { flush() }
      event.responses.append(response)
      octets += count
    }
    func flush() {
      emit(.periodic(.lePeriodicAdvertisingResponseReport(event)))
      event.responses.removeAll()
      octets = 0
    }
    for (index, outcome) in slots.outcomes.enumerated() {
      var response = Report.Response(slot: slots.first + UInt8(index), status: .missed)
      guard case .heard(let pdu, let rssi) = outcome else {
        add(response)
        continue
      }
      (response.txPower, response.rssi) = (pdu.txPower ?? 127, rssi)
      var rest = pdu.data[...]
      repeat {
        response.data = Array(rest.prefix(Report.maximumLength))
        rest = rest.dropFirst(response.data.count)
        response.status = rest.isEmpty ? .complete : .incomplete
        add(response)
      } while !rest.isEmpty
    }
    flush()
  }

  // MARK: Scanner

  private func respond(_ answer: HCI.SubeventAnswer) -> HCI.ErrorCode? {
    guard let sync = sync(answer.handle) else { return .unknownAdvertisingIdentifier }
    guard let timing = sync.timing, timing.subevents.slotDelay > 0 else { return .commandDisallowed }
    let subevents = timing.subevents
    guard answer.requestSubevent < subevents.count, answer.subevent < subevents.count,
      subevents.slotSpacing > 0 || answer.slot == 0,
      subevents.span(toSlot: Int(answer.slot)) < subevents.span(toSubevent: 1)
    else { return .invalidParameters }
    let octets = sync.response(answer.data, power: 0).payloadLength
    let time = SimDuration.nanoseconds(LL.airTime(payloadLength: octets, phy: sync.phy))
    if octets > LL.ExtendedPDU.maximumPayload || time > subevents.room(inSlot: Int(answer.slot)) {
      return .packetTooLong
    }
    return world.respond(answer, sync, timing)
  }

  private func choose(_ choice: HCI.SubeventChoice) -> HCI.ErrorCode? {
    guard (1...128).contains(choice.subevents.count) else { return .invalidParameters }
    guard let sync = sync(choice.handle) else { return .unknownAdvertisingIdentifier }
    guard let timing = sync.timing else { return .commandDisallowed }
    let sorted = choice.subevents.sorted()
    guard sorted.allSatisfy({ $0 < timing.subevents.count }), Set(sorted).count == sorted.count else {
      return .invalidParameters
    }
    sync.responsesHavePower = choice.includesTxPower
    world.choose(sorted, sync)
    return nil
  }

  /// Whether the host gets version 2 of an event of trains, by its code: it has not masked it, and the controller has
  /// subevents. Version 1 is not sent then.
  func usesVersion2(_ subevent: UInt8) -> Bool {
    linkFeatures >> 44 & 1 == 1 && masks.admits(le: subevent)
  }

  /// AUX_SYNC_SUBEVENT_IND of a subevent that its host has chosen did not come in.
  func reportMissed(_ sync: PeriodicSync, event: UInt16, subevent: UInt8) {
    guard sync.timing != nil, sync.isEstablished, sync.hasChosen, sync.reports, usesVersion2(0x25) else { return }
    let report = HCI.PeriodicAdvertisingReport(handle: sync.handle, rssi: 127, status: .missed, data: [])
    emit(.periodic(.lePeriodicAdvertisingReportV2(.init(report, eventCounter: event, subevent: subevent))))
  }
}
