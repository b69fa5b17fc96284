import AppSeam
import Campaigns
import Conformance
import Judging
import SimKernel

/// What the proofs of all protocols come to, for people and programs.
struct SelftestResult {
  private struct Proof {
    var app: AppProtocol
    var printer: SelftestPrinter
  }

  /// Grows when a member of `result.json` changes its meaning or goes away.
  private static let version = 1

  private let scope: SelftestScope
  private let proofs: [Proof]
  private let milliseconds: Int

  init(_ runs: [SelftestRun], _ scope: SelftestScope, showsPicture: Bool, milliseconds: Int) {
    self.scope = scope
    self.milliseconds = milliseconds
    proofs = runs.map { run in
      Proof(
        app: run.app,
        printer: SelftestPrinter(
          roles: run.app.roles, matrix: run.matrix, partials: run.partials, coverage: ClauseCoverage(of: run.app),
          isWhole: scope.isWhole,
          seeksSurvivors: scope.seeksSurvivors, showsPicture: showsPicture, paint: .standardOutput))
    }
  }

  var text: String { proofs.flatMap(\.printer.lines).joined(separator: "\n") }

  /// That of the first protocol whose proof is not complete.
  var exitCode: Int32 {
    proofs.map { Judging.ExitCode($0.printer.verdict).rawValue }.first { $0 != 0 } ?? 0
  }

  /// Writes `kill-matrix.md` and `clause-coverage.md`; each protocol but the first has a folder of its own.
  func writeDocuments(to output: OutputFolder) throws {
    for (index, proof) in proofs.enumerated() {
      let folder = try index == 0 ? output : output.folder(proof.app.name)
      let matrix = KillMatrixDocument.text(proof.printer.matrix, of: proof.app)
      try FileSink.write(Array(matrix.utf8), to: folder.path(of: "kill-matrix.md"))
      try FileSink.write(Array(proof.printer.coverage.document.utf8), to: folder.path(of: "clause-coverage.md"))
    }
  }

  /// The files of `--out`.
  func write(to output: OutputFolder) throws {
    if scope.isWhole { try writeDocuments(to: output) }
    try FileSink.write(json(), to: output.path(of: "result.json"))
  }

  /// `result.json`; its last member is the only one that depends on a clock.
  private func json() -> [UInt8] {
    var text = JSONText(isIndented: true)
    text.beginObject()
    text.member("version", Self.version)
    text.member("babbench", BenchVersion.current)
    text.member("exitCode", exitCode)
    text.member("repeat", Shell.line(scope.words))
    text.list("protocols", proofs) { text, proof in text.proof(proof.app.name, proof.printer) }
    text.end(wallMilliseconds: milliseconds)
    return text.octets
  }
}

extension JSONText {
  fileprivate mutating func proof(_ name: String, _ printer: SelftestPrinter) {
    let matrix = printer.matrix
    beginObject()
    member("name", name)
    member("verdict", printer.verdict.name)
    member("mutants", matrix.mutants.map(\.name))
    member("survivors", printer.seeksSurvivors ? matrix.survivors.map(\.name) : [])
    member("openClauses", printer.coverage.open.map(\.clause.id))
    objects("purposes", matrix.rows) { json, row in
      json.member("purpose", row.purpose.id)
      json.member("referenceRuns", row.referenceRuns)
      json.objects("referenceFailures", row.referenceFailures) { json, failure in
        json.member("dialect", failure.id.dialect.rawValue)
        // As text: JSON readers that keep numbers as doubles would round it.
        json.member("seed", String(failure.id.seed))
        json.member("verdict", failure.verdict.name)
        json.member("digest", failure.digest.hexadecimal)
      }
      json.member("fails", row.kills)
      json.member("inconclusive", row.inconclusive)
      json.member("passes", row.spared)
    }
    objects("partialEngines", printer.partials.filter { $0.cases > 0 }) { json, partial in
      json.member("purpose", partial.purpose)
      json.member("fails", partial.failed)
      json.member("passes", partial.passed)
      json.member("inconclusive", partial.inconclusive)
      json.member("unfounded", partial.unfounded.map(\.engine))
    }
    endObject()
  }
}
