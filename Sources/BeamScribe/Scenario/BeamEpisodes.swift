import Bench

/// What a talk seldom has, in the order and at the times at which apps go wrong.
struct BeamEpisodes {
  let leader: String
  let cast: WorldCast
  let talk: BeamTalk
  /// What the leader does to start its event.
  let event: YAMLTree

  func draw(_ draws: Draws) -> [WorldBeat] {
    switch talk.kind {
    case .any: return draws.happens("happens", permille: 240) ? ofPeople(draws) : []
    case .long:
      let isOver = WorldBeat.Start.when("\(leader) has at least \(talk.finals) finals", within: "90s")
      return [WorldBeat(isOver, leader, say(draws))]
    case .fast: return slowReader(draws)
    case .huge: return duringHistory(draws)
    }
  }

  private func ofPeople(_ draws: Draws) -> [WorldBeat] {
    // Where there are other events, their guests are told of one that begins while they are lost.
    let beginnings = cast.isAlone ? 3 : 7
    switch draws.weighted(
      "episode", [(4, "alerts"), (4, "gone"), (beginnings, "killed"), (beginnings, "again")])
    {
    case "alerts": return alerts(draws)
    case "gone": return gone(draws)
    case "killed": return killed(draws)
    default: return again(draws)
    }
  }

  private func whenOpen(_ count: Int) -> WorldBeat.Start {
    .when("\(leader) has at least \(count) open guests", within: "60s")
  }

  private func say(_ draws: Draws) -> [YAMLTree] { [BeamWorlds.words("say", draws)] }

  /// The same alert twice, as far apart as it takes to be shown.
  private func alerts(_ draws: Draws) -> [WorldBeat] {
    [
      WorldBeat(whenOpen(draws.number("open", 1...min(3, cast.members.count))), leader, [.scalar("battery low")]),
      WorldBeat(.after(draws.milliseconds("charges", 20...3_000)), leader, [.scalar("battery ok")]),
      WorldBeat(.after(draws.milliseconds("is empty", 20...3_000)), leader, [.scalar("battery low")]),
      WorldBeat(.after(draws.milliseconds("goes on", 2_500...6_000)), leader, say(draws)),
    ]
  }

  /// The leader is away for longer than guests need to notice.
  private func gone(_ draws: Draws) -> [WorldBeat] {
    [
      WorldBeat(whenOpen(1), leader, [.scalar("vanish")]),
      WorldBeat(.after(draws.milliseconds("away", 62_000...110_000)), leader, [.scalar("appear")]),
    ]
  }

  /// The leader's app is closed and launched again while its guests ask for it.
  private func killed(_ draws: Draws) -> [WorldBeat] {
    [
      WorldBeat(whenOpen(1), leader, [.scalar("kill")]),
      WorldBeat(.after(draws.milliseconds("away", 50...9_000)), leader, [.scalar("relaunch"), event]),
      WorldBeat(.after(draws.milliseconds("goes on", 20...40_000)), leader, say(draws)),
    ]
  }

  /// An event that ends, and begins again while its guests look for it.
  private func again(_ draws: Draws) -> [WorldBeat] {
    let begins: WorldBeat.Start =
      draws.happens("at the beginning", permille: 500) ? .after(draws.milliseconds("begins", 20...2_000)) : whenOpen(1)
    return [
      WorldBeat(begins, leader, [.scalar("end event")]),
      WorldBeat(.after(draws.milliseconds("pause", 1...2_000)), leader, [event]),
      WorldBeat(.after(draws.milliseconds("goes on", 20...20_000)), leader, say(draws)),
    ]
  }

  /// One guest does not read while much is said, and reads again.
  private func slowReader(_ draws: Draws) -> [WorldBeat] {
    let guest = draws.one("guest", of: cast.members)
    return [
      WorldBeat(whenOpen(min(2, cast.members.count)), guest, [.scalar("stop reading")]),
      WorldBeat(.after(draws.milliseconds("does not read", 9_000...28_000)), guest, [.scalar("read again")]),
    ]
  }

  /// Finals while the first guest gets its history, and often the end of the leader's app in the midst of it.
  private func duringHistory(_ draws: Draws) -> [WorldBeat] {
    var beats = [
      WorldBeat(whenOpen(1), leader, say(draws.of("at once"))),
      WorldBeat(.after(draws.milliseconds("later", 1...150)), leader, say(draws.of("later"))),
    ]
    guard draws.happens("is closed", permille: 500) else { return beats }
    beats += [
      WorldBeat(.after(draws.milliseconds("closes", 1...150)), leader, [.scalar("kill")]),
      WorldBeat(.after(draws.milliseconds("away", 50...3_000)), leader, [.scalar("relaunch"), event]),
      // So long a guest may take to return.
      WorldBeat(.after(draws.milliseconds("goes on", 31_000...40_000)), leader, say(draws.of("again"))),
    ]
    return beats
  }
}
