import CaptureFormats
public import SimKernel

/// Holds captures against the general rules, and against a protocol's oracles when one is named.
public struct Checker {
  /// Somebody asked to stop before the end.
  public struct Interrupted: Error {}

  public var paths: [String]
  /// Nil: general rules only.
  public var protocolType: SpokenProtocol?
  /// Nil: found out from the traffic.
  public var dialect: String?
  /// What somebody knows of the captures' clocks, by capture: added to its times instead of an estimate.
  public var clocks: [SimDuration?] = []
  /// For what is encrypted on the air, beside what the captures give away themselves.
  package var keys: [CaptureKey] = []
  /// A rule for which only the beginning or the end of a capture left something open is inconclusive.
  public var isStrict = false
  /// Whether the report gets what only its page shows: the packets around findings and the names of devices. With
  /// findings, captures are read twice, except standard input.
  public var collectsScenes = false
  /// Whose packets are put into words in scenes.
  public var printedProtocols: [SpokenProtocol] = []
  /// Asked now and then, with the number of records so far; true stops.
  public var shouldStop: (_ records: Int) -> Bool = { _ in false }

  public init(paths: [String], protocolType: SpokenProtocol? = nil, dialect: String? = nil) {
    self.paths = paths
    self.protocolType = protocolType
    self.dialect = dialect
  }

  /// Reads all captures to their ends, or to the last whole record of those that end inside one.
  /// - Throws: `CaptureRefusal` for a file that cannot be read; `Interrupted`.
  public func report() throws -> CheckReport {
    let merged = try MergedCaptures(aligning: paths, given: clocks, keys: keys)
    let judge = CaptureJudge(
      paths, clocks: merged.captures.map(\.clock), protocolType: protocolType, dialect: dialect, isStrict: isStrict,
      collectsNames: collectsScenes, identities: merged.keys.identities)
    var count = 0
    while let record = try merged.next() {
      judge.read(record, file: merged.file, at: merged.instant)
      count += 1
      if count & 0xFFF == 0, shouldStop(count) { throw Interrupted() }
    }
    var report = judge.report(on: merged.captures)
    report.notes += Self.notes(on: merged.decryptions, merged.keys, links: judge.links, report.links)
    if collectsScenes, !paths.contains("-") { report.scenes = try scenes(report.packetsOfFindings) }
    return report
  }

  private func scenes(_ records: Set<Int>) throws -> [PacketScene] {
    guard !records.isEmpty else { return [] }
    let merged = try MergedCaptures(aligning: paths, given: clocks, keys: keys)
    let recorder = SceneRecorder(
      records: records, protocols: printedProtocols, viewpoints: merged.viewpoints)
    var count = 0
    while !recorder.isDone, let record = try merged.next() {
      recorder.read(record, file: merged.file, at: merged.instant)
      count += 1
      if count & 0xFFF == 0, shouldStop(count) { throw Interrupted() }
    }
    return recorder.scenes
  }

  static func notes(_ captures: [ReadCapture]) -> [TrafficNote] {
    var notes: [TrafficNote] = []
    for (file, capture) in captures.enumerated() {
      if let clock = capture.clock, clock.isOneSided {
        notes.append(
          TrafficNote(
            text:
              "\(capture.path) has packets of one direction only in common with others: its clock may be off by more"
          ))
      } else if let clock = capture.clock, !clock.isCertain {
        notes.append(
          TrafficNote(
            text: "the clock of \(capture.path) is not certain"
              + (clock.isDisputed ? ": other captures contradict it" : "")
          ))
      } else if file > 0, capture.clock == nil, capture.records > 0 {
        notes.append(
          TrafficNote(text: "\(capture.path) has nothing in common with those before it; its clock is taken as it is")
        )
      }
      if let twin = capture.clock?.twin, captures.indices.contains(twin) {
        notes.append(
          TrafficNote(
            text: "\(capture.path) and \(captures[twin].path) were taken at one place: "
              + "\(CountedNoun.text(capture.shared, "record is", "records are")) in both and counted once"
              + (capture.lacking > 0 && captures[twin].lacking > 0
                ? "; each lacks some that the other has, so that some may be in neither" : "")))
      }
      if case .truncated(let offset) = capture.ending {
        let place = capture.records == 0 ? nil : PacketPlace(file: file, number: capture.records)
        notes.append(
          TrafficNote(
            place: place,
            text: "\(capture.path) ends inside a record, at octet \(offset); judged up to the last whole one"))
      }
      if capture.records == 0 { notes.append(TrafficNote(text: "\(capture.path) has no record")) }
      for opaque in capture.opaque {
        let records = CountedNoun.text(opaque.records, "record is", "records are")
        let verdict = opaque.why.isUnjudgedPDU ? "; what they say is not judged, so the verdict is no pass" : ""
        notes.append(
          TrafficNote(place: PacketPlace(file: file, number: opaque.first), text: "\(records) \(opaque.why)\(verdict)"))
      }
      if let drops = capture.drops, drops > 0 {
        notes.append(TrafficNote(text: "\(capture.path): the capturer says that it lost \(drops) packets"))
      }
    }
    return notes
  }

  /// What of each stream is missing, and why.
  static func notes(_ streams: [CheckReport.Stream]) -> [TrafficNote] {
    streams.flatMap { stream in
      stream.gapKinds.map { gap in
        let times = gap.count == 1 ? "" : ", \(gap.count) times"
        return TrafficNote(place: gap.first, text: "stream \(stream.index): \(gap.kind.rawValue)\(times)")
      }
    }
  }

  /// Records of networks, which no general rule judges.
  static func notes(ofNetworksIn captures: [ReadCapture], _ protocolName: String?) -> [TrafficNote] {
    captures.compactMap { capture in
      let records = capture.links.reduce(0) { $0 + ($1.link.networkHeaderLength == nil ? 0 : $1.records) }
      if records == 0 { return nil }
      let judge =
        protocolName.map { "only the protocol \($0) may judge them" } ?? "only an app's --protocol judges them"
      return TrafficNote(
        text: "\(capture.path): \(CountedNoun.text(records, "record")) of networks, not of Bluetooth; \(judge)")
    }
  }

  /// What of each link could not be judged, and why.
  static func notes(_ links: [CheckReport.Link]) -> [TrafficNote] {
    links.flatMap { link in
      link.gapKinds.map { gap in
        let times = gap.count == 1 ? "" : ", \(gap.count) times"
        return TrafficNote(place: gap.first, text: "link \(link.index): \(gap.kind.rawValue)\(times)")
      }
    }
  }
}
