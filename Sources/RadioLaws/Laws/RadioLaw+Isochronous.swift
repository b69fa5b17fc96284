import BluetoothWire
import SimKernel
import VirtualRadio

/// Connected isochronous streams.
extension RadioLaw {
  static let streamFlush = RadioLaw(
    name: "stream-flush",
    claim: "An SDU of a stream is lost when each of the PDUs that its subevents bring is, and not otherwise",
    source: "Core 5.4, Vol 6, Part B, 4.5.13: BN = 1, FT = 1; independent losses",
    form: "p^NSE", tolerance: LawPoint.standardErrorsText, unit: "% lost", decimals: 2,
    counterexample: .room { $0.packetLoss = Ratio($0.packetLoss.numerator * 5, $0.packetLoss.denominator * 4) },
    measure: { distortion in
      var points: [LawPoint] = []
      for (percent, subevents) in [(20, 1), (50, 1), (50, 2), (50, 4)] {
        var room = RadioEnvironment.lossless
        room.packetLoss = Ratio(UInt64(percent), 100)
        let sent = 4_000
        let lost = try distortion.lostSDUs(of: sent, in: room, subevents: UInt8(subevents))
        points.append(
          .share(
            "\(percent) % of PDUs, NSE \(subevents)",
            RealNumbers.power(Double(percent) / 100, subevents), hits: lost, of: sent))
      }
      return Outcome(points)
    })
}

extension Distortion {
  /// SDUs of a stream from device 0 to device 1 that do not arrive.
  fileprivate func lostSDUs(of count: Int, in room: RadioEnvironment, subevents: UInt8) throws -> Int {
    let bench = bench(2, seed: 5) { radio, _ in radio.supportsStreams = true }
    for device in 0...1 { bench.command(device, .general(.leSetHostFeature(bit: 32, value: 1))) }
    guard let (central, _) = bench.connect(0, to: 1, interval: 80, timeout: 3_200) else {
      throw Unmeasurable("no link")
    }
    bench.onMessage = { [unowned bench] device, message in
      guard case .event(.stream(.leCISRequest(_, let stream, _, _))) = message else { return }
      bench.world.controllers[device].submit(.stream(.leAcceptCISRequest(stream)))
    }
    let common = HCI.CIGCommon(group: 0, centralSDUInterval: 10_000, peripheralSDUInterval: 10_000)
    let entry = HCI.CIGTestParameters.Entry(
      stream: 0, subevents: subevents, centralSDU: 20, peripheralSDU: 0, centralPDU: 20, peripheralPDU: 0,
      centralPHY: .le2M, peripheralPHY: .le2M, centralBurst: 1, peripheralBurst: 0)
    bench.command(
      0,
      .stream(
        .leSetCIGParametersTest(
          .init(common: common, centralFlushTimeout: 1, peripheralFlushTimeout: 1, interval: 8, streams: [entry]))))
    guard case .commandComplete(_, .success, let answer)? = bench.events[0].last?.event, answer.count == 4 else {
      throw Unmeasurable("no group")
    }
    let handle = UInt16(answer[2]) | UInt16(answer[3]) << 8
    bench.command(0, .stream(.leCreateCIS([.init(stream: handle, link: central)])))
    let made = bench.run(until: bench.timeline.now + .seconds(60)) {
      (0...1).allSatisfy { device in
        bench.events[device].contains {
          if case .stream(.leCISEstablished(let event)) = $0.event { event.status == .success } else { false }
        }
      }
    }
    guard made, let theirs = bench.events[1].compactMap({ $0.event.streamHandle }).last else {
      throw Unmeasurable("no stream")
    }
    bench.command(0, .stream(.leSetupISODataPath(.init(handle: handle, direction: 0))))
    bench.command(1, .stream(.leSetupISODataPath(.init(handle: theirs, direction: 1))))
    bench.isochronous[1].removeAll()
    // The link was made without losses.
    var lossy = room
    self.room(&lossy)
    var change = RadioEnvironment.Change()
    change.packetLoss = lossy.packetLoss
    bench.world.change(change)
    for number in 0..<count {
      let octets = (0..<20).map { UInt8(truncatingIfNeeded: number >> ($0 & 7)) }
      bench.world.controllers[0].submit(
        HCI.ISOData(
          handle: handle, boundary: .complete,
          head: .init(sequenceNumber: UInt16(truncatingIfNeeded: number), sduLength: 20), octets: octets))
      bench.run(for: .milliseconds(10))
    }
    bench.run(for: .milliseconds(50))
    return count - bench.isochronous[1].filter { $0.data.head?.status == 0 }.count
  }
}

extension HCI.Event {
  fileprivate var streamHandle: HCI.ConnectionHandle? {
    if case .stream(.leCISEstablished(let event)) = self { event.handle } else { nil }
  }
}
