import AppSeam
import Bench
import SimKernel

/// BeamScribe's words in scenario files, as lists.
enum BeamVocabulary {
  static let plainActions: [(word: String, action: BeamAction)] = [
    ("start event", .startEvent(name: "")), ("end event", .endEvent), ("battery low", .batteryLow),
    ("battery ok", .batteryOK), ("join", .join), ("leave", .leave), ("stop reading", .stopReading),
    ("read again", .readAgain),
  ]

  static let actions: [KeyTable.Key] = [
    .init("start event", .text, "under this name; a host"),
    .init("say", .text, "a final; a host"),
    .init("say partial", .text, "what is heard so far of the next final; a host"),
    .init("join event", .text, "the event of this name and no other; a guest"),
  ]

  static let alerts = BeamAlert.allCases.map(\.rawValue)
  static let packetTypes = BeamPacket.Kind.allCases.map(\.rawValue)
  static let reasons = RefusalReason.allCases.map(\.rawValue)

  static var words: AppWords {
    var words = AppWords()
    words.settingsKey = .init("beamscribe", .table("beamscribe"), "how its apps are set, and who speaks")
    words.tables = [Keys.beamScribe.table, Keys.speech.table]
    words.plainActions = plainActions.map(\.word)
    words.actions = actions
    let hosts = ["start event", "end event", "say", "say partial", "battery low", "battery ok"]
    let guests = ["join", "join event", "leave", "stop reading", "read again"]
    words.rolesOfActions = Dictionary(
      uniqueKeysWithValues: hosts.map { ($0, [.beamHost]) } + guests.map { ($0, [.beamGuest]) })
    words.predicates =
      ["agrees on transcript", "has cleared its transcript", "shows “…”", "shows partial “…”", "event is named “…”"]
      + NetworkInterface.allCases.map { "is on \($0.rawValue)" } + alerts.map { "alert \($0) shown" }
      + reasons.map { "has refused \($0)" } + BeamState.allCases.map(\.rawValue)
    words.counted =
      [
        "finals", "guests", "open guests", "streams", "losses", "alerts", "own alerts", "refused streams",
        "unstable streams", "claimed latencies",
      ] + packetTypes.map { "\($0) packets" }
    return words
  }
}

extension Keys {
  static let beamScribe = KeyedMapping("beamscribe", "“beamscribe”", of: BeamSettings()) { settings, keys in
    let times = ["first guest", "free seats"]
    keys(
      "host advertises", .word(times), "until when; default first guest",
      value: times[settings.advertisesFreeSeats ? 1 : 0]
    ) { settings.advertisesFreeSeats = $0 == times[1] }
    keys("sent timestamp", &settings.writesSentTimestamp, .boolean, "chunks say when they were sent; default yes")
    keys("resume", &settings.resumes, .boolean, "a host keeps its transcript over a relaunch; default yes")
    keys(
      "speech", &settings.speech, speech.form.orBoolean(yes: .init()),
      "a person who speaks at every host; default no")
  }

  static let speech = KeyedMapping("speech", "“speech”", of: BeamSettings.Speech()) { speech, keys in
    keys(
      "every", &speech.interval, .duration(least: .milliseconds(1)), "from one final to the next; default 2s",
      pause: "2s")
    keys("finals", &speech.finals, .whole(1...1_000_000), "so many in all; default without an end")
    keys("partials", &speech.partials, .whole(0...100), "before each final; default 0")
  }
}
