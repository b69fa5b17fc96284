import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// What commands about streams refuse, and what the controller makes of a host's parameters (Vol 4, Part E, 7.8.97 …
/// 7.8.102).
@Suite("Commands of isochronous streams")
struct StreamCommandTests {
  private static func wish(
    _ interval: UInt32 = 10_000, octets: UInt16 = 100, back: UInt16 = 100, retransmissions: UInt8 = 2,
    latency: UInt16 = 40, framing: UInt8 = 0
  ) -> HCI.CIGParameters {
    var common = HCI.CIGCommon(group: 2, centralSDUInterval: interval, peripheralSDUInterval: interval)
    common.framing = framing
    var entry = HCI.CIGParameters.Entry(
      stream: 9, centralSDU: octets, peripheralSDU: back, centralPHY: [.le1M, .le2M], peripheralPHY: [.le1M, .le2M])
    entry.centralRetransmissions = retransmissions
    entry.peripheralRetransmissions = retransmissions
    return .init(common: common, centralLatency: latency, peripheralLatency: latency, streams: [entry])
  }

  private static func plan(_ wish: HCI.CIGParameters) -> StreamPlan? {
    StreamGroup.Wish.parameters(wish).plan(phys: [.le1M, .le2M])
  }

  @Test("A controller chooses interval, framing, subevents and flush timeouts that keep the latency")
  func chooses() throws {
    let plain = try required(Self.plan(Self.wish())).shapes[0]
    expect(plain.interval == 8 && !plain.isFramed && plain.subevents == 3 && plain.centralPHY == 2)
    expect(plain.central.burst == 1 && plain.central.longestPDU == 100)
    // 1.5 SDUs of 7.5 ms do not go into 10 ms: 7.5 ms it is. SDUs of 10.123 ms are framed.
    equal(try required(Self.plan(Self.wish(7_500))).shapes[0].interval, 6)
    let odd = try required(Self.plan(Self.wish(10_123))).shapes[0]
    expect(odd.isFramed && odd.interval == 9 && odd.central.burst == 1)
    // Two PDUs for 400 octets; a silent direction has none.
    let long = try required(Self.plan(Self.wish(20_000, octets: 400, back: 0))).shapes[0]
    expect(long.central.burst == 2 && long.central.longestPDU == 200 && long.peripheral.burst == 0)
    for latency: UInt16 in [10, 11, 20, 40, 100] {
      guard let plan = Self.plan(Self.wish(latency: latency)) else {
        expect(latency == 5)
        continue
      }
      for role in [HCI.Role.central, .peripheral] {
        expect(plan.shapes[0].latency(of: role, groupSyncDelay: plan.syncDelay) <= UInt32(latency) * 1_000)
      }
    }
    // What cannot be is not made.
    expect(Self.plan(Self.wish(5_000, octets: 4_000, back: 4_000)) == nil)
    expect(Self.plan(Self.wish(10_000, latency: 5)).map { $0.syncDelay <= 5_000 } ?? true)
  }

