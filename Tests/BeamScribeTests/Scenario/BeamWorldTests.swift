import AppSeam
import BeamScribe
import Bench
import SimKernel
import Testing

/// BeamScribe in rooms that have Bluetooth and no network.
@Suite("BeamScribe in a world")
struct BeamWorldTests {
  private final class Notes: TraceReader {
    var failed: [String] = []
    var network: [(device: Int, effect: NetworkEffect)] = []
    var texts: [String] = []

    func read(_ record: TraceRecord) {
      switch record.event {
      case .expectation(let text, false, let detail, _): failed.append("\(text): \(detail)")
      case .effect(.network(let effect)): network.append((record.device, effect))
      case .report(let report): if case .finalShown(_, let text)? = report.beam { texts.append(text) }
      default: break
      }
    }
  }

  private func play(_ text: String, seed: UInt64 = 1) throws -> Notes {
    let scenario = try ScenarioReader.read(text: text, file: "a.yaml", language: .beamScribe()).get()
    let notes = Notes()
    _ = try World.run(scenario, options: RunOptions(seed: seed), readers: [notes]) { BeamEngines.reference($1) }
    return notes
  }

  private let text = """
    devices: { host: { phone: iphone }, guest: { count: 2, phone: iphone } }
    beamscribe: { speech: { every: 500ms, finals: 5, partials: 1 } }
    steps:
      - host: { start event: Keynote 2026 }
      - guest-1: join
      - guest-2: { join event: Other talk }
      - { when: host has 5 finals, within: 3s }
      - host: end event
    expect:
      - host is idle
      - host has 5 finals
      - all guests are looking
    """

  @Test("A host speaks on its own, and guests prime for the host that they hear and want")
  func speech() throws {
    let notes = try play(text)
    #expect(notes.failed == [])
    #expect(notes.texts.count == 5)
    let primed = notes.network.filter { if case .prime = $0.effect { true } else { false } }
    #expect(primed.map(\.device) == [1])
    #expect(notes.network.first?.device == 0)
  }

  @Test("What is spoken follows from the seed")
  func seeds() throws {
    #expect(try play(text).texts == play(text).texts)
    #expect(try play(text).texts != play(text, seed: 2).texts)
  }
}
