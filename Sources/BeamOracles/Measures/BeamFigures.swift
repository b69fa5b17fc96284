package import Conformance

extension AppMilestones {
  /// A guest has its seat when it shows SHOWING. Finals, partials and alerts are what all show after their host; what a
  /// history brings is late for nobody.
  package static let beamScribe = AppMilestones(
    [
      Kind("text", title: "finals of the transcript, live ones only", isHistory: true),
      Kind(
        "partial", title: "partials; those that are replaced before they are shown are not among them", isHistory: false
      ),
      Kind("alert", title: "alerts that a host raises", isHistory: false),
    ], BeamFigure.allCases.map(\.figure)
  ) { leads in
    leads ? HostMeter() as any AppMeter : GuestMeter()
  }
}

/// What BeamScribe's meters take, by its index in the milestones.
enum BeamFigure: Int, CaseIterable {
  case gate, history, historySize, unstableStreams, unstableOctets, retries, claimedLatency, pathSwitch

  var figure: AppMilestones.Figure {
    switch self {
    case .gate:
      AppMilestones.Figure(
        "gate", title: "time to the gate's opening", .time,
        "From the instant in which a stream is ready at the host to the first one in which it may be sent on: the gate;"
          + " in the old transport the invitation and the connection.")
    case .history:
      AppMilestones.Figure(
        "history", title: "time to the history", .time,
        "From the instant in which a stream is ready at a guest until its history is shown there; once per stream.")
    case .historySize:
      AppMilestones.Figure(
        "history-size", title: "octets of a history", .count,
        "Octets of the frames of each history that a guest has read to its end.")
    case .unstableStreams:
      AppMilestones.Figure(
        "unstable-streams", title: "unstable streams", .count,
        "Streams that ended less than 5 s after they were ready, as the host counts them; one sample for each host.")
    case .unstableOctets:
      AppMilestones.Figure(
        "unstable-octets", title: "octets on unstable streams", .count,
        "Octets of packets that a host's platform had taken for a stream which ended less than 5 s after it was ready,"
          + " and not by the host; once for each such stream.")
    case .retries:
      AppMilestones.Figure(
        "retries", title: "attempts to return", .count,
        "Attempts to connect of a guest that shows LOST until it shows SHOWING again; once for each return.")
    case .claimedLatency:
      AppMilestones.Figure(
        "claimed-latency", title: "latency by the clocks", .time,
        "What a guest reports for a chunk with a time in it: its own time of the day less the host's, so that the"
          + " error of both clocks is in it.")
    case .pathSwitch:
      AppMilestones.Figure(
        "path-switch", title: "time to a better path", .time,
        "From the instant in which a guest is told of a better path for a stream until it ends it for the new one.")
    }
  }
}
