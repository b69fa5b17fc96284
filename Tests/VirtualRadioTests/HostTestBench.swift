import BluetoothWire
import SimKernel
import VirtualRadio

/// A controller without a radio: it answers every command at once and hands ACL data to the one at the other end.
///
/// A double on purpose: what the stack is judged by here must not come from this project's own link layer.
final class LoopController: HCIDoor {
  struct Link {
    var handle: HCI.ConnectionHandle
    var peer: LoopController?
  }

  let air: LoopAir
  var address = BluetoothAddress(kind: .random, bits: 0)
  var aclLength = 251
  var aclBuffers = 8
  var features: UInt64 = 1 << 5 | 1 << 8
  /// Opcodes that get this status instead of success.
  var refusals: [HCI.Opcode: HCI.ErrorCode] = [:]
  /// Opcodes that get no answer at all.
  var silent: [HCI.Opcode] = []
  /// ACL data packets stay in the controller until `release`.
  var isStalled = false
  private(set) var commands: [HCI.Command] = []
  /// Everything the host handed down, in order.
  private(set) var sent: [HCI.ACLData] = []
  private(set) var waiting: [HCI.ACLData] = []
  private(set) var mostHeld = 0
  private(set) var isAdvertising = false
  private(set) var isScanning = false
  private(set) var initiatingTo: BluetoothAddress?
  private(set) var links: [Link] = []
  var outbox: [HCI.ToHost] = []

  init(air: LoopAir) { self.air = air }

  func submit(_ data: HCI.ACLData) {
    precondition(data.octets.count <= aclLength, "ACL data packet exceeds the controller's buffers")
    sent.append(data)
    waiting.append(data)
    mostHeld = max(mostHeld, waiting.count)
    precondition(waiting.count <= aclBuffers, "more ACL data packets than the controller has buffers")
    if !isStalled { release() }
  }

  func submit(_ data: HCI.ISOData) { preconditionFailure("the stack sends no isochronous data") }

  /// Delivers what is held, at most `count` packets, of one link or of all.
  func release(_ count: Int = .max, handle: HCI.ConnectionHandle? = nil) {
    var left = count
    while left > 0, let index = waiting.firstIndex(where: { handle == nil || $0.handle == handle }) {
      let data = waiting.remove(at: index)
      left -= 1
      push(.numberOfCompletedPackets([.init(handle: data.handle, count: 1)]))
      guard let peer = links.first(where: { $0.handle == data.handle })?.peer else { continue }
      let boundary: HCI.ACLData.Boundary = data.boundary == .continuing ? .continuing : .firstFlushable
      peer.outbox.append(.acl(HCI.ACLData(handle: data.handle, boundary: boundary, octets: data.octets)))
    }
  }

  func push(_ event: HCI.Event) { outbox.append(.event(event)) }

  func submit(_ command: HCI.Command) {
    commands.append(command)
    if silent.contains(command.opcode) { return }
    let status = refusals[command.opcode] ?? .success
    switch command {
    case .disconnect, .leCreateConnection, .leConnectionUpdate, .leReadRemoteFeatures, .leSetPHY:
      push(.commandStatus(command.opcode, status: status))
    case .leReadBufferSize:
      push(
        .commandComplete(
          command.opcode, status: status,
          returnParameters: [UInt8(aclLength & 0xFF), UInt8(aclLength >> 8), UInt8(aclBuffers)]))
    default: push(.commandComplete(command.opcode, status: status, returnParameters: []))
    }
    if status == .success { perform(command) }
  }

  private func perform(_ command: HCI.Command) {
    switch command {
    case .reset:
      links = []
      waiting = []
      isAdvertising = false
      isScanning = false
      initiatingTo = nil
      outbox = outbox.suffix(1)
    case .leSetRandomAddress(let address): self.address = address
    case .leSetAdvertisingEnable(let isOn):
      isAdvertising = isOn
      air.match()
    case .leSetScanEnable(let isOn, _): isScanning = isOn
    case .leCreateConnection(let creation):
      initiatingTo = creation.peer
      air.match()
    case .leCreateConnectionCancel:
      guard let peer = initiatingTo else { return }
      initiatingTo = nil
      pushConnection(status: .unknownConnectionIdentifier, 0, .central, peer)
    case .disconnect(let handle, let reason): air.disconnect(self, handle, reason)
    case .leConnectionUpdate(let handle, let parameters):
      pushBoth(handle) {
        .leConnectionUpdateComplete(
          handle, status: .success, interval: parameters.intervalMaximum,
          peripheralLatency: parameters.peripheralLatency, supervisionTimeout: parameters.supervisionTimeout)
      }
    case .leReadRemoteFeatures(let handle):
      push(.leReadRemoteFeaturesComplete(handle, status: .success, features: features))
    case .leSetDataLength(let handle, let octets, let time):
      pushBoth(handle) {
        .leDataLengthChange(handle, maxTxOctets: octets, maxTxTime: time, maxRxOctets: octets, maxRxTime: time)
      }
    case .leSetPHY(let handle, let tx, let rx, _):
      pushBoth(handle) {
        .lePHYUpdateComplete(
          handle, status: .success, tx: tx == .le2M ? .le2M : .le1M, rx: rx == .le2M ? .le2M : .le1M)
      }
    default: break
    }
  }

