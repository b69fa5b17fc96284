import Campaigns
import Judging
import RunReports
import SimKernel

/// Lays out for a person where what apps said in one timeline left what they said in another.
struct ConversationPrinter {
  /// Members that differ are named up to here.
  private static let memberLimit = 8

  let paint: Paint
  let first: ComparedRun
  let second: ComparedRun

  func text(_ difference: ConversationDifference) -> String {
    guard let a = first.timeline, let b = second.timeline else { return "" }
    var lines = [first.line("first "), second.line("second"), ""]
    lines += difference.pairs.filter { a.lanes[$0.first].name != b.lanes[$0.second].name }.map {
      "the same device  \(oneLine(a.lanes[$0.first].name)) | \(oneLine(b.lanes[$0.second].name))"
    }
    lines += difference.onlyFirst.map { "not compared     \(oneLine(a.lanes[$0].name)) is in the first only" }
    lines += difference.onlySecond.map { "not compared     \(oneLine(b.lanes[$0].name)) is in the second only" }
    if lines.count > 3 { lines.append("") }
    if let place = difference.packet {
      let (from, to) = (oneLine(a.lanes[place.from].name), oneLine(a.lanes[place.to].name))
      lines.append(paint("the first packet that differs: \(from) → \(to), number \(place.number)", .bold))
      lines.append("  first   \(words(place.first, a))")
      lines.append("  second  \(words(place.second, b))")
    }
    lines += members(difference)
    if difference.isEmpty { lines.append(paint("the same \(packets(difference.compared))", .bold)) }
    if !difference.isEmpty { lines.append("\(packets(difference.compared)) of the same kind and order") }
    lines += missed("first", by: "second", difference.missedBySecond)
    lines += missed("second", by: "first", difference.missedByFirst)
    if let (side, count) = difference.goesOn {
      let (goesOn, over) = side == .first ? ("first", "second") : ("second", "first")
      lines.append("note: the \(goesOn) goes on with \(packets(count)) after the \(over) is over")
    }
    return lines.joined(separator: "\n")
  }

  private func missed(_ side: String, by other: String, _ count: Int) -> [String] {
    count == 0 ? [] : ["note: \(packets(count)) of the \(side) may be among the PDUs that the \(other) lacks"]
  }

  private func members(_ difference: ConversationDifference) -> [String] {
    guard !difference.members.isEmpty else { return [] }
    let head =
      difference.packet == nil ? "every packet is of the same kind; what they say differs" : "what else differs"
    var lines = [paint(head, .bold)]
    for member in difference.members.prefix(Self.memberLimit) {
      let name = member.path.isEmpty ? member.label : "\(member.label) \(member.path)"
      let count = member.count == 1 ? "" : ", and in \(CountedNoun.text(member.count - 1, "more packet"))"
      lines.append(
        "  \(oneLine(name)): \(excerpt(member.first, member.second)) | \(excerpt(member.second, member.first))\(count)")
    }
    let rest = difference.members.count - Self.memberLimit
    if rest > 0 { lines.append("  and \(CountedNoun.text(rest, "more member"))") }
    return lines
  }

  private func words(_ packet: Int?, _ timeline: RunTimeline) -> String {
    guard let packet else { return "nothing more" }
    let it = timeline.packets[packet]
    let place = it.file < 0 ? "record \(it.record)" : "\(timeline.files[it.file]) packet \(it.record)"
    return "\(it.sentAt.microseconds) s  \(oneLine(it.label))" + paint(" [\(oneLine(place))]", .dim)
  }

  /// From a little before the first octet that differs.
  private func excerpt(_ text: String, _ other: String) -> String {
    let (context, limit) = (12, 48)
    let common = zip(text, other).prefix { $0 == $1 }.count
    let rest = text.dropFirst(common > limit ? common - context : 0)
    return oneLine((common > limit ? "…" : "") + (rest.count > limit ? rest.prefix(limit) + "…" : rest))
  }

  private func packets(_ count: Int) -> String { CountedNoun.text(count, "packet") }
  private func oneLine(_ text: some StringProtocol) -> String { ConsoleTable.oneLine(String(text)) }
}
