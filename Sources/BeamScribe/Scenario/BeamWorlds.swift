import AppSeam
import Bench

/// What people do with BeamScribe in worlds that are drawn: somebody talks, others read.
struct BeamWorlds: AppWorlds {
  /// More guests than a host takes (BEAM 1.3).
  var crowd: Int? { BeamConfiguration.seats + 1 }

  /// Bad frames and wrong numbers of hosts, and a guest that sends.
  var rudeEngines: [String] {
    ["history-off-by-one", "live-chunk-forgotten", "long-fraction", "up-to-counts-partials", "says-hello"]
  }

  func settings(_ casts: [WorldCast], _ outsiders: [WorldOutsider], _ draws: Draws) -> YAMLTree? {
    let talk = BeamTalk(draws)
    if talk.speech == nil, draws.happens("none", permille: 60) { return nil }
    return .map([
      (
        "host advertises",
        draws.happens("says until when", permille: 250)
          ? .scalar(draws.one("until", of: ["first guest", BeamApp.freeSeats])) : nil
      ),
      (
        "sent timestamp",
        draws.happens("says timestamp", permille: 200) ? .flag(draws.happens("yes", permille: 500)) : nil
      ),
      ("resume", draws.happens("says resume", permille: 250) ? .flag(draws.happens("resumes", permille: 500)) : nil),
      ("speech", talk.speech ?? (draws.happens("speech", permille: 800) ? speech(draws.of("speech")) : nil)),
    ])
  }

  private func speech(_ draws: Draws) -> YAMLTree {
    if draws.happens("plain", permille: 150) { return .flag(true) }
    return .map([
      ("every", draws.happens("says every", permille: 900) ? .scalar(draws.milliseconds("every", 60...4_000)) : nil),
      ("finals", draws.happens("says finals", permille: 600) ? .scalar(draws.number("finals", 1...120)) : nil),
      ("partials", draws.happens("says partials", permille: 500) ? .scalar(draws.number("partials", 0...5)) : nil),
    ])
  }

  func saysMuch(_ draws: Draws) -> Bool { BeamTalk(draws).finals > 1_000 }

  func beginning(of device: String, _ cast: WorldCast, _ draws: Draws) -> [YAMLTree] {
    if device == cast.leader { return [event(cast, draws)] }
    return [join(cast, draws)]
  }

  /// Others in the room may have events too, so some have a name.
  private func event(_ cast: WorldCast, _ draws: Draws) -> YAMLTree {
    if let leader = cast.leader, !cast.isAlone || draws.happens("event is named", permille: 250) {
      return .map([("start event", .scalar(Self.name(of: leader)))])
    }
    return .scalar("start event")
  }

  private func join(_ cast: WorldCast, _ draws: Draws) -> YAMLTree {
    guard let leader = cast.leader, !cast.isAlone || draws.happens("joins by name", permille: 100) else {
      return .scalar("join")
    }
    return .map([("join event", .scalar(Self.name(of: leader)))])
  }

  private static func name(of leader: String) -> String { "Talk of \(leader)" }

  func story(_ cast: WorldCast, _ draws: Draws) -> WorldStory {
    var story = WorldStory()
    let talk = BeamTalk(draws)
    let opening = cast.leader.map {
      WorldBeat(.after(draws.pause("opens")), $0, [event(cast, draws.of("event"))])
    }
    let isLate = talk.kind == .huge
    let isEarly = !isLate && draws.happens("guests are early", permille: 250)
    if !isEarly, let opening { story.beats.append(opening) }
    var arrivals = joining(cast, draws.of("joining"))
    // All is spoken when a gate opens.
    if isLate { arrivals[0].start = .after(draws.milliseconds("guests are late", 12_000...15_000)) }
    story.beats += arrivals
    if isEarly, let opening { story.beats.append(opening) }
    if let leader = cast.leader {
      story.beats += BeamEpisodes(leader: leader, cast: cast, talk: talk, event: event(cast, draws.of("event")))
        .draw(draws.of("episode"))
      if draws.happens("waits for all", permille: 250) {
        let all = cast.members.joined(separator: ", ")
        story.beats.append(WorldBeat(.when("\(all) is showing", within: "60s"), leader, [Self.words("say", draws)]))
      }
      story.beats += turns(leader, cast, draws.of("talk"))
      if let seats = cast.seats { story.always.append("\(leader) has at most \(seats) links") }
      story.always.append("\(leader) has at most 7 open guests")
      story.moments += [
        "\(leader) is hosting", "\(leader) has at least 1 guests",
        "\(leader) has at least \(draws.number("finals then", 1...9)) finals",
      ]
    }
    for member in cast.members {
      story.moments += ["looking", "connecting", "connected", "showing", "lost"].map { "\(member) is \($0)" }
    }
    return story
  }

