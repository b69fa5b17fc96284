import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing
import VirtualRadio

@Suite("Links that are never established")
struct EstablishmentTests {
  @Test("A CONNECT_IND that nobody heard: the central gives up after six intervals with 0x3E")
  func failedToBeEstablished() throws {
    // Two initiators at the same distance answer the same advertising PDU: neither is 10 dB stronger at the advertiser.
    var collided = 0
    for seed in 0..<20 {
      let bench = RadioBench(
        RadioBench.radios(3) { configuration, index in
          configuration.position = index == 0 ? Position(x: 0, y: 0) : Position(x: 200, y: index == 1 ? 100 : -100)
        }, seed: UInt64(seed), wantsAir: true)
      bench.command(1, .leCreateConnection(RadioBench.creation(0)))
      bench.command(2, .leCreateConnection(RadioBench.creation(0)))
      bench.advertise(0)
      bench.run(for: .seconds(3))
      let connects = bench.air.filter { $0.accessAddress == 0x8E89_BED6 && $0.pdu[0] & 0x0F == 5 }
      guard connects.count == 2, connects[0].start == connects[1].start else { continue }
      collided += 1
      let failed = (1...2).compactMap { bench.disconnections(of: $0).first }
      expect(failed.count == 2 && failed.allSatisfy { $0.reason == .connectionFailedToBeEstablished })
      expect(failed.allSatisfy { $0.at == connects[0].start + connects[0].duration + .milliseconds(180) })
      expect(bench.world.collisions > 0)
      expect(bench.connections(of: 0).isEmpty)
    }
    expect(collided > 0)
  }
}
