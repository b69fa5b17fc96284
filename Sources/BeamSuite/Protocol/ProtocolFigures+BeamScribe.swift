import Conformance

extension ProtocolFigures {
  /// What the plan of the new transport asks.
  static let beamScribe = ProtocolFigures(
    """
    The plan that BeamScribe's new transport is made from asks four things: how much it saves to wake peer to peer by
    an advertisement (*priming*), how late text is over peer to peer (AWDL) and over an access point, what the gate of
    4 s costs and saves, and how the new transport compares with the old one, MultipeerConnectivity (`mpc`). Measures
    and clauses: [measures.md](measures.md), [Protocol/beamscribe.md](Protocol/beamscribe.md). How long sleeping AWDL
    takes to be found, and how long `mpc` takes from acceptance to connection, are decisions (NET 4.13, BEAM 6); what
    follows from them is computed.
    """,
    questions: [priming, latency, gate, transports, returns], comparisons: [parity])

  private static let priming = FigureQuestion(
    "priming", "How much does an advertisement save in discovery?",
    """
    There is no access point, and AWDL sleeps until an app asks for it. Seven guests join a talk that is under way,
    one by one. A guest that hears the advertisement primes, and finds the event at once; another one searches until
    the host's interface sees it. By BEAM 5.2.6 the host advertises until its first guest is there, so that only one
    of seven is helped; with the setting `host advertises: free seats` all are. Without BLE, Bluetooth is off at all
    guests.
    """,
    in: "joining-a-talk",
    ways: [
      ComparedWay("BLE until the first guest"),
      ComparedWay("BLE while a seat is free", "beamscribe.host advertises=free seats"),
      ComparedWay("no BLE", "steps.2.all guests=[radio off, join]"),
    ],
    measures: ["service", "seat", "discovery", "stream", "lobby"], drawn: 2, worlds: 100)

  private static let latency = FigureQuestion(
    "latency", "How late is the text?",
    """
    The same talk: a chunk each 300 ms, two partials and then a final, at seven guests. Devices without an access
    point are in the same windows of AWDL all the time. As soon as there is an access point, a device whose app
    listens or browses from peer to peer shares its one radio between the access point's channel and AWDL's, half of
    the time each (NET 1.4, 4.4), and text waits for the right window, over whichever of the two it goes; without AWDL
    it does not. “AWDL beside 5 GHz” is an access point whose stations cannot reach each other.
    """,
    in: "joining-a-talk",
    ways: [
      ComparedWay("AWDL"),
      ComparedWay("5 GHz", "network=home"),
      ComparedWay(
        "5 GHz, no AWDL", "network=home", "devices.host.interfaces=[wifi]", "devices.guest.interfaces=[wifi]"),
      ComparedWay("AWDL beside 5 GHz", "network={ preset: home, access point: { isolation: yes } }"),
      ComparedWay("2.4 GHz", "network=crowded"),
    ],
    measures: ["text", "partial", "text-spread", "alert", "transit", "claimed-latency"], worlds: 100)

  private static let gate = FigureQuestion(
    "gate", "What does the gate cost, and what does it save?",
    """
    Five guests come to a talk with a transcript of hundreds of finals; they stay for 6 s and stay away for 4 s in the
    mean, so that many of their streams end within seconds. The gate costs each guest its 4 s before it sees anything.
    It saves what would have been sent on streams that end before they are worth it. Without a gate the host is the
    mutant `gate-of-zero`, which sends the history as soon as the stream is ready; it breaks BEAM 5.4.1 and 5.4.2, so
    none of its worlds passes.
    """,
    in: "guests-come-and-go",
    ways: [ComparedWay("gate of 4 s"), ComparedWay("no gate", "devices.host.engine=gate-of-zero")],
    measures: ["seat", "unstable-octets", "history", "history-size", "unstable-streams"], drawn: 1,
    worlds: 100)

  private static let transports = FigureQuestion(
    "transports", "How long does it take in the old transport, and in the new one?",
    """
    The same talk in both dialects, without an access point and with one on channel 44. The old transport has no BLE
    and no gate, needs an invitation, and prefers AWDL.
    """,
    in: "joining-a-talk",
    ways: [
      ComparedWay("new, AWDL"),
      ComparedWay("new, free seats", "beamscribe.host advertises=free seats"),
      ComparedWay("old, AWDL", "dialect=mpc"),
      ComparedWay("new, 5 GHz", "network=home"),
      ComparedWay("old, 5 GHz", "network=home", "dialect=mpc"),
    ],
    measures: ["seat", "service", "stream", "gate", "history", "text", "partial", "alert"], drawn: 2, worlds: 100)

  private static let returns = FigureQuestion(
    "returns", "How long is a guest away that loses its Wi-Fi?",
    """
    Five guests lose their Wi-Fi after 15 s in the mean, for 4 s in the mean, and come back by themselves with retries
    after 1, 2 and 4 s; a return ends with the whole history. The new transport has its gate before that, the old one
    its invitation.
    """,
    in: "guests-lose-wifi", ways: [ComparedWay("new"), ComparedWay("old", "dialect=mpc")],
    measures: ["return", "retries", "history-size", "catch-up"], worlds: 100)

  private static let parity = FeatureComparison(
    "parity", "What both transports can do",
    """
    Each feature is a shipped scenario that is played in both dialects and judged by all oracles. “yes” means that
    every world passes; otherwise the table has what was wrong most often. What the old transport lacks follows from
    its design: it has no second stream (BEAM 5.11.3) and no BLE. Without BLE nothing tells a guest that an event is
    there again whose goodbye did not come through on both interfaces, since to its browser that is no new result.
    """,
    ways: [ComparedWay("new (`network`)"), ComparedWay("old (`mpc`)", "dialect=mpc")],
    features: [
      .init("One guest joins and reads", in: "one-guest"),
      .init("Seven guests at once", in: "seven-guests"),
      .init("An eighth guest is refused", in: "eighth-guest"),
      .init("A late guest gets the whole history", in: "late-guest"),
      .init("Guests come to a talk that is under way", in: "joining-a-talk"),
      .init("The end is announced, and guests return", in: "host-ends"),
      .init("A host that vanishes is noticed, and guests return", in: "vanishing-host"),
      .init("Guests that lose Wi-Fi at the gate return", in: "gate-and-retry"),
      .init("Guests that lose Wi-Fi again and again return", in: "guests-lose-wifi"),
      .init("Guests come and go", in: "guests-come-and-go"),
      .init("A guest that reads nothing is refused", in: "guest-that-never-reads"),
      .init("Two events with one name", in: "two-hosts-one-name"),
      .init("Without an access point", in: "no-network"),
      .init("The access point is preferred", in: "one-network"),
      .init("A better path takes over", in: "path-switch"),
      .init("Finding in the background", in: "background"),
    ], worlds: 10)
}
