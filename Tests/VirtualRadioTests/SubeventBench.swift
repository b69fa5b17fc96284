import BluetoothWire
import RadioLaws
import SimKernel

@testable import VirtualRadio

/// A train with subevents, an advertiser's host that gives data whenever it is asked, and scanners' hosts that answer.
final class SubeventRoom {
  let bench: RadioBench
  /// What the advertiser's host gives when it is asked for a subevent; nil: nothing.
  var give: (UInt8) -> HCI.SubeventData? = { HCI.SubeventData(subevent: $0, firstSlot: 0, slots: 3, data: [2, 1, $0]) }
  /// What a scanner's host answers to a report: subevent, slot and data.
  var answer: (Int, HCI.SubeventReport) -> (subevent: UInt8, slot: UInt8, data: [UInt8])? = { _, _ in nil }
  private(set) var answerStatuses: [HCI.ErrorCode] = []
  /// What the advertiser's host was asked for.
  var requests: [(at: SimInstant, first: UInt8, count: UInt8)] = []

  static let timing = HCI.SubeventTiming(count: 5, interval: 12, slotDelay: 4, slotSpacing: 8)

  init(
    _ count: Int = 2, timing: HCI.SubeventTiming = SubeventRoom.timing, slots: UInt8 = 3, period: UInt16 = 80,
    environment: RadioEnvironment = .lossless, seed: UInt64 = 1, phy: HCI.AdvertisingPHY = .le1M, steps: Bool = false,
    wantsAir: Bool = true, _ change: (inout RadioConfiguration, Int) -> Void = { _, _ in }
  ) {
    let radios = RadioBench.radios(count) { radio, index in
      radio.supportsPeriodicResponses = true
      radio.supportsCoded = phy == .leCoded
      change(&radio, index)
    }
    bench = RadioBench(radios, environment: environment, seed: seed, wantsAir: wantsAir, stepsIdleEvents: steps)
    bench.onMessage = { [unowned self] device, message in
      guard case .event(let event) = message else { return }
      react(device, event)
    }
    bench.advertise(0, ExtendedAdvertising(data: [2, 1, 6], secondaryPHY: phy))
    bench.periodic(
      0,
      .leSetPeriodicAdvertisingParametersV2(
        .init(set: 0, intervalMinimum: period, intervalMaximum: period), .init(timing: timing, slots: slots)))
  }

  private func react(_ device: Int, _ event: HCI.Event) {
    switch event {
    case .periodic(.lePeriodicAdvertisingSubeventDataRequest(_, let first, let count)):
      requests.append((bench.timeline.now, first, count))
      guard let plan = bench.world.radios[0].advertisers[0].train?.plan else { return }
      let list = (0..<Int(count)).compactMap { give(plan.subevent($0, after: first)) }
      if !list.isEmpty { submit(0, .leSetPeriodicAdvertisingSubeventData(0, list)) }
    case .periodic(.lePeriodicAdvertisingReportV2(let report)):
      guard report.report.status == .complete, let wanted = answer(device, report) else { return }
      submit(
        device,
        .leSetPeriodicAdvertisingResponseData(
          .init(
            handle: report.report.handle, requestEvent: report.eventCounter, requestSubevent: report.subevent,
            subevent: wanted.subevent, slot: wanted.slot, data: wanted.data)))
    case .commandComplete(.leSetPeriodicAdvertisingResponseData, let status, _): answerStatuses.append(status)
    default: break
    }
  }

  /// The bench drains what is waiting after a message, the answer to this with it.
  private func submit(_ device: Int, _ command: HCI.PeriodicCommand) {
    bench.world.controllers[device].submit(.periodic(command))
  }

  /// The train begins, and scanners follow it; then nobody advertises or scans.
  func begin(_ scanners: [Int]? = nil, skip: UInt16 = 0) {
    bench.periodic(0, .leSetPeriodicAdvertisingEnable(.on, 0))
    let scanners = scanners ?? Array(1..<bench.world.radios.count)
    for device in scanners { bench.follow(device, RadioBench.syncCreation(skip: skip, timeout: 1_000)) }
    bench.run(until: bench.timeline.now + .seconds(10)) { scanners.allSatisfy { handle($0) != nil } }
    for device in scanners { bench.extended(device, .leSetExtendedScanEnable(.init(isEnabled: false))) }
    bench.extended(0, .leSetExtendedAdvertisingEnable(false, []))
  }

  func forget() {
    for device in bench.events.indices { bench.events[device].removeAll() }
    bench.air.removeAll()
    requests.removeAll()
    answerStatuses.removeAll()
  }

  /// What a scanner has synchronised with last.
  func synchronised(_ device: Int) -> (sync: HCI.PeriodicSyncEstablished, timing: HCI.SubeventTiming)? {
    for (_, event) in bench.events[device].reversed() {
      if case .periodic(.lePeriodicAdvertisingSyncEstablishedV2(let sync, let timing)) = event { return (sync, timing) }
    }
    return nil
  }

  private var handles: [Int: HCI.SyncHandle] = [:]
  func handle(_ device: Int) -> HCI.SyncHandle? {
    if let found = synchronised(device), found.sync.status == .success { handles[device] = found.sync.handle }
    return handles[device]
  }

  @discardableResult
  func choose(_ device: Int, _ subevents: [UInt8], power: Bool = false) -> HCI.ErrorCode? {
    var choice = HCI.SubeventChoice(handle: handle(device) ?? 0, subevents: subevents)
    choice.properties = power ? 0x40 : 0
    return bench.answer(device, .leSetPeriodicSyncSubevent(choice))
  }

  func reports(_ device: Int) -> [HCI.SubeventReport] {
    bench.events[device].compactMap {
      if case .periodic(.lePeriodicAdvertisingReportV2(let report)) = $0.event { report } else { nil }
    }
  }

  /// What the advertiser heard of slots.
  var heard: [HCI.SubeventResponses] {
    bench.events[0].compactMap {
      if case .periodic(.lePeriodicAdvertisingResponseReport(let report)) = $0.event { report } else { nil }
    }
  }

  /// The data of responses that came in whole.
  var whole: [[UInt8]] { heard.flatMap(\.responses).filter { $0.status == .complete }.map(\.data) }
}
