import Campaigns
import Conformance
import Judging

extension OutputFolder {
  /// Writes what a campaign came to: for people, CI servers and programs.
  func write(_ report: CampaignReport) throws {
    try FileSink.write(try CampaignPage.octets(report, version: BenchVersion.current), to: path(of: "index.html"))
    try FileSink.write(report.junit(), to: path(of: "junit.xml"))
    try FileSink.write(report.json(version: BenchVersion.current), to: path(of: "result.json"))
  }
}
