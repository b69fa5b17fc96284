import PlantedParsers

/// Parsers with a missing or a wrong line, each hunted with the grammar of a row of the table of decoders.
extension Defect {
  private struct Known {
    var grammar: String
    var shows = "trap"
    var seen: String?
  }

  private static let known: [String: Known] = [
    "ad-length-zero": Known(grammar: "ad", shows: "hang"),
    "ad-name-past-end": Known(grammar: "ad"),
    "ad-offset-outside": Known(grammar: "ad", shows: "offset"),
    "report-count-times-size": Known(grammar: "hci-to-host"),
    "extended-report-room": Known(
      grammar: "hci-event", seen: "CVE-2020-24490, extended advertising data in BlueZ's kernel part"),
    "find-information-stride": Known(grammar: "att"),
    "error-handle-order": Known(grammar: "att", shows: "encoding"),
    "credit-connection-room": Known(
      grammar: "l2cap-signal", seen: "like CVE-2017-1000251, options that are collected into a fixed room"),
    "connect-empty-map": Known(
      grammar: "ll-connect", seen: "CVE-2020-10069, a channel map that Zephyr did not look at"),
    "sdu-length-trusted": Known(grammar: "l2cap"),
    "json-depth": Known(grammar: "bab-packet", seen: "CWE-674"),
    "json-text-cut": Known(grammar: "bab-packet"),
    "json-number": Known(grammar: "bab-packet"),
    "fragment-index": Known(grammar: "fragments-framed"),
    "fragment-twice": Known(grammar: "fragments-framed"),
    "fragment-count-changes": Known(grammar: "fragments-framed"),
    "partial-kept": Known(grammar: "fragments-framed"),
    "btsnoop-length-trusted": Known(grammar: "capture-btsnoop", shows: "memory"),
    "btsnoop-more-than-original": Known(grammar: "capture-btsnoop"),
    "pcapng-block-zero": Known(grammar: "capture-pcapng", shows: "hang"),
  ]

  static let parsers: [Defect] = PlantedParser.all.map { parser in
    guard let known = known[parser.id] else { preconditionFailure("nothing is known of \(parser.id)") }
    return Defect(
      id: parser.id, kind: .parser, summary: parser.summary, seen: known.seen, shows: known.shows,
      hunt: .parser(parser, grammar: known.grammar))
  }
}
