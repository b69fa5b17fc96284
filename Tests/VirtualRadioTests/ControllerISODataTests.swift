import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// The way of isochronous data through the HCI seam (Vol 4, Part E, 5.4.5); octets by Bumble 0.0.236.
@Suite("Isochronous data at the HCI of a controller")
struct ControllerISODataTests {
  private final class Observer: RadioObserver {
    var events: [RadioEvent] = []
    func observe(_ event: RadioEvent, device: Int) { events.append(event) }
  }

  private static let packet = [UInt8].hex("0560600c0078563412feff0400deadbeef")
  private static let data = HCI.ISOData(
    handle: 0x60, boundary: .complete, head: .init(timeStamp: 0x1234_5678, sequenceNumber: 0xFFFE, sduLength: 4),
    octets: [0xDE, 0xAD, 0xBE, 0xEF])

  private static func world() -> RadioWorld {
    RadioWorld(
      timeline: Timeline(), environment: .lossless, seed: 1,
      radios: [
        RadioConfiguration(
          name: "one", address: ControllerBench.publicAddress(0), position: Position(x: 0, y: 0))
      ], wantsHCI: true)
  }

  @Test("Data of a host for a handle that is no stream is dropped without a word, and the controller lives")
  func dropped() {
    let bench = ControllerBench(1)
    expect(bench.send(0, Self.packet) == nil)
    // So is that of a handle that no stream can have, and a fragment without its first one.
    expect(bench.send(0, [0x05, 0xFF, 0x3F, 0x01, 0x00, 0x5A]) == nil)
    equal(bench.command(0, 0x0C03), 0)
  }

  @Test("ISO data that cannot be a packet is a Hardware Error, as other octets that are none")
  func malformed() {
    let bench = ControllerBench(1)
    for packet in ["0560500400" + "00000000", "0560200000", "05602008000000"] {
      equal(bench.send(0, [UInt8].hex(packet)), [0x04, 0x10, 0x01, 0x00], "\(packet)")
      _ = bench.take(0)
    }
  }

  @Test("Observers see it both ways, and what the controller has for its host comes in order")
  func observed() {
    let observer = Observer()
    let world = Self.world()
    world.observer = observer
    let controller = world.controllers[0]
    controller.submit(h4: Self.packet)
    equal(observer.events, [.isoToController(Self.data)])
    controller.deliver(HCI.ISOData(handle: 0x60, boundary: .last, octets: [1]))
    controller.emit(.hardwareError(7))
    equal(world.nextWaiting(), 0)
    equal(controller.popForHost(), .iso(.init(handle: 0x60, boundary: .last, octets: [1])))
    equal(controller.popForHost(), .event(.hardwareError(7)))
    expect(controller.popForHost() == nil)
    equal(
      Array(observer.events.dropFirst()),
      [.isoToHost(.init(handle: 0x60, boundary: .last, octets: [1])), .hciEvent(.hardwareError(7))])
  }

  @Test("The host stack takes no notice of isochronous data")
  func ignored() throws {
    let scripted = ScriptedController()
    _ = try scripted.start()
    _ = scripted.takeSent()
    try equal(scripted.give(String(hexadecimal: Self.packet)).count, 0)
    equal(scripted.takeSent(), [])
  }
}
