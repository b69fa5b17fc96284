import AppSeam
import BluetoothWire
package import Conformance
package import Fuzzing
import SimKernel
import Synchronization

/// A program of the IUT protocol as a parser: it is told what it was told in a case up to the first value of a peer,
/// and then other values. An input is values one after another, each with an octet before it that counts it.
///
/// Each input has a launch of its own. Not modelled: timers, and answers of the radio to what the program does after
/// the first value.
package final class ParserImplementation: Sendable {
  private let implementation: ImplementationUnderTest
  private let way: [HeardConversation.Line]
  /// The first value of a peer: its link and characteristic are those of the others.
  private let example: HeardConversation.Line
  private let configuration: AppConfiguration
  /// What peers sent in the case, as an input.
  package let seeds: [[UInt8]]
  private let stopped = Mutex<ParserProblem?>(nil)

  /// Virtual time between values.
  private static let pause = SimDuration.milliseconds(10)

  package init(_ implementation: ImplementationUnderTest, _ conversation: HeardConversation) throws(ParserProblem) {
    guard
      let first = conversation.lines.firstIndex(where: { if case .valueReceived = $0.input { true } else { false } })
    else { throw ParserProblem("\(implementation.name): its peers sent no value", isUsage: false) }
    self.implementation = implementation
    way = Array(conversation.lines[..<first])
    example = conversation.lines[first]
    configuration = conversation.configuration
    let values = conversation.values.filter { $0.count <= Int(UInt8.max) }
    let all = values.flatMap { [UInt8($0.count)] + $0 }
    seeds = [all] + values.map { [UInt8($0.count)] + $0 }
  }

  /// Why no input can be tried; nil while they can.
  package var problem: ParserProblem? { stopped.withLock { $0 } }

  /// The program as the fuzzer sees it.
  package func decoder(_ name: String, _ grammar: InputGrammar) -> FuzzedDecoder {
    FuzzedDecoder(parser: name, grammar, isBlind: false) { self.answer($0) }
  }

  private func answer(_ input: [UInt8]) -> FuzzedDecoder.Answer {
    guard case .valueReceived(let link, let characteristic, _) = example.input else {
      return .refused(reason: "no value", offset: nil)
    }
    let engine = implementation.makeApp(configuration)
    let fallible = engine as? any FallibleEngine
    defer { fallible?.close() }
    for line in way { _ = engine.handle(line.input, at: line.instant) }
    if let failure = fallible?.failure {
      let problem = ParserProblem("\(implementation.name): \(failure.detail)", isUsage: false)
      stopped.withLock { $0 = $0 ?? problem }
      return .refused(reason: "not started", offset: nil)
    }
    var (rest, now, kind) = (input[...], example.instant, UInt64(0))
    while let count = rest.popFirst() {
      let octets = Array(rest.prefix(Int(count)))
      rest = rest.dropFirst(Int(count))
      let effects = engine.handle(.valueReceived(link, characteristic: characteristic, octets: octets), at: now)
      if let failure = fallible?.failure { return .broken(failure.cause, detail: failure.detail) }
      for effect in effects { kind = RandomStream.mix(kind ^ Self.number(effect)) }
      now = now + Self.pause
    }
    return .accepted(kind: kind, canonical: nil)
  }

  /// Tells effects apart by what they ask for, not by their octets.
  private static func number(_ effect: AppEffect) -> UInt64 {
    switch effect {
    case .notify: 1
    case .write, .writeWithoutResponse: 2
    case .disconnect: 3
    case .report: 4
    case .setTimer, .cancelTimer: 5
    default: 6
    }
  }
}
