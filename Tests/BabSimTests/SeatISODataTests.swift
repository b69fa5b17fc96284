import AppSeam
import BluetoothWire
import Expectations
import Platform
import SimKernel
import Testing
import VirtualRadio

@testable import Bench

/// Isochronous data at the seats of hosts and controllers from outside; octets by Bumble 0.0.236.
@Suite("Isochronous data at the seats of a world")
struct SeatISODataTests {
  private final class Seam: TraceReader {
    var events: [RadioEvent] = []
    var steps: [String] = []
    var wantsHCI: Bool { true }
    func read(_ record: TraceRecord) {
      switch record.event {
      case .radio(let event): events.append(event)
      case .step(let text): steps.append(text)
      default: break
      }
    }
  }

  private static let packet = [UInt8].hex("056020080007000400deadbeef")
  private static let data = HCI.ISOData(
    handle: 0x60, boundary: .complete, head: .init(sequenceNumber: 7, sduLength: 4), octets: [0xDE, 0xAD, 0xBE, 0xEF])

  /// A world with a seat at its guest, who is there.
  private static func world(_ seat: Seat) throws -> (world: World, seam: Seam, guest: Int) {
    let scenario = try SessionPair.scenario(SessionPair.header(SessionPair.guestText, "guest", seat, seed: 1))
    let guest = try required(scenario.devices.firstIndex { $0.name == "guest" })
    var options = RunOptions(seed: 1)
    options.seats = scenario.devices.indices.map { $0 == guest ? seat : .simulated }
    let seam = Seam()
    let world = World(scenario, options: options, readers: [seam], engines: SessionPair.engines)
    world.begin()
    world.enter(.attached, device: guest)
    while world.popOutward() != nil {}
    seam.events = []
    return (world, seam, guest)
  }

  @Test("What a host sends goes to its controller, which says nothing of a handle that is no stream")
  func fromHost() throws {
    let (world, seam, guest) = try Self.world(.foreignHost)
    world.enter(.packet(Self.packet), device: guest)
    equal(seam.events, [.isoToController(Self.data)])
    expect(world.popOutward() == nil)
  }

  @Test("What a controller sends goes to the host stack, which takes no notice; what is none is refused")
  func fromController() throws {
    let (world, seam, guest) = try Self.world(.foreignController)
    world.enter(.packet(Self.packet), device: guest)
    equal(seam.events, [.isoToHost(Self.data)])
    expect(world.popOutward() == nil)
    world.enter(.packet([0x05, 0x60, 0x50, 0x00, 0x00]), device: guest)
    expect(seam.steps.contains { $0.hasSuffix("is refused: time stamp in a continuing or last fragment at octet 2") })
  }

  @Test("What a host stack hands to a controller from outside leaves as octets")
  func toController() throws {
    let (world, seam, guest) = try Self.world(.foreignController)
    world.platforms[guest].host.door.submit(Self.data)
    equal(seam.events, [.isoToController(Self.data)])
    equal(world.popOutward()?.packet, Self.packet)
  }
}
