import BluetoothWire
import CaptureFormats
import SimKernel
import VirtualRadio

/// Two radios without hosts: device 1 is central, device 0 peripheral; tests say what happens on the link.
final class AirLinkBench: RadioObserver {
  static let key: [UInt8] = (0..<16).map { $0 * 17 }
  /// What both hosts encrypt with, least significant octet first.
  var longTermKey = AirLinkBench.key
  /// Whether the peripheral's host still has the key.
  var isBonded = true

  let timeline = Timeline()
  let world: RadioWorld
  private(set) var air: [AirPDU] = []
  private(set) var events: [[HCI.Event]] = [[], []]
  private(set) var received: [[[UInt8]]] = [[], []]
  private(set) var handles: [HCI.ConnectionHandle?] = [nil, nil]

  init(
    environment: RadioEnvironment? = nil, seed: UInt64 = 1, isCoded: Bool = false, subrates: Bool = false,
    hasStreams: Bool = false, answersTrains: Bool = false
  ) {
    var lossless = RadioEnvironment()
    lossless.isLevelDependent = false
    let radios = (0...1).map { index in
      var radio = RadioConfiguration(
        name: "device-\(index)", address: Self.address(index), position: Position(x: index * 100, y: 0))
      radio.supportsCoded = isCoded
      radio.supportsSubrating = subrates
      radio.supportsStreams = hasStreams
      radio.supportsPeriodicResponses = answersTrains
      radio.supportsClockUpdates = subrates
      radio.supportsPowerControl = subrates
      radio.wantedLevel = subrates ? -6_500 : nil
      radio.supportsChannelReports = subrates
      radio.minimumUsedChannels = subrates ? 10 : 0
      return radio
    }
    world = RadioWorld(
      timeline: timeline, environment: environment ?? lossless, seed: seed, radios: radios, wantsAir: true)
    world.observer = self
    for device in 0...1 {
      command(device, .setEventMask(.max))
      command(device, .leSetEventMask(~(1 << 9)))
      command(device, .leSetRandomAddress(Self.address(device)))
      if subrates { command(device, .general(.leSetHostFeature(bit: 38, value: 1))) }
      if hasStreams { command(device, .general(.leSetHostFeature(bit: 32, value: 1))) }
    }
  }

  static func address(_ index: Int) -> BluetoothAddress {
    BluetoothAddress(kind: .random, bits: 0xF0F1_F2F3_F4A0 + UInt64(index))
  }

  func observe(_ event: RadioEvent, device: Int) {
    if case .air(let pdu) = event { air.append(pdu) }
  }

  func command(_ device: Int, _ command: HCI.Command) {
    world.controllers[device].submit(command)
    drain()
  }

  func send(_ device: Int, _ octets: [UInt8]) {
    guard let handle = handles[device] else { return }
    world.controllers[device].submit(HCI.ACLData(handle: handle, boundary: .firstNonFlushable, octets: octets))
    drain()
  }

  private func drain() {
    while let device = world.nextWaiting() {
      while let message = world.controllers[device].popForHost() {
        switch message {
        case .event(let event): take(event, device)
        case .acl(let data): received[device].append(data.octets)
        case .iso: break
        }
      }
    }
  }

  private func take(_ event: HCI.Event, _ device: Int) {
    events[device].append(event)
    switch event {
    case .stream(.leCISRequest(_, let stream, _, _)):
      world.controllers[device].submit(.stream(.leAcceptCISRequest(stream)))
    case .leConnectionComplete(let complete) where complete.status == .success: handles[device] = complete.handle
    case .encryption(.leLongTermKeyRequest(let handle, _, _)):
      world.controllers[device].submit(
        .security(
          isBonded
            ? .leLongTermKeyRequestReply(handle, longTermKey: longTermKey)
            : .leLongTermKeyRequestNegativeReply(handle)))
    default: break
    }
  }

  func run(for span: SimDuration) {
    let end = timeline.now + span
    while let event = timeline.advance(limit: end) {
      world.handle(event)
      drain()
    }
    if timeline.now < end { timeline.skip(to: end) }
  }

  func connect(interval: UInt16 = 24, timeout: UInt16 = 200) {
    command(0, .leSetAdvertisingParameters(.init(intervalMinimum: 32, intervalMaximum: 32)))
    command(0, .leSetAdvertisingData([2, 1, 6]))
    command(0, .leSetAdvertisingEnable(true))
    command(
      1,
      .leCreateConnection(
        HCI.CreateConnection(
          scanInterval: 16, scanWindow: 16, peer: Self.address(0),
          parameters: HCI.ConnectionParameters(
            intervalMinimum: interval, intervalMaximum: interval, peripheralLatency: 0, supervisionTimeout: timeout))))
    run(for: .seconds(2))
  }

  /// The central makes a stream, both controllers send SDUs of a test on it for a second, and it ends.
  func stream() {
    let common = HCI.CIGCommon(group: 0, centralSDUInterval: 20_000, peripheralSDUInterval: 20_000)
    let entry = HCI.CIGTestParameters.Entry(
      stream: 0, subevents: 3, centralSDU: 60, peripheralSDU: 60, centralPDU: 60, peripheralPDU: 60, centralPHY: .le2M,
      peripheralPHY: .le1M, centralBurst: 1, peripheralBurst: 1)
    command(
      1,
      .stream(
        .leSetCIGParametersTest(
          .init(common: common, centralFlushTimeout: 2, peripheralFlushTimeout: 1, interval: 16, streams: [entry]))))
    defer { command(1, .stream(.leRemoveCIG(0))) }
    guard case .commandComplete(_, .success, let answer)? = events[1].last, let link = handles[1] else { return }
    let told = events.map(\.count)
    let handle = UInt16(answer[2]) | UInt16(answer[3]) << 8
    command(1, .stream(.leCreateCIS([.init(stream: handle, link: link)])))
    run(for: .seconds(1))
    for device in 0...1 {
      for case .stream(.leCISEstablished(let event)) in events[device].dropFirst(told[device])
      where event.status == .success {
        command(device, .stream(.leISOTransmitTest(event.handle, payload: 1)))
      }
    }
    run(for: .seconds(1))
    command(1, .disconnect(handle, reason: .remoteUserTerminatedConnection))
    run(for: .seconds(1))
  }

  func encrypt(random: UInt64 = 0xABCD_EF12_3456_7890, diversifier: UInt16 = 0x2474) {
    command(
      1,
      .security(
        .leEnableEncryption(
          handles[1] ?? 0, random: random, diversifier: diversifier, longTermKey: longTermKey)))
    run(for: .seconds(1))
  }

  /// An ATT PDU in its L2CAP frame.
  static func frame(_ att: [UInt8]) -> [UInt8] {
    [UInt8(att.count & 0xFF), UInt8(att.count >> 8), 4, 0] + att
  }
}
