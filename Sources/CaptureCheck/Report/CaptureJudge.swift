import CaptureFormats
import Judging
import SimKernel

/// What reads captures, judges them and says so in a report: the same for files and for a capture that still grows.
final class CaptureJudge {
  private let reader: TrafficReader
  let book: RuleBook
  private let summary = TrafficSummary()
  private let network = NetworkSummary()
  private let reading = ReadPlace()
  private var losses = DeclaredLosses()
  private let names: PeerNames?
  private let spoken: (any TrafficJudge)?
  private let protocolType: SpokenProtocol?
  /// A rule for which only the beginning or the end of a capture left something open is inconclusive.
  private let isStrict: Bool

  /// - Parameters:
  ///   - clocks: of the captures, as they were put onto a common one.
  ///   - rules: none to follow the traffic only.
  ///   - collectsNames: whether links get the names of their devices.
  ///   - identities: who resolvable private addresses belong to.
  ///   - observers: see everything too.
  init(
    _ paths: [String], clocks: [ClockOffset?] = [], rules: [any TrafficRule.Type] = TrafficRules.all,
    protocolType: SpokenProtocol?, dialect: String?, isStrict: Bool = false, collectsNames: Bool = false,
    identities: IdentityBook? = nil, observers: [any TrafficObserver] = []
  ) {
    self.isStrict = isStrict
    self.protocolType = protocolType
    book = RuleBook(rules)
    names = collectsNames ? PeerNames() : nil
    spoken = protocolType.map { $0.make(dialect, TrafficSession(paths, clocks)) }
    let judges: [any TrafficObserver] = [summary, network] + (spoken.map { [$0] } ?? []) + [book]
    for rule in book.rules { rule.ledger.reading = reading }
    reader = TrafficReader(
      observers: judges + observers + (names.map { [$0] } ?? []), identities: identities,
      viewpoints: ClockOffset.viewpoints(clocks))
  }

  var adapters: [TrafficAdapter] { reader.adapters }
  var links: [TrafficLink] { reader.links }

  @inline(__always)
  func read(_ record: CaptureRecord, file: Int, at instant: SimInstant) {
    reading.record = PacketPlace(file: file, number: record.number).record
    losses.read(record, file: file, at: instant, links: reader.links)
    reader.read(record, file: file, at: instant)
  }

  /// Everything that is said of captures that have been read to their ends; to be asked for once.
  func report(on captures: [ReadCapture]) -> CheckReport {
    reading.record = nil
    reader.finish()
    losses.finish(captures)
    losses.finish(captures, viewpoints: ClockOffset.viewpoints(captures.map(\.clock)))
    let captures = told(captures)
    let links = summary.links(names)
    let rules = results
    let doubtful = reader.doubtfulRecords
    var judgement = spoken?.results
    if let judged = judgement {
      judgement?.oracles = judged.oracles.map { losses.weigh(ofProtocol: $0, doubtful: doubtful) }
    }
    var report = CheckReport(
      captures: captures, links: links, rules: rules, protocolName: protocolType.map { $0.name },
      judgement: judgement,
      notes: Checker.notes(captures) + damaged(captures) + Checker.notes(links) + Checker.notes(network.streams)
        + Checker.notes(ofNetworksIn: captures, protocolType?.name) + Self.edges(rules))
    report.streams = network.streams
    report.furtherStreams = network.furtherStreams
    report.services = network.services
    report.end = summary.end
    report.step = summary.step
    return report
  }

  /// The captures with what was told apart in them and not followed.
  private func told(_ captures: [ReadCapture]) -> [ReadCapture] {
    var captures = captures
    for part in reader.unjudged where captures.indices.contains(part.file) {
      captures[part.file].opaque.append((.stream(part.stream), part.first, part.records))
    }
    return captures
  }

  /// Captures of the air of which nothing can be believed.
  private func damaged(_ captures: [ReadCapture]) -> [TrafficNote] {
    reader.damaged.filter { captures.indices.contains($0.file) }.map { file, pdus in
      TrafficNote(
        text: "\(captures[file].path): \(pdus == 1 ? "its only PDU has" : "all its \(pdus) PDUs on the air have") a "
          + "wrong CRC, so that it shows noise, or damage, and nothing is believed")
    }
  }

  /// What the captures' ends left open, of rules that are not inconclusive for it.
  private static func edges(_ rules: [OracleResult]) -> [TrafficNote] {
    let open = rules.filter { $0.verdict == .none && $0.open > 0 }
    if open.isEmpty { return [] }
    let names = open.map { "\($0.id) (\($0.open))" }.joined(separator: ", ")
    return [
      TrafficNote(
        text:
          "only what came before the captures or after them could decide, and --strict calls that inconclusive: \(names)"
      )
    ]
  }

  /// What the rules say, with what each of them leaves open.
  private var results: [OracleResult] {
    zip(book.rules, book.results(isStrict: isStrict)).map { rule, result in
      var result = losses.weigh(result, links: reader.links, doubtful: reader.doubtfulRecords)
      result.openReason = type(of: rule).leavesOpen
      result.firstOpen = rule.ledger.firstOpen
      return result
    }
  }
}
