import BeamOracles
import Testing

@Suite("The oracles of BeamScribe")
struct OracleRegistryTests {
  @Test("Each has a name of its own")
  func names() {
    let names = BeamOracles.all.map { $0.id }
    #expect(Set(names).count == names.count)
    #expect(names.count == 26)
  }
}
