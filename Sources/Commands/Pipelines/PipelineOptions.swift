import ArgumentParser
import Campaigns
import Conformance
import Foundation
import Judging

/// What servers and pages of CI show of a run, beside its files.
struct PipelineOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Add a page in Markdown for people at the end of this file, as $GITHUB_STEP_SUMMARY wants it.", valueName: "file")
  )
  var summary: String?

  @Option(help: ArgumentHelp("Print each cause as an annotation of this CI server: github.", valueName: "server"))
  var annotations: AnnotationForm?

  @Option(help: ArgumentHelp("Write the causes to this file as a code quality report of GitLab.", valueName: "file"))
  var codeQuality: String?

  var isAsked: Bool { summary != nil || annotations != nil || codeQuality != nil }

  /// Writes and prints what was asked for.
  /// - Throws: what kept a file from being written.
  func show(_ report: @autoclosure () -> PipelineReport, to streams: OutputStreams) throws {
    guard isAsked else { return }
    let report = report()
    if let summary { try Self.add(MarkdownSummary(report: report).text, to: summary) }
    if let codeQuality { try FileSink.write(report.codeQuality, to: codeQuality) }
    if annotations == .github, !report.annotations.isEmpty {
      streams.tell(report.annotations.joined(separator: "\n"))
    }
  }

  /// Several commands of one step have one page.
  private static func add(_ text: String, to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw BenchFailure("\(path): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    guard WholeWrite.write(Array(text.utf8), to: descriptor) else {
      throw BenchFailure("\(path): \(String(cString: strerror(errno)))")
    }
  }
}

/// A server that shows lines of a log beside files.
enum AnnotationForm: String, ExpressibleByArgument, CaseIterable {
  case github
}
