import Conformance
import Judging
import SimKernel

/// Tells at the marks of a timeline what led to them.
struct StoryMarks {
  /// Troubles whose story is told: the first ones.
  private static let limit = 10

  private let teller: StoryTeller
  /// By the number of a record, the packet that it belongs to.
  private var packets: [Int: Int] = [:]
  /// By file, and by the number of a PDU, its place in the timeline.
  private var pdus: [[Int: Int]]
  /// By the number of a record, its call.
  private var calls: [Int: Int] = [:]

  /// - Parameter timeline: with its packets and PDUs in their final order.
  init(_ teller: StoryTeller, _ timeline: RunTimeline) {
    self.teller = teller
    for (index, packet) in teller.chart.entries.compactMap(\.packet).enumerated() {
      for record in packet.records { packets[record] = packets[record] ?? index }
    }
    for (index, call) in timeline.calls.enumerated() { calls[call.record] = index }
    pdus = timeline.files.map { _ in [:] }
    for (index, pdu) in timeline.pdus.enumerated() { pdus[pdu.file][pdu.number] = index }
  }

  func tell(_ troubles: [Trouble], in marks: inout [RunTimeline.Mark]) {
    for trouble in teller.explained(Array(troubles.prefix(Self.limit))) {
      guard let place = Self.place(of: trouble, in: marks) else { continue }
      let reason = trouble.reason.map { StoryEvent($0.begin, "the reason: " + $0.text, record: $0.record) }
      marks[place].story = ((reason.map { [$0] } ?? []) + teller.story(of: trouble)).map(line)
      let told = marks[place].story.compactMap(\.packet)
      if !told.isEmpty { marks[place].evidence = told }
      for consequence in trouble.consequences {
        let other = marks.firstIndex { $0.kind == .expectation && $0.isBad && $0.text == consequence.text }
        if let other { marks[other].details.append("follows from: \(trouble.claim)") }
      }
    }
  }

  private static func place(of trouble: Trouble, in marks: [RunTimeline.Mark]) -> Int? {
    marks.firstIndex { mark in
      if trouble.clause.isEmpty { return mark.kind == .expectation && mark.isBad && mark.text == trouble.claim }
      return mark.kind == .finding && mark.at == trouble.instant && mark.text.hasSuffix(": \(trouble.claim)")
    }
  }

  private func line(_ event: StoryEvent) -> RunTimeline.StoryLine {
    let pdu = event.pdus.flatMap { pdus[0][$0.lowerBound] }
    let packet = event.packets.flatMap { pdus.count > 1 ? pdus[NetworkRecordWords.file][$0.lowerBound] : nil }
    return RunTimeline.StoryLine(
      at: event.instant, text: event.text, packet: event.record.flatMap { packets[$0] }, pdu: pdu ?? packet,
      call: event.record.flatMap { calls[$0] })
  }
}
