import SimKernel
import Testing
import VirtualRadio

@Suite("The radio, embedded by an outsider")
struct RadioDoorTests {
  @Test("A watch is notified of a sensor's heart rate, the same way for the same seed")
  func heartRate() {
    let (room, again) = (SensorAndWatch(seed: 7), SensorAndWatch(seed: 7))
    for world in [room, again] {
      #expect(!world.measure(60), "nobody has subscribed yet")
      world.run(for: .seconds(5))
      for rate: UInt8 in [71, 72, 73] {
        #expect(world.measure(rate))
        world.run(for: .seconds(1))
      }
      #expect(world.rates == [71, 72, 73])
    }
    #expect(room.packets.map(\.octets) == again.packets.map(\.octets))
    #expect(room.packets.map(\.at) == again.packets.map(\.at))
    #expect(room.packets.map(\.at) != other(seed: 8).packets.map(\.at))
  }

  private func other(seed: UInt64) -> SensorAndWatch {
    let room = SensorAndWatch(seed: seed)
    room.run(for: .seconds(5))
    return room
  }
}
