import AppSeam
package import Bench
import BluetoothWire
import CaptureCheck
package import Conformance
package import Fuzzing
import SimKernel
import VirtualRadio

/// What follows from a protocol file (Docs/own-protocol.md).
package struct ProtocolFile {
  package let app: AppProtocol
  /// What decodes octets by it, for `fuzz parser`.
  package let decoders: [FuzzedDecoder]

  /// - Parameter spellings: how the file is written where it is named.
  /// - Throws: everything that is wrong with the file, each with its place and what to write instead.
  package init(_ path: String, spellings: [String]) throws(ScenarioProblems) {
    let octets = try ScenarioFile.octets(of: path, kind: ProtocolFileReader.kind).get()
    let form = try ProtocolFileReader.read(octets: octets, file: path)
    app = AppProtocol(form, file: path, spellings: spellings)
    decoders = FuzzedDecoder.file(form)
  }

  /// Whether a file describes a protocol, and is no scenario and no description.
  package static func isOne(_ tree: YAMLTree) -> Bool {
    guard case .mapping(let entries) = tree.value else { return false }
    let keys = entries.map(\.key)
    return keys.contains("protocol") && (keys.contains("packets") || keys.contains("services"))
      && !keys.contains("devices")
  }

  /// `4 packets, 8 claims, 4 test purposes`; nil for a file that is none, or cannot be read.
  /// - Throws: everything that is wrong with a file that is one.
  package static func summary(ofFile path: String) throws(ScenarioProblems) -> String? {
    guard case .success(let octets) = ScenarioFile.octets(of: path, kind: ProtocolFileReader.kind),
      case .success(let tree) = ScenarioReader.tree(octets: octets, file: path, kind: ProtocolFileReader.kind),
      isOne(tree)
    else { return nil }
    let form = try ProtocolFileReader.read(octets: octets, file: path)
    return [
      CountedNoun.text(form.packets.count, "packet"), CountedNoun.text(form.claims.count, "claim"),
      CountedNoun.text(form.purposes.count, "test purpose"),
    ].joined(separator: ", ")
  }
}

extension AppProtocol {
  init(_ form: ProtocolForm, file: String, spellings: [String] = []) {
    self.init(
      FileApp(form, spellings: spellings), title: form.title,
      clauses: form.clauses.map { ClauseText(id: $0.id, text: $0.text, document: file) },
      exemptions: Self.exemptions(of: form),
      // That a program ends or goes on for good breaks no clause of the file's.
      breakdownClause: "", purposes: form.purposes.map { TestPurpose($0, of: form) },
      mutants: Self.mutants(of: form), designs: [], ics: form.features.map(\.item),
      oracles: [OracleDescription(OnlyPackets.self)]
        + form.claims.map {
          OracleDescription(
            id: $0.id, claim: $0.text, clause: $0.clause, nature: $0.kind.isLiveness ? .liveness : .safety,
            restsOn: $0.kind.reads(.shows) ? ["shows"] : [])
        },
      makeOracleReader: { OracleReader.file(form) },
      makeReference: { FileResponder(form, $0.role) },
      makeBed: { FileBed(form, $0) }, chart: ChartWords(form), traffic: nil,
      spoken: SpokenProtocol(
        name: form.name, dialects: [], make: { FileTraffic(form, session: $1) }, makePrinter: { FilePrinter(form) }),
      framing: .file(form))
  }

  /// A claim judges its clause in every run; no test purpose need do so.
  private static func exemptions(of form: ProtocolForm) -> [ClauseExemption] {
    form.clauses.compactMap { clause in
      let claims = form.claims.filter { $0.clause == clause.id }
      if claims.isEmpty || form.purposes.contains(where: { $0.clauses.contains(clause.id) }) { return nil }
      return ClauseExemption(clause: clause.id, reason: "judged by " + claims.map(\.id).joined(separator: ", "))
    }
  }

  /// Each claim broken, and octets in place of each packet that are none.
  private static func mutants(of form: ProtocolForm) -> [Mutant] {
    form.claims.flatMap { mutants(of: $0, form) }
      + form.packets.flatMap { packet in
        packet.senders.compactMap { role -> Mutant? in
          guard let example = EventExample(spoiling: packet, in: form, role: role) else { return nil }
          let name = "spoils-\(packet.name.replacing(" ", with: "-"))" + (packet.senders.count > 1 ? "-\(role)" : "")
          return breaker(
            name, role, clause: form.clauses.first?.id ?? "", failedBy: OnlyPackets.id,
            "sends what is no \(packet.name)",
            form, ClaimBreaker.Breach(examples: [example]))
        }
      }
  }