  @Test("Ranges, groups and handles that are not there are refused, each with its code")
  func refusals() throws {
    let room = try StreamRoom()
    func configure(_ change: (inout HCI.CIGTestParameters) -> Void) -> UInt8? {
      var group = StreamRoom.group()
      change(&group)
      return room.answer(0, .leSetCIGParametersTest(group)).first
    }
    equal(configure { $0.interval = 3 }, 0x12)
    equal(configure { $0.common.group = 0xF0 }, 0x12)
    equal(configure { $0.common.packing = 2 }, 0x12)
    equal(configure { $0.common.centralSDUInterval = 0xFE }, 0x12)
    equal(configure { $0.centralFlushTimeout = 0 }, 0x12)
    equal(configure { $0.streams[0].subevents = 0 }, 0x12)
    equal(configure { $0.streams[0].centralBurst = 4 }, 0x12)
    equal(configure { $0.streams[0].centralPHY = [.le1M, .le2M] }, 0x12)
    equal(configure { $0.streams = [] }, 0x12)
    equal(configure { $0.streams += $0.streams }, 0x12)
    // More subevents than the interval has room for.
    equal(configure { $0.streams[0].subevents = 31 }, 0x11)
    equal(configure { _ in }, 0)
    let handle = try required(try room.configure().first)
    let link = room.links[0].central
    equal(room.answer(0, .leCreateCIS([])), [0x12])
    equal(room.answer(0, .leCreateCIS([.init(stream: handle, link: link), .init(stream: handle, link: link)])), [0x12])
    equal(room.answer(0, .leCreateCIS([.init(stream: handle, link: 0x0E00)])), [0x02])
    equal(room.answer(0, .leCreateCIS([.init(stream: 0x0E00, link: link)])), [0x02])
    equal(room.answer(0, .leAcceptCISRequest(handle)), [0x0C])
    equal(room.answer(1, .leAcceptCISRequest(0x0E00)), [0x02])
    equal(room.answer(1, .leRejectCISRequest(0x0E00, reason: .init(0x0D))).first, 0x02)
    // A stream that is not there has no data path.
    equal(room.answer(0, .leSetupISODataPath(.init(handle: handle, direction: 0))).first, 0x0C)
    equal(room.answer(0, .leSetupISODataPath(.init(handle: 0x0E00, direction: 0))).first, 0x02)
  }

  @Test("Data paths are set up once, over HCI")
  func paths() throws {
    var room = try StreamRoom()
    try room.open(StreamRoom.group([StreamRoom.entry(back: 0)]), paths: false)
    let handle = room.streams[0].central
    func path(_ change: (inout HCI.ISODataPath) -> Void) -> UInt8? {
      var path = HCI.ISODataPath(handle: handle, direction: 0)
      change(&path)
      return room.answer(0, .leSetupISODataPath(path)).first
    }
    equal(path { $0.direction = 2 }, 0x12)
    equal(path { $0.path = 1 }, 0x11)
    equal(path { $0.codec = 6 }, 0x11)
    equal(path { _ in }, 0)
    equal(path { _ in }, 0x0C)
    equal(room.answer(0, .leISOTransmitTest(handle, payload: 1)).first, 0x0C)
    equal(room.answer(0, .leRemoveISODataPath(handle, directions: 2)).first, 0x0C)
    equal(room.answer(0, .leRemoveISODataPath(handle, directions: 1)).first, 0)
    equal(room.answer(0, .leISOTransmitTest(handle, payload: 3)).first, 0x12)
    equal(room.answer(0, .leISOTransmitTest(handle, payload: 1)).first, 0)
  }

  @Test("Data that is too long, unfinished, without a path or beyond the buffers is dropped, and its buffers are free")
  func data() throws {
    var room = try StreamRoom()
    try room.open()
    let handle = room.streams[0].central
    room.send(0, handle, StreamRoom.sdu(0, 101))
    equal(room.completed(0, handle), 1)
    let fragment = HCI.ISOData(
      handle: handle, boundary: .first, head: .init(sequenceNumber: 0, sduLength: 90), octets: StreamRoom.sdu(0, 50))
    for _ in 0..<2 { room.bench.world.controllers[0].submit(fragment) }
    room.bench.world.controllers[0].submit(HCI.ISOData(handle: handle, boundary: .last, octets: StreamRoom.sdu(50, 40)))
    room.bench.run(for: .milliseconds(100))
    equal(room.whole(1), [StreamRoom.sdu(0, 90)])
    equal(room.completed(0, handle), 4)
    for number in 0..<17 { room.send(0, handle, StreamRoom.sdu(number)) }
    expect(room.bench.events[0].contains { if case .hardwareError = $0.event { true } else { false } })
    // What waits when a stream ends frees its buffers.
    room.bench.command(0, .reset)
    equal(room.bench.world.controllers[0].isoInUse, 0)
  }
}
