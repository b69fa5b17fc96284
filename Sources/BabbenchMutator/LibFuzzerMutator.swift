import CLibFuzzer
import Fuzzing
import SimKernel

/// What libFuzzer calls to change an input, when a fuzzer is linked with this library. Every second time it is one of
/// its own mutations, which know the comparisons of the code.
@_cdecl("LLVMFuzzerCustomMutator")
public func libFuzzerMutate(
  _ octets: UnsafeMutablePointer<UInt8>?, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt
) -> Int {
  var stream = RandomStream(seed: UInt64(seed), component: "mutator", purpose: "libfuzzer")
  if let octets, stream.below(2) == 0 {
    let length = libfuzzer_mutate(octets, count, capacity)
    if length > 0 { return length }
  }
  let input = Array(UnsafeBufferPointer(start: octets, count: count))
  let result = ChosenGrammar.grammar.mutated(input, with: [], capacity: capacity, stream: stream)
  for index in result.indices { octets?[index] = result[index] }
  return result.count
}

/// What libFuzzer calls to make one input of two.
@_cdecl("LLVMFuzzerCustomCrossOver")
public func libFuzzerCross(
  _ octets: UnsafePointer<UInt8>?, _ count: Int, _ other: UnsafePointer<UInt8>?, _ otherCount: Int,
  _ result: UnsafeMutablePointer<UInt8>?, _ capacity: Int, _ seed: CUnsignedInt
) -> Int {
  let stream = RandomStream(seed: UInt64(seed), component: "mutator", purpose: "libfuzzer crossing")
  let crossed = ChosenGrammar.grammar.mutated(
    Array(UnsafeBufferPointer(start: octets, count: count)),
    with: Array(UnsafeBufferPointer(start: other, count: otherCount)), capacity: capacity, stream: stream)
  for index in crossed.indices { result?[index] = crossed[index] }
  return crossed.count
}
