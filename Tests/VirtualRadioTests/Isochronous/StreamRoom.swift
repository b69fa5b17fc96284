import BluetoothWire
import Expectations
import RadioLaws
import SimKernel

@testable import VirtualRadio

/// A central, device 1, with streams to the peripherals.
struct StreamRoom {
  let bench: RadioBench
  /// Of the links at the central, and at the peripherals in their order.
  private(set) var links: [(central: HCI.ConnectionHandle, peripheral: HCI.ConnectionHandle)] = []
  /// Of the streams at the central and at its peripheral.
  private(set) var streams: [(central: HCI.ConnectionHandle, peripheral: HCI.ConnectionHandle)] = []

  static let central = 0

  /// - Parameter peripherals: how many links the central has.
  init(
    peripherals: Int = 1, environment: RadioEnvironment = .lossless, seed: UInt64 = 1, interval: UInt16 = 40,
    wantsAir: Bool = false, steps: Bool = false, change: (inout RadioConfiguration, Int) -> Void = { _, _ in }
  ) throws {
    let radios = RadioBench.radios(1 + peripherals) { radio, index in
      radio.supportsStreams = true
      change(&radio, index)
    }
    bench = RadioBench(radios, environment: environment, seed: seed, wantsAir: wantsAir, stepsIdleEvents: steps)
    for device in radios.indices { bench.command(device, .general(.leSetHostFeature(bit: 32, value: 1))) }
    for device in 1...peripherals {
      // A CONNECT_IND may be lost.
      var link: (HCI.ConnectionHandle, HCI.ConnectionHandle)?
      for _ in 0..<8 where link == nil {
        link = bench.connect(Self.central, to: device, interval: interval, timeout: 400)
      }
      links.append(try required(link))
    }
    for link in links { bench.command(Self.central, .leReadRemoteFeatures(link.central)) }
    bench.run(for: .milliseconds(500))
  }

  /// One stream with 20 ms, an SDU of 100 octets in each direction, and three subevents.
  static func entry(
    _ id: UInt8 = 0, subevents: UInt8 = 3, octets: UInt16 = 100, burst: UInt8 = 1, back: UInt8 = 1,
    phy: HCI.PHYMask = .le2M
  ) -> HCI.CIGTestParameters.Entry {
    .init(
      stream: id, subevents: subevents, centralSDU: octets, peripheralSDU: back == 0 ? 0 : octets, centralPDU: octets,
      peripheralPDU: back == 0 ? 0 : octets, centralPHY: phy, peripheralPHY: phy, centralBurst: burst,
      peripheralBurst: back)
  }

  static func group(
    _ entries: [HCI.CIGTestParameters.Entry] = [entry()], flush: UInt8 = 1, packing: UInt8 = 0, framing: UInt8 = 0,
    sduInterval: UInt32 = 20_000, interval: UInt16 = 16
  ) -> HCI.CIGTestParameters {
    var common = HCI.CIGCommon(group: 1, centralSDUInterval: sduInterval, peripheralSDUInterval: sduInterval)
    common.packing = packing
    common.framing = framing
    return .init(
      common: common, centralFlushTimeout: flush, peripheralFlushTimeout: flush, interval: interval, streams: entries)
  }

  /// Status and return parameters of the newest answer.
  func answer(_ device: Int, _ command: HCI.StreamCommand) -> [UInt8] {
    bench.events[device].removeAll { if case .commandComplete = $0.event { true } else { false } }
    bench.events[device].removeAll { if case .commandStatus = $0.event { true } else { false } }
    bench.command(device, .stream(command))
    for (_, event) in bench.events[device].reversed() {
      if case .commandComplete(_, let status, let parameters) = event { return [status.rawValue] + parameters }
      if case .commandStatus(_, let status) = event { return [status.rawValue] }
    }
    return []
  }

  /// Handles of a group that is configured.
  func configure(_ group: HCI.CIGTestParameters = group()) throws -> [HCI.ConnectionHandle] {
    let answer = answer(Self.central, .leSetCIGParametersTest(group))
    try require(answer.first == 0)
    return stride(from: 3, to: answer.count, by: 2).map { UInt16(answer[$0]) | UInt16(answer[$0 + 1]) << 8 }
  }

  /// Makes streams, one to each link in turn, which the peripherals accept; with data paths in both directions.
  mutating func open(_ group: HCI.CIGTestParameters = group(), paths: Bool = true) throws {
    let handles = try configure(group)
    let pairs = handles.enumerated().map {
      HCI.StreamPair(stream: $0.element, link: links[$0.offset % links.count].central)
    }
    accept()
    equal(answer(Self.central, .leCreateCIS(pairs)), [0])
    bench.run(for: .seconds(3))
    var used = Array(repeating: 0, count: links.count)
    for (place, handle) in handles.enumerated() {
      let link = place % links.count
      let theirs = try required(requests(1 + link).dropFirst(used[link]).first)
      used[link] += 1
      streams.append((handle, theirs))
    }
    guard paths else { return }
    for (place, stream) in streams.enumerated() {
      let device = 1 + place % links.count
      for (device, handle) in [(Self.central, stream.central), (device, stream.peripheral)] {
        for direction: UInt8 in 0...1 {
          _ = answer(device, .leSetupISODataPath(.init(handle: handle, direction: direction)))
        }
      }
    }
  }

  /// Peripherals accept every request from now on.
  func accept() {
    bench.onMessage = { [unowned bench] device, message in
      if case .event(.stream(.leCISRequest(_, let stream, _, _))) = message {
        bench.world.controllers[device].submit(.stream(.leAcceptCISRequest(stream)))
      }
    }
  }

  func requests(_ device: Int) -> [HCI.ConnectionHandle] {
    bench.events[device].compactMap {
      if case .stream(.leCISRequest(_, let stream, _, _)) = $0.event { stream } else { nil }
    }
  }

  func established(_ device: Int) -> [HCI.CISEstablished] {
    bench.events[device].compactMap {
      if case .stream(.leCISEstablished(let event)) = $0.event { event } else { nil }
    }
  }

  func send(_ device: Int, _ handle: HCI.ConnectionHandle, _ octets: [UInt8], number: UInt16 = 0) {
    bench.world.controllers[device].submit(
      HCI.ISOData(
        handle: handle, boundary: .complete,
        head: .init(sequenceNumber: number, sduLength: UInt16(octets.count)), octets: octets))
    bench.drain()
  }

  /// Sends an SDU each interval, `count` times, in one direction.
  func stream(
    _ device: Int, _ handle: HCI.ConnectionHandle, count: Int, octets: Int = 100, every: SimDuration = .milliseconds(20)
  ) {
    for number in 0..<count {
      send(device, handle, Self.sdu(number, octets), number: UInt16(number))
      bench.run(for: every)
    }
  }

  static func sdu(_ number: Int, _ octets: Int = 100) -> [UInt8] {
    (0..<octets).map { UInt8(truncatingIfNeeded: $0 + number) }
  }

  /// SDUs that came whole.
  func whole(_ device: Int) -> [[UInt8]] {
    bench.isochronous[device].filter { $0.data.head?.status == 0 }.map(\.data.octets)
  }

  /// Packets of a stream that a controller has said to be completed.
  func completed(_ device: Int, _ handle: HCI.ConnectionHandle) -> Int {
    bench.events[device].reduce(0) { sum, entry in
      guard case .numberOfCompletedPackets(let list) = entry.event else { return sum }
      return sum + list.filter { $0.handle == handle }.reduce(0) { $0 + Int($1.count) }
    }
  }
}
