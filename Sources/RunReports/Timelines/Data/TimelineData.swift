import Foundation
import Judging
import SimKernel

/// A timeline as a page's script reads it: JSON of columns, made small, in base64.
///
/// What is shown at once and what only a click asks for (layers and octets of PDUs) are apart, so that a page opens
/// before it has looked at the second.
enum TimelineData {
  /// PDUs of one packet that a page leads to.
  private static let carriers = 8

  static func picture(_ timeline: RunTimeline) -> String {
    var texts = TextTable()
    var json = JSONText(capacity: 64 * timeline.pdus.count)
    json.beginObject()
    json.key("end")
    json.value(timeline.end.nanoseconds)
    json.list("lanes", timeline.lanes) { json, lane in json.strings([lane.name, lane.role, lane.about]) }
    json.key("files")
    json.strings(timeline.files)
    json.key("rows")
    json.strings(timeline.rows)
    json.key("spans")
    json.columns(
      timeline.spans,
      [{ $0.lane }, { texts.place($0.track) }, { $0.from.number }, { $0.to.number }, { texts.place($0.text) }])
    json.key("packets")
    json.columns(
      timeline.packets,
      [
        { $0.from }, { $0.to }, { $0.sentAt.number }, { $0.receivedAt?.number ?? -1 }, { texts.place($0.label) },
        { $0.fragments }, { $0.isPacket ? 1 : 0 }, { texts.place($0.text) }, { $0.record }, { $0.file },
        { texts.place($0.note) },
        { packet in packet.head.map { texts.place($0) } ?? -1 },
      ])
    json.list("carriers", timeline.packets) { json, packet in
      json.beginArray()
      for pdu in packet.carriers.prefix(carriers) { json.value(pdu) }
      json.endArray()
    }
    json.key("pdus")
    json.columns(
      timeline.pdus,
      [
        { $0.start.number }, { Int($0.duration.nanoseconds) }, { $0.transmitter }, { $0.receiver }, { $0.rfChannel },
        { $0.fate.rawValue }, { texts.place($0.words) }, { $0.number }, { $0.file }, { $0.row },
      ])
    if !timeline.calls.isEmpty {
      json.key("calls")
      json.columns(
        timeline.calls,
        [
          { $0.kind.rawValue }, { $0.lane }, { $0.at.number }, { texts.place($0.text) }, { $0.peer },
          { $0.isBad ? 1 : 0 }, { $0.record },
        ])
    }
    if !timeline.log.isEmpty {
      json.key("log")
      json.columns(
        timeline.log,
        [{ $0.lane }, { $0.at.number }, { texts.place($0.text) }, { $0.isAfterAnswers ? 1 : 0 }])
    }
    json.list("marks", timeline.marks) { json, mark in
      json.beginArray()
      json.value(mark.kind.rawValue)
      json.value(mark.at.nanoseconds)
      json.value(mark.lane)
      json.value(ShownText.lines(mark.text))
      json.value(mark.isBad)
      json.value(mark.line ?? 0)
      json.strings(mark.details)
      json.beginArray()
      for packet in mark.evidence { json.value(packet) }
      json.endArray()
      json.beginArray()
      for pdu in mark.around { json.value(pdu) }
      json.endArray()
      json.value(mark.place ?? "")
      json.beginArray()
      for line in mark.story {
        json.beginArray()
        json.value(line.at.nanoseconds)
        json.value(ShownText.lines(line.text))
        json.value(line.packet ?? -1)
        json.value(line.pdu ?? -1)
        if let call = line.call { json.value(call) }
        json.endArray()
      }
      json.endArray()
      json.endArray()
    }
    json.key("texts")
    json.strings(texts.all)
    json.endObject()
    return pack(json.octets)
  }

  /// For each PDU its layers, a line each, and its octets.
  static func details(_ timeline: RunTimeline) -> String {
    var json = JSONText(capacity: 256 * timeline.pdus.count)
    json.beginArray()
    for pdu in timeline.pdus {
      json.beginArray()
      json.value(ShownText.lines(pdu.tree))
      json.hexadecimal(pdu.octets)
      json.value(pdu.octetCount)
      json.endArray()
    }
    json.endArray()
    return pack(json.octets)
  }

  /// As zlib makes them small, in base64.
  private static func pack(_ octets: [UInt8]) -> String { Data(Deflate.zlib(octets)).base64EncodedString() }
}

/// Texts by their place in a table, each once.
private struct TextTable {
  private(set) var all: [String] = []
  private var places: [String: Int] = [:]

  mutating func place(_ text: String) -> Int {
    if let place = places[text] { return place }
    places[text] = all.count
    all.append(text)
    return all.count - 1
  }
}

extension SimInstant {
  fileprivate var number: Int { Int(nanoseconds) }
}

extension JSONText {
  fileprivate mutating func strings(_ texts: [String]) {
    beginArray()
    for text in texts { value(ShownText.lines(text)) }
    endArray()
  }

  /// An array of arrays, one for each member; numbers of one kind beside each other become smallest.
  fileprivate mutating func columns<Row>(_ rows: [Row], _ members: [(Row) -> Int]) {
    beginArray()
    for member in members {
      beginArray()
      for row in rows { value(member(row)) }
      endArray()
    }
    endArray()
  }
}
