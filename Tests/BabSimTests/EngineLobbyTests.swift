import BluetoothWire
import SimKernel
import Testing

@testable import BabSim

@Suite("The engines make a lobby")
struct EngineLobbyTests {
  @Test("Two peers reach the lobby in every dialect", arguments: Dialect.all)
  func twoPeers(dialect: Dialect) {
    let harness = EngineHarness.lobby(dialect: dialect, clients: 1)
    harness.run(for: .seconds(2))
    #expect(harness.host.roster == ["host", "peer-1"])
    #expect(harness.devices[1].roster == ["host", "peer-1"])
    #expect(harness.devices[1].linkState == "CONNECTED")
    #expect(harness.devices[1].lobby == harness.host.lobby)
  }
}
