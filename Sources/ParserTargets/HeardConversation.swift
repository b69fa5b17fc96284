import AppSeam
import BluetoothWire
package import Conformance
import SimKernel
import Synchronization

/// What an implementation was told in one launch of a case, in order: the way to where its peers send values.
package struct HeardConversation: Sendable {
  struct Line: Sendable {
    var input: AppInput
    var instant: SimInstant
  }

  var configuration: AppConfiguration
  var lines: [Line] = []

  /// The values that its peers sent.
  var values: [[UInt8]] {
    lines.compactMap { if case .valueReceived(_, _, let octets) = $0.input { octets } else { nil } }
  }

  /// So many values are enough to begin with, and so many cases are tried for them.
  private static let enoughValues = 12
  private static let caseLimit = 60

  /// Runs cases of the suite until peers have sent enough in one of them.
  ///
  /// - Throws: when the program does not start, or no case gets as far as a value.
  package static func recorded(of implementation: ImplementationUnderTest) throws(ParserProblem) -> Self {
    let tape = Tape()
    var recording = implementation
    recording.makeEngine = { configuration in
      RecordingEngine(implementation.makeEngine(configuration), configuration, tape)
    }
    let suite = Suite([recording])
    for item in suite.items.filter({ suite.notApplicable($0) == nil }).prefix(caseLimit) {
      let result = suite.run(item)
      if let failure = result.failure, failure.kind == .notStarted {
        throw ParserProblem("\(implementation.name): \(failure.detail)", isUsage: false)
      }
      if let best = tape.best, best.values.count >= enoughValues { return best }
    }
    guard let best = tape.best, !best.values.isEmpty else {
      throw ParserProblem(
        "\(implementation.name): no peer got as far as to send it a value; babbench conform says why", isUsage: false)
    }
    return best
  }

  /// The conversation with most values so far.
  private final class Tape: Sendable {
    private let kept = Mutex<HeardConversation?>(nil)

    var best: HeardConversation? { kept.withLock { $0 } }

    func offer(_ conversation: HeardConversation) {
      kept.withLock { if conversation.values.count > $0?.values.count ?? -1 { $0 = conversation } }
    }
  }

  private final class RecordingEngine: FallibleEngine {
    private let engine: any AppEngine
    private let tape: Tape
    private var conversation: HeardConversation

    init(_ engine: any AppEngine, _ configuration: AppConfiguration, _ tape: Tape) {
      self.engine = engine
      self.tape = tape
      conversation = HeardConversation(configuration: configuration)
    }

    func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
      conversation.lines.append(Line(input: input, instant: now))
      tape.offer(conversation)
      return engine.handle(input, at: now)
    }

    var failure: IUTFailure? { (engine as? any FallibleEngine)?.failure }
    var log: String { (engine as? any FallibleEngine)?.log ?? "" }
    func close() { (engine as? any FallibleEngine)?.close() }
  }
}
