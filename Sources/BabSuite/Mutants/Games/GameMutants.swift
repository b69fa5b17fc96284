import AppSeam
import BabSim
import Conformance
import SimKernel

/// Defects of lines, turns and scores.

final class CommitsTwice: MutantEngine {
  private var extra = 0

  override func rewrite(_ effect: AppEffect) -> [AppEffect] {
    guard case .committed(let index, let lineID, let text)? = effect.bab else { return [effect] }
    extra += 1
    return [
      .report(.committed(index: index + extra - 1, lineID: lineID, text: text)),
      .report(.committed(index: index + extra, lineID: lineID, text: text)),
    ]
  }
}

final class ReordersHistory: MutantEngine {
  private var held: (index: Int, lineID: String, text: String)?

  override func rewrite(_ effect: AppEffect) -> [AppEffect] {
    guard case .committed(let index, let lineID, let text)? = effect.bab else { return [effect] }
    guard let first = held else {
      held = (index, lineID, text)
      return []
    }
    held = nil
    return [
      .report(.committed(index: first.index, lineID: lineID, text: text)),
      .report(.committed(index: index, lineID: first.lineID, text: first.text)),
    ]
  }
}

final class CompletesForAnother: MutantEngine {
  private struct Seat {
    var player: String
    var link: LinkID
  }

  private var configuration: BabConfiguration?
  private var seats: [Seat] = []
  private var clock: [ClockEntry] = []
  private var pending: (lineID: String, player: String)?
  private var nextPacketID: UInt16 = 0x8000

  convenience init(wrapping inner: any AppEngine, configuration: BabConfiguration) {
    self.init(wrapping: inner)
    self.configuration = configuration
  }

  override func rewrite(_ effect: AppEffect) -> [AppEffect] {
    switch effect.bab {
    case .packetReceived(let link, _, let senderID, _):
      seats.removeAll { $0.player == senderID || $0.link == link }
      seats.append(Seat(player: senderID, link: link))
    case .vectorClock(let entries): clock = entries
    case .lineGenerated(let lineID, let player, _): pending = (lineID, player)
    default: break
    }
    return [effect]
  }

  /// The person at the host completes another player's line: the engine is told that the player did.
  override func rewrite(_ input: AppInput) -> [AppInput] {
    guard case .completeLine? = input.bab, let configuration, let pending,
      pending.player != configuration.peerID,
      let seat = seats.first(where: { $0.player == pending.player })
    else { return [input] }
    var time = VectorClock()
    for entry in clock { time.timestamps[entry.peerID] = entry.count }
    time.increment(pending.player)
    let result = PronunciationResult(errorCount: 0, accuracy: 1, wordErrors: [], skipped: false, duration: 1_000)
    let packet = BabPacket(
      senderID: pending.player, vectorClock: time, payload: .lineCompleted(lineID: pending.lineID, result: result))
    nextPacketID &+= 1
    var fragmenter = Fragmenter(framing: .framed, nextPacketID: nextPacketID)
    let values = (try? fragmenter.fragments(of: packet.encoded(), attMTU: 517)) ?? []
    return values.map {
      .valueReceived(seat.link, characteristic: configuration.dialect.command.uuid, octets: $0)
    }
  }
}

final class PrivateTextShown: MutantEngine {
  private var newest: (lineID: String, text: String)?

  override func rewrite(_ effect: AppEffect) -> [AppEffect] {
    switch effect.bab {
    case .lineGenerated(let lineID, _, let text):
      newest = (lineID, text)
      return [effect]
    case .screen(let line):
      guard line.text == nil, let newest, newest.lineID == line.lineID else { return [effect] }
      return [.report(.screen(ScreenLine(lineID: line.lineID, text: newest.text)))]
    default: return [effect]
    }
  }
}

final class StreakBonusForgotten: MutantEngine {
  private struct Total {
    var player: String
    var counted: Int
    var shown: Int
  }

  private var totals: [Total] = []

  override func rewrite(_ effect: AppEffect) -> [AppEffect] {
    guard case .score(let player, let xp)? = effect.bab else { return [effect] }
    let index: Int
    if let found = totals.firstIndex(where: { $0.player == player }) {
      index = found
    } else {
      totals.append(Total(player: player, counted: 0, shown: 0))
      index = totals.count - 1
    }
    totals[index].shown += min(15, xp - totals[index].counted)
    totals[index].counted = xp
    return [.report(.score(player: player, xp: totals[index].shown))]
  }
}

final class RankingReversed: MutantEngine {
  override func rewrite(_ effect: AppEffect) -> [AppEffect] {
    guard case .leaderboard(let rows)? = effect.bab else { return [effect] }
    let reversed = rows.reversed().enumerated().map { index, row in
      LeaderboardRow(rank: index + 1, player: row.player, score: row.score, highlight: row.highlight)
    }
    return [.report(.leaderboard(reversed))]
  }
}
