import BluetoothWire
import SimKernel
import VirtualRadio

/// Periodic advertising with responses.
extension RadioLaw {
  static let responseSlots = RadioLaw(
    name: "response-slots",
    claim: "Scanners that draw their response slots are heard as often as nobody else has drawn the same one",
    source: "slotted ALOHA with a frame: F. C. Schoute, Dynamic Frame Length ALOHA, IEEE Transactions on "
      + "Communications 31, 1983; Core 5.4, Vol 6, Part B, 4.4.2.12",
    form: "(1 − 1/slots)^(scanners − 1)", tolerance: LawPoint.standardErrorsText, unit: "% of responses", decimals: 2,
    counterexample: .radio { configuration, index in configuration.transmitPower = index * 1_500 },
    measure: { distortion in
      var points: [LawPoint] = []
      for (scanners, slots) in [(1, 1), (2, 4), (5, 5), (8, 24), (16, 10)] as [(Int, UInt8)] {
        // All of them are as far from the advertiser, so none is stronger than the others.
        let bench = distortion.bench(scanners + 1, seed: 60) { configuration, index in
          configuration.supportsPeriodicResponses = true
          configuration.position = Position(x: index == 0 ? 0 : 300, y: 0)
        }
        let events = 400
        let heard = try bench.responses(scanners: scanners, slots: slots, events: events)
        var samples = Samples()
        for count in heard { samples.add(100 * Double(count) / Double(scanners)) }
        let share = RealNumbers.power(1 - 1 / Double(slots), scanners - 1)
        let label = "\(scanners) scanners, \(slots) slots"
        points.append(
          scanners == 1 ? .exact(label, 100 * share, samples.mean) : .mean(label, 100 * share, samples))
      }
      return Outcome(points)
    })
}

extension RadioBench {
  /// Device 0 has a train of one subevent; the others follow it, and answer each time in a slot that they draw.
  /// - Returns: how many responses came in whole, by event.
  fileprivate func responses(scanners: Int, slots: UInt8, events count: Int) throws -> [Int] {
    var draws = RandomStream(seed: 61, component: "hosts", purpose: "slots")
    onMessage = { [unowned self] device, message in
      guard case .event(.periodic(let event)) = message else { return }
      switch event {
      case .lePeriodicAdvertisingSubeventDataRequest:
        submit(0, .leSetPeriodicAdvertisingSubeventData(0, [.init(subevent: 0, slots: slots, data: [1])]))
      case .lePeriodicAdvertisingReportV2(let report) where report.report.status == .complete:
        submit(
          device,
          .leSetPeriodicAdvertisingResponseData(
            .init(
              handle: report.report.handle, requestEvent: report.eventCounter, requestSubevent: 0, subevent: 0,
              slot: UInt8(draws.below(UInt64(slots))), data: [UInt8(device)])))
      default: break
      }
    }
    beginSubevents(slots: slots, scanners: scanners)
    let isThere = run(until: timeline.now + .seconds(60)) { synchronised == scanners }
    guard isThere else { throw Unmeasurable("a scanner has not found the train") }
    enable(false, scanners: scanners)
    run(for: .milliseconds(150))
    events[0].removeAll(keepingCapacity: true)
    run(for: .milliseconds(100) * Int64(count))
    onMessage = nil
    return events[0].compactMap {
      guard case .periodic(.lePeriodicAdvertisingResponseReport(let report)) = $0.event else { return nil }
      return report.responses.count { $0.status == .complete }
    }
  }

  /// A command within a message: what answers it is taken with the next one.
  private func submit(_ device: Int, _ command: HCI.PeriodicCommand) {
    world.controllers[device].submit(.periodic(command))
  }

  private func beginSubevents(slots: UInt8, scanners: Int) {
    let parameters = HCI.ExtendedAdvertisingParameters(
      set: 0, properties: [], intervalMinimum: 32, intervalMaximum: 32)
    command(0, .extended(.leSetExtendedAdvertisingParameters(parameters)))
    command(0, .extended(.leSetAdvertisingSetRandomAddress(0, Self.address(0))))
    let timing = HCI.SubeventTiming(count: 1, interval: 80, slotDelay: 4, slotSpacing: 8)
    command(
      0,
      .periodic(
        .leSetPeriodicAdvertisingParametersV2(
          .init(set: 0, intervalMinimum: 80, intervalMaximum: 80), .init(timing: timing, slots: slots))))
    command(0, .periodic(.leSetPeriodicAdvertisingEnable(.on, 0)))
    let time = HCI.ExtendedScanParameters.OnePHY(isActive: false, interval: 0x4000, window: 0x4000)
    for device in 1...scanners {
      command(device, .extended(.leSetExtendedScanParameters(.init(phys: .le1M, entries: [time]))))
      command(
        device,
        .periodic(
          .lePeriodicAdvertisingCreateSync(
            .init(advertiser: .init(address: Self.address(0), sid: 0), timeout: 1_000))))
    }
    enable(true, scanners: scanners)
  }

  private func enable(_ isOn: Bool, scanners: Int) {
    command(0, .extended(.leSetExtendedAdvertisingEnable(isOn, [.init(set: 0)])))
    for device in 1...scanners { command(device, .extended(.leSetExtendedScanEnable(.init(isEnabled: isOn)))) }
  }

  /// Scanners that follow the train.
  private var synchronised: Int {
    events.count { list in
      list.contains {
        if case .periodic(.lePeriodicAdvertisingSyncEstablishedV2(let sync, _)) = $0.event {
          sync.status == .success
        } else {
          false
        }
      }
    }
  }
}
