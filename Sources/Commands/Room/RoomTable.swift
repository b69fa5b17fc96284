import Bench
import Campaigns
import Conformance
import Judging
import SimKernel

/// One pipe: at most one room at a time, and what every line comes to.
///
/// Total: every line is answered by one line. A line that is refused changes nothing.
final class RoomTable {
  /// Longer lines are refused.
  static let lineLimit = 4 << 20

  private var room: PipedRoom?
  /// The lines of the room, as its folder keeps them.
  private var lines: [[UInt8]] = []
  private var hasRefused = false
  private var heaviest = Verdict.none

  /// That of the process, once the input is over.
  var exitCode: Int32 {
    hasRefused ? Judging.ExitCode.usage.rawValue : Judging.ExitCode(heaviest).rawValue
  }

  /// The answer to a line, both without their line ends.
  func answer(_ line: [UInt8]) -> String {
    do throws(RoomRefusal) {
      return String(decoding: try octets(for: line), as: UTF8.self)
    } catch {
      hasRefused = true
      var text = JSONText()
      text.beginObject()
      text.member("error", error.description)
      text.endObject()
      return String(decoding: text.octets, as: UTF8.self)
    }
  }

  private func octets(for line: [UInt8]) throws(RoomRefusal) -> [UInt8] {
    guard line.count <= Self.lineLimit else {
      throw RoomRefusal("the line has \(line.count) octets; a line has at most \(Self.lineLimit)")
    }
    let members: MessageMembers
    let name: String
    do throws(MessageProblem) {
      members = try MessageMembers(octets: line)
      name = try members.text("name")
    } catch {
      throw RoomRefusal(error.description)
    }
    guard let word = RoomWord(rawValue: name) else {
      throw RoomRefusal(
        "there is no word “\(name)”; " + Suggestion.advice(for: name, in: RoomWord.allCases.map(\.rawValue)))
    }
    if word == .room { return try open(members, line) }
    guard let room else { throw RoomRefusal("there is no room; the first line of one has the name “room”") }
    if room.keepsLines { lines.append(line) }
    do throws(MessageProblem) {
      switch word {
      case .room: preconditionFailure("a room is opened before it is asked")
      case .advance: return try room.advance(members)
      case .act: return try room.act(members)
      case .ask: return try room.ask(members)
      case .finish:
        self.room = nil
        let (verdict, answer) = try room.finish(lines)
        heaviest = max(heaviest, verdict)
        return answer
      }
    } catch {
      throw RoomRefusal(error.description)
    }
  }

  private func open(_ members: MessageMembers, _ line: [UInt8]) throws(RoomRefusal) -> [UInt8] {
    // A room that was not finished is over without a verdict.
    room = nil
    let opened: PipedRoom
    do throws(MessageProblem) {
      opened = try PipedRoom(RoomOpening(members))
    } catch {
      throw RoomRefusal(error.description)
    }
    room = opened
    lines = [line]
    return opened.begin()
  }
}

/// The words of the pipe.
enum RoomWord: String, CaseIterable {
  case room
  case advance
  case act
  case ask
  case finish
}

/// Why a line changed nothing.
struct RoomRefusal: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    // One line, whatever a file said.
    self.description = description.split(separator: "\n").joined(separator: "; ")
  }
}
