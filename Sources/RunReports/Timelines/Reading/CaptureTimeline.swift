package import CaptureCheck
import Judging
import SimKernel

extension RunTimeline {
  /// Connections of one device that are drawn beside each other; more share the last track.
  private static let tracks = 8
  /// Records of a finding's connection that are named before and after its own.
  private static let reach = 3

  /// What captures show, with what was found in them.
  package init(_ report: CheckReport, _ picture: CapturePicture) {
    let files = CheckText.shortNames(report.captures.map(\.path))
    // Times of real captures step back at times, also to before their first record.
    let first = min(.zero, picture.records.map(\.instant).min() ?? .zero)
    let clock = Clock(shift: .zero - first)
    let last = picture.records.map { $0.instant + $0.duration }.max() ?? .zero
    self.init(
      lanes: picture.devices.map {
        Lane(name: $0.name, role: $0.role, about: $0.about.joined(separator: ", "), addresses: $0.addresses)
      },
      end: clock(max(report.end, last)))
    self.files = files
    missesPDUs = report.links.contains { $0.gaps > 0 || !$0.isFromStart }
    omissions = picture.omissions
    if first < .zero { omissions.append("times step back to \(first) s, which is drawn as 0") }
    rows = Self.rows(picture)
    let order = picture.records.indices.sorted { a, b in
      (picture.records[a].instant, a) < (picture.records[b].instant, b)
    }
    pdus = order.map { Self.pdu(picture.records[$0], clock, hasBoth: rows.count > 1) }
    packets = picture.messages.map { Self.packet($0, clock) }
    spans = Self.spans(report, picture, clock)
    marks = Self.marks(picture.remarks, files, clock)
    let places = Dictionary(
      uniqueKeysWithValues: order.enumerated().map { (picture.records[$1].place, $0) })
    let links = order.map { picture.records[$0].isEmpty ? nil : picture.records[$0].link }
    for result in report.rules {
      for finding in result.findings {
        let connection = picture.connections.first { $0.link == finding.device }
        marks.append(mark(finding, lane: connection?.central ?? -1, isOfSender: true, clock, places, links))
      }
    }
    let participants = report.judgement?.participants ?? []
    for finding in (report.judgement?.oracles ?? []).flatMap(\.findings) {
      let address = participants.indices.contains(finding.device) ? participants[finding.device].address : ""
      let lane = picture.devices.firstIndex { $0.addresses.contains(address) } ?? -1
      marks.append(mark(finding, lane: lane, isOfSender: false, clock, places, links))
    }
  }

  /// Puts times of captures onto that of the page, which begins at 0.
  private struct Clock {
    var shift: SimDuration

    func callAsFunction(_ instant: SimInstant) -> SimInstant { CapturePicture.bounded(instant) + shift }
  }

  /// A comment that is said again and again, of many records, is no flag.
  private static let repeats = 3

  private static func marks(_ remarks: [CapturePicture.Remark], _ files: [String], _ clock: Clock) -> [Mark] {
    var said: [String: Int] = [:]
    for remark in remarks where remark.isComment { said[remark.text, default: 0] += 1 }
    return remarks.map { remark in
      let isFlag = remark.isComment && said[remark.text, default: 0] <= repeats
      return Mark(
        kind: isFlag ? .comment : .note, at: clock(remark.instant), lane: isFlag ? -1 : remark.device,
        text: remark.text, place: "\(files[remark.place.file]) packet \(remark.place.number)")
    }
  }

  private static func rows(_ picture: CapturePicture) -> [String] {
    let isOnAir = picture.records.contains { $0.seam == .air }
    let isAtHCI = picture.records.contains { $0.seam == .hci }
    return isOnAir && isAtHCI ? ["radio", "HCI"] : isAtHCI ? ["HCI"] : ["radio"]
  }

  private static func pdu(_ record: CapturePicture.Record, _ clock: Clock, hasBoth: Bool) -> PDU {
    PDU(
      start: clock(record.instant), duration: record.duration, transmitter: record.from, receiver: record.to,
      rfChannel: record.rfChannel ?? -1, fate: record.isBroken ? .corrupted : .received, words: record.words,
      tree: record.tree, octets: record.octets, octetCount: record.octetCount, number: record.place.number,
      file: record.place.file, row: hasBoth && record.seam == .hci ? 1 : 0)
  }

  private static func packet(_ message: CapturePicture.Message, _ clock: Clock) -> Packet {
    Packet(
      from: message.from, to: message.to, sentAt: clock(message.sentAt), receivedAt: clock(message.receivedAt),
      label: message.label, fragments: message.fragments, isPacket: true, isOfApp: message.isOfApp,
      heading: message.heading, body: message.body, record: message.place.number, file: message.place.file)
  }

  /// A span in the lane of each end, on the first track of the lane that is free.
  private static func spans(_ report: CheckReport, _ picture: CapturePicture, _ clock: Clock) -> [Span] {
    var spans: [Span] = []
    var busy: [[SimInstant]] = Array(repeating: [], count: picture.devices.count)
    for connection in picture.connections where !connection.isRepeat {
      guard report.links.indices.contains(connection.link) else { continue }
      let link = report.links[connection.link]
      let from = clock(link.openedAt)
      let to = clock(link.closedAt ?? report.end)
      for (lane, other) in [(connection.central, connection.peripheral), (connection.peripheral, connection.central)] {
        guard busy.indices.contains(lane) else { continue }
        let free = busy[lane].firstIndex { $0 <= from } ?? busy[lane].count
        let track = min(free, tracks - 1)
        if track == busy[lane].count { busy[lane].append(to) } else { busy[lane][track] = to }
        let peer = picture.devices.indices.contains(other) ? picture.devices[other].name : "unknown"
        let interval = link.interval.map { ", interval \($0) × 1.25 ms" } ?? ""
        spans.append(
          Span(
            lane: lane, track: track == 0 ? "connection" : "connection \(track + 1)", from: from, to: to,
            text: "\(connection.link): \(peer)\(interval)\(link.isEncrypted ? ", encrypted" : "")"))
      }
    }
    return spans
  }

  private func mark(
    _ finding: Finding, lane: Int, isOfSender: Bool, _ clock: Clock, _ places: [PacketPlace: Int], _ links: [Int?]
  ) -> Mark {
    let place = finding.record.map { PacketPlace(record: $0) }
    let index = place.flatMap { places[$0] }
    let sender = index.map { pdus[$0].transmitter } ?? -1
    var mark = Mark(
      kind: .finding, at: clock(finding.instant), lane: isOfSender && sender >= 0 ? sender : lane,
      text: "\(finding.verdict.name): \(finding.oracle)",
      details: ["expected \(finding.expected)", "saw \(finding.actual)", finding.clause],
      isBad: finding.verdict > .pass)
    mark.place = place.map { "\(files[$0.file]) packet \($0.number)" }
    if let index { mark.around = around(index, links) }
    return mark
  }

  private func around(_ index: Int, _ links: [Int?]) -> [Int] {
    let file = pdus[index].file
    let isNear = { other in links[other] != nil && links[other] == links[index] && pdus[other].file == file }
    let window = 2_000
    let before = (max(0, index - window)..<index).reversed().lazy.filter(isNear).prefix(Self.reach)
    let after = (index + 1..<max(index + 1, min(pdus.count, index + window))).lazy.filter(isNear).prefix(Self.reach)
    return before.reversed() + [index] + after
  }
}
