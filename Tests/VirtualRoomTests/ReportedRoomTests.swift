import Bench
import BluetoothWire
import CoreBluetooth
import Expectations
import Foundation
import Platform
import SimKernel
import Testing
import VirtualRadio
import VirtualRoom

/// Finds an archive and connects to it when told to, with one manager or two.
private final class Caller: NSObject, CBCentralManagerDelegate {
  private(set) var log: [String] = []
  private(set) var codes: [Int?] = []
  private(set) var first: CBCentralManager!
  private(set) var second: CBCentralManager!
  private(set) var peer: CBPeripheral?
  private var other: CBPeripheral?

  override init() {
    super.init()
    first = CBCentralManager(delegate: self, queue: .main)
    second = CBCentralManager(delegate: self, queue: .main)
  }

  func connect() {
    if let peer { first.connect(peer) }
  }

  func connectSecond() {
    other = peer.flatMap { second.retrievePeripherals(withIdentifiers: [$0.identifier]).first }
    if let other { second.connect(other) }
  }

  func cancel(second isSecond: Bool = false) {
    if let gone = isSecond ? other : peer { (isSecond ? second : first)?.cancelPeripheralConnection(gone) }
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    if central === first { log.append("\(central.state)") }
    if central === first, central.state == .poweredOn { central.scanForPeripherals(withServices: [Archive.shelf]) }
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    peer = peripheral
    central.stopScan()
  }

  private func name(_ central: CBCentralManager) -> String { central === first ? "first" : "second" }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    log.append("\(name(central)) connected")
  }
  func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {
    log.append("\(name(central)) failed")
  }
  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
  ) {
    log.append("\(name(central)) disconnected")
    codes.append((error as NSError?)?.code)
  }
}

/// Counts CONNECT_IND.
final class ConnectCounter: TraceReader {
  var wantsAir: Bool { true }
  private(set) var count = 0

  func read(_ record: TraceRecord) {
    guard case .radio(.air(let pdu)) = record.event, pdu.accessAddress == LL.advertisingAccessAddress else { return }
    if pdu.pdu[0] & 0x0F == LL.AdvertisingType.connectInd { count += 1 }
  }
}

@Suite("Behaviours that others report, over the whole bench")
struct ReportedRoomTests {
  private struct Scene {
    let room = VirtualRoom(seed: 3)
    let counter = ConnectCounter()
    let archive: RoomPhone<Archive>
    let caller: RoomPhone<Caller>

    init() throws {
      room.readers = [counter]
      archive = room.phone("archive") { Archive() }
      caller = room.phone("caller", at: Position(x: 200, y: 0)) { Caller() }
      let caller = caller
      try room.wait(within: .seconds(20)) { caller.app?.peer != nil }
    }

    func connected() throws {
      try caller.act { $0.connect() }
      try room.wait(within: .seconds(10)) { caller.app?.log.last == "first connected" }
    }
  }

  private static let away = Position(x: 2_000_000, y: 0)

  @Test("An attempt to reach what is out of range waits, and ends when it is back")
  func outOfRange() throws {
    let scene = try Scene()
    try scene.caller.apply(.move(Self.away))
    try scene.caller.act { $0.connect() }
    try scene.room.run(for: .seconds(120))
    expect(scene.caller.app?.peer?.state == .connecting && scene.caller.app?.log == ["poweredOn"])
    try scene.caller.apply(.move(Position(x: 200, y: 0)))
    try scene.room.wait(within: .seconds(20)) { scene.caller.app?.log.last == "first connected" }
    equal(scene.caller.app?.peer?.state, .connected)
  }

  @Test("Out of range a connection ends by the supervision timeout, with code 6")
  func lost() throws {
    let scene = try Scene()
    try scene.connected()
    try scene.caller.apply(.move(Self.away))
    try scene.room.wait(within: .seconds(30)) { scene.caller.app?.log.last == "first disconnected" }
    equal(scene.caller.app?.codes, [6])
  }

  @Test("A second manager connects over the link: nothing goes on the air, and it ends with the last of them")
  func secondManager() throws {
    let scene = try Scene()
    try scene.connected()
    equal(scene.counter.count, 1)
    try scene.caller.act { $0.connectSecond() }
    try scene.room.wait(within: .seconds(5)) { scene.caller.app?.log.last == "second connected" }
    equal(scene.counter.count, 1)
    try scene.caller.act { $0.cancel() }
    try scene.room.run(for: .seconds(5))
    equal(scene.caller.app?.log.suffix(2), ["second connected", "first disconnected"])
    try scene.caller.act { $0.cancel(second: true) }
    try scene.room.run(for: .seconds(5))
    expect(scene.caller.app?.log.last == "second disconnected" && scene.caller.app?.codes == [nil, nil])
  }

  @Test("Bluetooth off at a central is told by its state alone; the peripheral's app is not told of the link's end")
  func radioOff() throws {
    let scene = try Scene()
    try scene.connected()
    let told = scene.archive.app?.log.count
    try scene.caller.apply(.radioOff)
    try scene.room.run(for: .seconds(30))
    equal(scene.caller.app?.log.suffix(2), ["first connected", "poweredOff"])
    expect(scene.caller.app?.peer?.state == .disconnected && scene.archive.app?.log.count == told)
  }

  @Test("The PSM of a channel is one of those that the specification leaves to the system")
  func psm() throws {
    let scene = try Scene()
    let psm = try required(scene.archive.app?.psm)
    expect((0x80...0xFF).contains(psm))
  }

  @Test("A value that fills its responses exactly is asked for once more, at its end, and is read whole")
  func exactParts() throws {
    let room = VirtualRoom(seed: 1)
    let archive = room.phone("archive") { Archive() }
    let visitor = room.phone("visitor", at: Position(x: 200, y: 0)) { Visitor() }
    try room.wait(within: .seconds(20)) { visitor.app?.log.contains("description second") == true }
    let part = try required(visitor.app?.peer?.maximumWriteValueLength(for: .withoutResponse)) + 2
    let parts = 512 / part
    expect(parts > 0)
    archive.app?.contents = Data((0..<part * parts).map { UInt8(truncatingIfNeeded: $0) })
    try visitor.act { $0.peer?.readValue(for: $0.boxes[0]) }
    try room.wait(within: .seconds(10)) { visitor.app?.values.isEmpty == false }
    equal(visitor.app?.values.first?.value, archive.app?.contents)
    let offsets = archive.app?.log.filter { $0.hasPrefix("first from") }
    equal(offsets, (0...parts).map { "first from \($0 * part)" })
  }
}