  private func pushBoth(_ handle: HCI.ConnectionHandle, _ event: () -> HCI.Event) {
    push(event())
    links.first { $0.handle == handle }?.peer?.push(event())
  }

  func pushConnection(
    status: HCI.ErrorCode = .success, _ handle: HCI.ConnectionHandle, _ role: HCI.Role, _ peer: BluetoothAddress
  ) {
    push(
      .leConnectionComplete(
        .init(
          status: status, handle: handle, role: role, peer: peer, interval: 24, peripheralLatency: 0,
          supervisionTimeout: 400, centralClockAccuracy: 0)))
  }

  /// A connection has been made; `peer` nil is a hand-driven other end.
  func add(_ handle: HCI.ConnectionHandle, _ role: HCI.Role, _ address: BluetoothAddress, peer: LoopController?) {
    links.append(Link(handle: handle, peer: peer))
    if role == .central { initiatingTo = nil } else { isAdvertising = false }
    pushConnection(handle, role, address)
  }

  func drop(_ handle: HCI.ConnectionHandle, _ reason: HCI.ErrorCode) {
    links.removeAll { $0.handle == handle }
    waiting.removeAll { $0.handle == handle }
    push(.disconnectionComplete(handle, status: .success, reason: reason))
  }
}

/// Joins initiators with advertisers.
final class LoopAir {
  var controllers: [LoopController] = []
  private var nextHandle: HCI.ConnectionHandle = 0x40

  func match() {
    for central in controllers {
      guard let wanted = central.initiatingTo,
        let peripheral = controllers.first(where: { $0.isAdvertising && $0.address == wanted && $0 !== central })
      else { continue }
      central.add(nextHandle, .central, peripheral.address, peer: peripheral)
      peripheral.add(nextHandle, .peripheral, central.address, peer: central)
      nextHandle += 1
    }
  }

  func disconnect(_ controller: LoopController, _ handle: HCI.ConnectionHandle, _ reason: HCI.ErrorCode) {
    guard let link = controller.links.first(where: { $0.handle == handle }) else { return }
    controller.drop(handle, .connectionTerminatedByLocalHost)
    link.peer?.drop(handle, reason)
  }
}

/// One host stack on its controller, with everything it has told.
final class LoopDevice {
  let controller: LoopController
  let host: HostStack
  var events: [HostEvent] = []

  init(_ air: LoopAir, _ index: UInt64, _ configure: (inout HostConfiguration) -> Void) {
    controller = LoopController(air: air)
    air.controllers.append(controller)
    var configuration = HostConfiguration(address: LoopDevice.address(index), deviceName: "device \(index)")
    configure(&configuration)
    host = HostStack(door: controller, configuration: configuration)
  }

  static func address(_ index: UInt64) -> BluetoothAddress {
    BluetoothAddress(kind: .random, bits: 0xC000_0000_0000 + index)
  }

  /// Takes what has been told since the last time.
  func take() -> [HostEvent] {
    defer { events = [] }
    return events
  }
}

/// Devices in a loop, and the clock.
final class LoopBench {
  let air = LoopAir()
  var devices: [LoopDevice] = []
  var now = SimInstant.zero

  init(_ count: Int, configure: (Int, inout HostConfiguration) -> Void = { _, _ in }) {
    for index in 0..<count { devices.append(LoopDevice(air, UInt64(index)) { configure(index, &$0) }) }
    for device in devices { device.host.start(at: now) }
    settle()
  }

