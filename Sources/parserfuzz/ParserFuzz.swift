import BabFuzzing
import BabSuite
import BeamFuzzing
import BeamSuite
import Bench
import Bystanders
import Conformance
import Foundation
import Fuzzing
import SimKernel

// What libFuzzer calls: a decoder of the table, named by BABBENCH_FUZZ_PARSER, with mutations by its structure. There
// is no main here; libFuzzer has it. `Tests/Coverage/run` builds and runs this.

private let decoder: FuzzedDecoder = {
  let all =
    FuzzedDecoder.bab + FuzzedDecoder.beamScribe + FuzzedDecoder.general
    + [.scenario(ScenarioLanguage([.bab, .beamscribe, .bystander]))]
  let name = ProcessInfo.processInfo.environment["BABBENCH_FUZZ_PARSER"] ?? ""
  if let decoder = all.first(where: { $0.name == name }) { return decoder }
  let names = all.map(\.name).joined(separator: " ")
  FileHandle.standardError.write(Data("BABBENCH_FUZZ_PARSER must be one of: \(names)\n".utf8))
  exit(64)
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ octets: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: octets, count: count))
  guard input.count <= decoder.limit else { return -1 }
  if case .failure(let fault) = decoder.judge(input) {
    FileHandle.standardError.write(Data("\(fault)\n".utf8))
    abort()
  }
  return 0
}

@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ octets: UnsafeMutablePointer<UInt8>?, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt) -> Int {
  let stream = RandomStream(seed: UInt64(seed), component: decoder.name, purpose: "libfuzzer")
  let input = Array(UnsafeBufferPointer(start: octets, count: count))
  let result = decoder.grammar.mutated(input, with: [], capacity: capacity, stream: stream)
  for index in result.indices { octets?[index] = result[index] }
  return result.count
}
