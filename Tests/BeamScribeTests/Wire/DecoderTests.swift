import BeamFuzzing
import BeamScribe
import Expectations
import Fuzzing
import SimKernel
import Testing

@Suite("Decoders of BeamScribe")
struct DecoderTests {
  @Test("Valid inputs are accepted as a rule", arguments: FuzzedDecoder.beamScribe.map(\.name))
  func valid(name: String) throws {
    let decoder = try required(FuzzedDecoder.beamScribe.first { $0.name == name })
    var stream = RandomStream(seed: 1, component: name, purpose: "test")
    let answers = (0..<200).map { _ in decoder.judge(decoder.valid(&stream)) }
    let accepted = answers.filter { if case .success(.accepted) = $0 { true } else { false } }.count
    expect(accepted >= 120, "\(accepted) of 200")
  }

  @Test("A short campaign finds nothing", arguments: FuzzedDecoder.beamScribe.map(\.name))
  func silent(name: String) throws {
    let decoder = try required(FuzzedDecoder.beamScribe.first { $0.name == name })
    var fuzzer = DecoderFuzzer(decoder, seed: 1)
    for _ in 0..<3_000 {
      if case .fault(let finding) = fuzzer.run(fuzzer.nextInput()) { Issue.record("\(finding.fault)") }
    }
    expect(fuzzer.corpus.count > 5)
  }

  @Test("Drawn packets are read back from their canonical text and from any other")
  func drawn() throws {
    var generator = BeamPacketGenerator(RandomStream(seed: 1, component: "test", purpose: "packets"))
    for _ in 0..<2_000 {
      let packet = generator.packet()
      try equal(BeamPacket(decoding: packet.encoded()), packet)
      try equal(BeamPacket(decoding: generator.looseText(of: packet)), packet)
      let session = generator.session()
      equal(KeptSession(decoding: session.encoded()), session)
    }
  }
}