  private func joining(_ cast: WorldCast, _ draws: Draws) -> [WorldBeat] {
    switch draws.weighted("way", [(5, "together"), (3, "one by one"), (2, "spread")]) {
    case "together": return [WorldBeat(.after(draws.pause("together")), cast.crowd, [join(cast, draws)])]
    case "spread":
      return [
        WorldBeat(
          .after(draws.pause("spread begins")), cast.crowd, [join(cast, draws)], spread: draws.spread("spread"))
      ]
    default:
      return draws.inDrawnOrder("order", cast.members).enumerated().map { index, member in
        let draws = draws.of("member", index)
        return WorldBeat(.after(draws.pause("joins")), member, [join(cast, draws)])
      }
    }
  }

  private func turns(_ leader: String, _ cast: WorldCast, _ draws: Draws) -> [WorldBeat] {
    var beats: [WorldBeat] = []
    for index in 0..<draws.weighted("turns", [(3, 0), (3, 2), (2, 6)]) {
      let draws = draws.of("turn", index)
      let guest = draws.one("guest", of: cast.members)
      let (who, action): (String, YAMLTree) = draws.weighted(
        "action",
        [
          (5, (leader, Self.words("say", draws))), (3, (leader, Self.words("say partial", draws))),
          (1, (leader, .scalar("battery low"))), (1, (leader, .scalar("battery ok"))),
          (1, (guest, .scalar("stop reading"))), (2, (guest, .scalar("read again"))), (1, (guest, .scalar("leave"))),
          (1, (guest, join(cast, draws))),
        ])
      beats.append(WorldBeat(.after(draws.pause("pause")), who, [action]))
    }
    if draws.happens("leaves", permille: 150) {
      let who = draws.one("leaver", of: cast.members)
      beats.append(WorldBeat(.after(draws.pause("leaves")), who, [.scalar("leave")]))
      if draws.happens("returns", permille: 600) {
        beats.append(WorldBeat(.after(draws.pause("returns")), who, [join(cast, draws.of("returns"))]))
      }
    }
    if draws.happens("ends", permille: 150) {
      beats.append(WorldBeat(.after(draws.milliseconds("end", 1...9_000)), leader, [.scalar("end event")]))
      if draws.happens("again", permille: 500) {
        beats.append(WorldBeat(.after(draws.pause("again")), leader, [event(cast, draws.of("again"))]))
      }
    }
    return beats
  }

  /// Text of every length and kind of character, with space at its ends now and then.
  static func words(_ action: String, _ draws: Draws) -> YAMLTree {
    let draws = draws.of("words")
    let list = ["so", "the", "talk", "begins", "naïve", "日本語", "🎤", "“quoted”", "back\\slash", "e\u{301}tude", "and"]
    let count = draws.weighted("length", [(5, 3), (3, 9), (1, 60), (1, 300)])
    let text = (0..<count).map { draws.one("word \($0)", of: list) }.joined(separator: " ")
    let space: [(weight: Int, value: String)] = [(17, ""), (1, " "), (1, "\t"), (1, "  ")]
    let (before, after) = (draws.weighted("space before", space), draws.weighted("space after", space))
    if draws.happens("only space", permille: 15) { return .map([(action, .scalar("   "))]) }
    return .map([(action, .scalar(before + text + after))])
  }

  func condition(_ cast: WorldCast, _ draws: Draws) -> String {
    let who = draws.one("who", of: cast.everyone)
    let count = draws.one("comparison", of: ["at least", "at most", "exactly"]) + " \(draws.number("bound", 0...6)) "
    let counted = [
      "finals", "guests", "open guests", "streams", "losses", "alerts", "own alerts", "refused streams",
      "unstable streams", "claimed latencies",
    ]
    return draws.weighted(
      "predicate",
      [
        (3, "\(who) is \(draws.one("state", of: BeamState.allCases.map(\.rawValue)))"),
        (1, "\(who) agrees on transcript"), (1, "\(who) has cleared its transcript"),
        (1, "\(who) shows \"so\""), (1, "\(who) shows partial \"so\""),
        (1, "\(who) event is named \"\(Self.name(of: cast.leader ?? who))\""),
        (1, "\(who) is on \(draws.one("interface", of: NetworkInterface.allCases).rawValue)"),
        (1, "\(who) has alert \(draws.one("alert", of: BeamVocabulary.alerts)) shown"),
        (1, "\(who) has refused \(draws.one("reason", of: BeamVocabulary.reasons))"),
        (4, "\(who) has " + count + draws.one("counted", of: counted)),
        (2, "\(who) has " + count + draws.one("packet", of: BeamVocabulary.packetTypes) + " packets"),
      ])
  }
}
