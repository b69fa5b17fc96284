import Foundation
import Fuzzing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The process that runs a decoder: a trap ends it and not the command, which then knows the input from a file that
/// both have mapped.
///
/// It tells what it finds by lines: `kept BASE64`, `fault EXECUTION BASE64 RULE`, and at the end
/// `done EXECUTIONS STATES`.
struct ParserWorker {
  let decoder: FuzzedDecoder
  let seed: UInt64
  let log: InputLog
  /// Executions run from `first` up to this one.
  let end: UInt64
  var say: (String) -> Void

  /// - Parameter corpus: inputs that are known already.
  func run(from first: UInt64, corpus: [[UInt8]]) {
    var fuzzer = DecoderFuzzer(decoder, seed: seed, from: first)
    for input in corpus {
      log.enter(.max, input)
      fuzzer.add(input)
    }
    while fuzzer.execution < end {
      let input = fuzzer.nextInput()
      log.enter(fuzzer.execution, input)
      switch fuzzer.run(input) {
      case .nothing: break
      case .kept:
        log.states = UInt64(fuzzer.states)
        say("kept \(Data(input).base64EncodedString())")
      case .fault(let finding):
        let rule = finding.fault.rule
        let small = InputShrinker.shrink(input) { candidate in
          if case .failure(let fault) = decoder.judge(candidate) { fault.rule == rule } else { false }
        }
        say("fault \(finding.execution) \(Data(small).base64EncodedString()) \(rule)")
      }
    }
    say("done \(fuzzer.execution) \(fuzzer.states)")
  }
}

/// A mapped file that holds the number and the octets of the input that is being tried.
final class InputLog {
  /// Octets of an input that fit.
  static let limit = 1 << 16
  private static let header = 32
  private let base: UnsafeMutableRawPointer

  /// - Parameter path: made when it is not there.
  init(path: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0, ftruncate(descriptor, off_t(Self.header + Self.limit)) == 0,
      let mapped = mmap(nil, Self.header + Self.limit, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      mapped != MAP_FAILED
    else { throw BenchFailure("\(path): cannot be mapped: \(String(cString: strerror(errno)))") }
    close(descriptor)
    base = mapped
  }

  deinit { munmap(base, Self.header + Self.limit) }

  private func word(_ index: Int) -> UnsafeMutablePointer<UInt64> {
    (base + index * 8).assumingMemoryBound(to: UInt64.self)
  }

  var execution: UInt64 { word(0).pointee }
  var states: UInt64 {
    get { word(2).pointee }
    set { word(2).pointee = newValue }
  }

  var input: [UInt8] {
    Array(UnsafeRawBufferPointer(start: base + Self.header, count: min(Int(word(1).pointee), Self.limit)))
  }

  func enter(_ execution: UInt64, _ input: [UInt8]) {
    word(0).pointee = execution
    word(1).pointee = UInt64(min(input.count, Self.limit))
    input.withUnsafeBytes {
      (base + Self.header).copyMemory(
        from: $0.baseAddress ?? UnsafeRawPointer(base), byteCount: min($0.count, Self.limit))
    }
  }
}
