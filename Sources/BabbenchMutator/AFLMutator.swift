import Fuzzing
import SimKernel

/// The state of one `afl-fuzz`: its draws, and room for the last result.
private final class AFLMutator {
  private var stream: RandomStream
  private let room: UnsafeMutablePointer<UInt8>
  private let capacity: Int

  init(seed: CUnsignedInt) {
    stream = RandomStream(seed: UInt64(seed), component: "mutator", purpose: "afl")
    capacity = ChosenGrammar.grammar.limit
    room = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
  }

  deinit { room.deallocate() }

  /// The pointer is good until the next call.
  func mutate(_ input: [UInt8], with other: [UInt8], limit: Int) -> (UnsafeMutablePointer<UInt8>, Int) {
    // Each mutation has a stream of its own, so that its length does not shift the next one.
    let own = RandomStream(seed: stream.next(), component: "mutator", purpose: "afl")
    let result = ChosenGrammar.grammar.mutated(input, with: other, capacity: min(capacity, limit), stream: own)
    for index in result.indices { room[index] = result[index] }
    return (room, result.count)
  }
}

/// `afl_custom_init`: AFL++'s custom mutator API. The state is what every other call is given.
@_cdecl("afl_custom_init")
public func aflInit(_ afl: UnsafeMutableRawPointer?, _ seed: CUnsignedInt) -> UnsafeMutableRawPointer? {
  Unmanaged.passRetained(AFLMutator(seed: seed)).toOpaque()
}

/// `afl_custom_fuzz`: one mutation of an input, with another of the queue.
@_cdecl("afl_custom_fuzz")
public func aflFuzz(
  _ state: UnsafeMutableRawPointer, _ octets: UnsafeMutablePointer<UInt8>?, _ count: Int,
  _ result: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, _ other: UnsafeMutablePointer<UInt8>?,
  _ otherCount: Int, _ limit: Int
) -> Int {
  let mutator = Unmanaged<AFLMutator>.fromOpaque(state).takeUnretainedValue()
  let (room, length) = mutator.mutate(
    Array(UnsafeBufferPointer(start: octets, count: count)),
    with: Array(UnsafeBufferPointer(start: other, count: other == nil ? 0 : otherCount)), limit: limit)
  result.pointee = room
  return length
}

/// `afl_custom_deinit`
@_cdecl("afl_custom_deinit")
public func aflDeinit(_ state: UnsafeMutableRawPointer) {
  Unmanaged<AFLMutator>.fromOpaque(state).release()
}