  /// Carries messages until nobody has one.
  func settle() {
    var isBusy = true
    while isBusy {
      isBusy = false
      for device in devices {
        while !device.controller.outbox.isEmpty {
          isBusy = true
          device.host.receive(device.controller.outbox.removeFirst(), at: now)
        }
        while let event = device.host.popEvent() { device.events.append(event) }
      }
    }
  }

  /// Goes to the instant, stopping at every deadline on the way.
  func run(to instant: SimInstant) {
    while let due = devices.compactMap(\.host.nextDeadline).min(), due <= instant {
      now = max(now, due)
      for device in devices { device.host.advance(to: now) }
      settle()
    }
    now = instant
    for device in devices { device.host.advance(to: now) }
    settle()
  }

  /// Device 0 advertises, the others connect to it; answers the handles in their order.
  func connectAll() -> [HCI.ConnectionHandle] {
    for device in devices.dropFirst() {
      devices[0].host.startAdvertising(data: [2, 1, 6], scanResponse: [])
      settle()
      device.host.connect(to: LoopDevice.address(0))
      settle()
    }
    return devices.dropFirst().compactMap { $0.controller.links.first?.handle }
  }
}

let loopService = BluetoothUUID(high: 0x1234_5678_1234_1234, low: 0x1234_1234_5678_9ABC)
let loopCommand = BluetoothUUID(high: 0x1234_5678_1234_1234, low: 0x1234_1234_5678_9ABD)
let loopState = BluetoothUUID(high: 0x1234_5678_1234_1234, low: 0x1234_1234_5678_9ABE)
let loopNote = BluetoothUUID(0x2A3D)

extension GATT.Service {
  /// Behind the stack's own nine attributes: service 10; command 11, 12; state 13, 14, configuration 15; note 16, 17,
  /// configuration 18, description 19.
  static let loop = GATT.Service(
    uuid: loopService,
    characteristics: [
      .init(uuid: loopCommand, properties: [.write, .writeWithoutResponse], maximumLength: 512),
      .init(uuid: loopState, properties: [.read, .notify]),
      .init(
        uuid: loopNote, properties: [.read, .write, .indicate], value: [1, 2, 3], maximumLength: 300,
        descriptors: [.init(uuid: BluetoothUUID(0x2901), value: Array("note".utf8))]),
    ])
}

/// One stack whose peer is the test, octet by octet.
final class HandDrivenHost {
  static let handle: HCI.ConnectionHandle = 0x40
  let bench: LoopBench
  var device: LoopDevice { bench.devices[0] }
  private var seen = 0

  init(_ role: HCI.Role = .peripheral, configure: (inout HostConfiguration) -> Void = { _ in }) {
    bench = LoopBench(1) { _, configuration in
      configuration.requestedDataLength = nil
      configure(&configuration)
    }
    device.host.publish(.loop)
    device.controller.add(Self.handle, role, LoopDevice.address(9), peer: nil)
    bench.settle()
    _ = device.take()
    _ = answers()
  }

  /// Gives the stack an L2CAP frame in one ACL data packet; answers what it sent.
  func give(_ channel: L2CAP.ChannelID, _ payload: [UInt8]) -> [L2CAP.Frame] {
    give(L2CAP.Frame(channel: channel, payload: payload).octets)
  }

  func give(_ octets: [UInt8], _ boundary: HCI.ACLData.Boundary = .firstFlushable) -> [L2CAP.Frame] {
    device.host.receive(.acl(.init(handle: Self.handle, boundary: boundary, octets: octets)), at: bench.now)
    bench.settle()
    return answers()
  }

  /// Gives an ATT PDU and answers the ATT PDUs that came back.
  func att(_ pdu: ATT.PDU) -> [ATT.PDU] { att(pdu.octets) }

  func att(_ octets: [UInt8]) -> [ATT.PDU] {
    give(.attribute, octets).compactMap { try? ATT.PDU(decoding: $0.payload) }
  }

  /// Whole frames that went down since the last time.
  func answers() -> [L2CAP.Frame] {
    bench.settle()
    var frames: [L2CAP.Frame] = []
    var octets: [UInt8] = []
    for data in device.controller.sent[seen...] {
      if data.boundary != .continuing { octets = [] }
      octets += data.octets
      if let frame = try? L2CAP.Frame(decoding: octets) { frames.append(frame) }
    }
    seen = device.controller.sent.count
    return frames
  }

  func sentPDUs() -> [ATT.PDU] { answers().compactMap { try? ATT.PDU(decoding: $0.payload) } }
}