  private static func mutants(of claim: ProtocolForm.Claim, _ form: ProtocolForm) -> [Mutant] {
    guard case .follows(_, let second, _, _, _) = claim.kind else {
      guard let breach = ClaimBreaker.Breach(of: claim, in: form) else { return [] }
      return [
        breaker(
          "breaks-\(claim.id)", claim.role, clause: claim.clause, failedBy: claim.id, "not: \(claim.text)", form, breach
        )
      ]
    }
    let isChanged = second.conditions.contains { $0.comparison == .equal && !$0.isLength }
    let kinds: [(FileResponder.Defect.Kind, String, String)] =
      [(.silent, "silent", "never \(second.text)"), (.late, "late", "\(second.text), too late")]
      + (isChanged ? [(.wrong, "wrong", "\(second.text), with another value")] : [])
    return kinds.map { kind, word, text in
      Mutant("\(word)-\(claim.id)", claim.role, clause: claim.clause, failedBy: claim.id, text) {
        FileResponder(form, $0.role, defect: FileResponder.Defect(claim: claim.id, kind: kind))
      }
    }
  }

  private static func breaker(
    _ name: String, _ role: AppRole, clause: String, failedBy oracle: String, _ text: String, _ form: ProtocolForm,
    _ breach: ClaimBreaker.Breach
  ) -> Mutant {
    Mutant(name, role, clause: clause, failedBy: oracle, text) { ClaimBreaker(form, $0, breach) }
  }
}

extension ProtocolForm.Feature {
  fileprivate var item: ICS.Item { ICS.Item(name: name, text: text) }
}

extension TestPurpose {
  init(_ purpose: ProtocolForm.Purpose, of form: ProtocolForm) {
    self.init(
      purpose.id, role: purpose.role, peers: form.peers(of: purpose.role), purpose.clauses, purpose.text,
      initial: "The IUT and \(CountedNoun.text(purpose.testers, "tester")) are launched.",
      expects: purpose.steps.map(\.text).filter { text in
        ["iut shows", "iut asks"].contains { text.hasPrefix($0) } || text.contains("hears") || text.contains("finds")
      },
      needs: form.features.filter { purpose.needs.contains($0.name) }.map(\.item),
      dialects: [DialectName(rawValue: "plain")], seeds: [1], testers: purpose.testers,
      arrange: { stage in
        // What a step says is advertised is seen in one piece, before a scan response.
        if !(purpose.arrange + purpose.steps).contains(where: \.kind.advertises) { return }
        for place in stage.testers.indices {
          stage.testers[place].phone.advertising.namePlacement = .advertisingDataFirst
        }
      }
    ) { bed in
      guard let bed = bed as? FileBed else { throw bed.inconclusive("the test bed is another protocol's") }
      try bed.play(purpose)
    }
  }
}

extension ChartWords {
  init(_ form: ProtocolForm) {
    let codec = PacketCodec(form: form)
    let central = form.roles.first { !form.serves($0.role) }?.role ?? AppRole(rawValue: "")
    let framings = Set(form.services.flatMap(\.characteristics).map(\.framing))
    let framing = framings.count == 1 ? framings.first ?? .none : .none
    self.init(
      central: central, makeAssembler: { ChartAssembler(framing) }, fragment: { _ in nil },
      label: { octets in
        do throws(PacketRefusal) { return try codec.decode(octets).name } catch { return "no packet" }
      },
      problem: { octets, _ in
        do throws(PacketRefusal) {
          _ = try codec.decode(octets)
          return nil
        } catch {
          return error.reason
        }
      },
      shown: { $0.among(FreeReport.self).map { "\($0.what) \($0.values.text)" } },
      words: { report in
        report.among(FreeReport.self).map { "shows \($0.what)" + ($0.values.isEmpty ? "" : ": \($0.values.text)") }
          ?? "shows \(report)"
      },
      gist: { octets in (try? codec.decode(octets))?.text ?? "\(octets.count) octets" })
    answers = form.answers
    // Where a server only answers, whoever gets nothing is not left out.
    let served = form.packets.filter { packet in packet.senders.contains { form.serves($0) } }.map(\.name)
    if answers.isSuperset(of: served) { ordinary.insert(.servesOthers) }
  }
}

extension ProtocolForm {
  /// Packets that claims ask for after another packet, on its link, and that no claim asks for on every link.
  fileprivate var answers: Set<String> {
    var (toOne, toAll): (Set<String>, Set<String>) = ([], [])
    for case .follows(let first, let second, _, let isForAll, _) in claims.map(\.kind) where second.verb == .sends {
      if isForAll || first.verb != .hears { toAll.insert(second.name) } else { toOne.insert(second.name) }
    }
    return toOne.subtracting(toAll)
  }
}

private struct ChartAssembler: ChartWords.Assembler {
  private var assembler: FileAssembler

  init(_ framing: FramingForm) { assembler = FileAssembler(framing) }

  mutating func receive(_ octets: [UInt8], at instant: SimInstant) -> ChartWords.Reception {
    var reception = ChartWords.Reception(packet: nil, packetID: 0, isRepeat: false, drops: [])
    for outcome in assembler.receive(octets) {
      switch outcome {
      case .packet(let text, let number): (reception.packet, reception.packetID) = (text, number)
      case .dropped(let reason):
        reception.drops.append(ChartWords.Reception.Drop(packetID: nil, reason: reason, isOfItself: true))
      }
    }
    return reception
  }
}
