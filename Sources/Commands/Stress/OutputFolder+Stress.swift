import Campaigns
import Judging
import Stress

extension OutputFolder {
  /// Writes what a campaign came to: for people, CI servers and programs.
  func write(_ result: CampaignResult, _ report: StressReport) throws {
    try FileSink.write(try result.octets(), to: path(of: "result.json"))
    try FileSink.write(report.table(), to: path(of: "measures.csv"))
    try FileSink.write(report.junit(), to: path(of: "junit.xml"))
    try FileSink.write(try StressPage.octets(report, version: BenchVersion.current), to: path(of: "index.html"))
  }
}
