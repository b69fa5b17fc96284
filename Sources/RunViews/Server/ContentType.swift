/// What a file is called on the way to a browser.
struct ContentType {
  var value: String
  /// It is kept as a file, and not shown.
  var isDownload: Bool

  /// By the ending of its name. Only pages of the bench are shown as pages; a name without a known ending is kept.
  init(_ name: String) {
    let ending = name.split(separator: ".").last.map(String.init) ?? ""
    switch ending {
    case "html": (value, isDownload) = ("text/html; charset=utf-8", false)
    case "json": (value, isDownload) = ("application/json", false)
    case "jsonl", "yaml", "yml", "txt", "md", "xml": (value, isDownload) = ("text/plain; charset=utf-8", false)
    case "pcap", "pcapng": (value, isDownload) = ("application/vnd.tcpdump.pcap", true)
    default: (value, isDownload) = ("application/octet-stream", true)
    }
  }
}
