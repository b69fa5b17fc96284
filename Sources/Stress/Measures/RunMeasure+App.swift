package import Conformance

extension RunMeasure {
  /// How long others show a thing after their leader.
  static func lag(_ kind: AppMilestones.Kind) -> RunMeasure {
    RunMeasure(
      kind.name, "\(kind.name) shown", .time, hasToHappen: true,
      "From the instant in which the leader shows one of these to that in which another device does: \(kind.title).")
  }

  /// How long it takes until the last one shows a thing.
  static func spread(_ kind: AppMilestones.Kind) -> RunMeasure {
    RunMeasure(
      kind.name + "-spread", "\(kind.name) spread", .time,
      "From the first to the last device that shows the same one; of those shown by at least two: \(kind.title).")
  }

  /// What the app's own meters take.
  static func own(_ figure: AppMilestones.Figure) -> RunMeasure {
    RunMeasure(figure.name, figure.title, figure.unit == .time ? .time : .count, figure.definition)
  }

  /// All of runs in which these protocols are spoken: the general ones, for each app two for each kind of thing that it
  /// shows, and its own. A name that two apps use is one measure.
  package static func all(_ protocols: [AppProtocol]) -> [RunMeasure] {
    protocols.map(\.milestones).flatMap { milestones in
      milestones.kinds.flatMap { [lag($0), spread($0)] } + milestones.figures.map(own)
    }.reduce(into: general) { measures, measure in
      if !measures.contains(where: { $0.name == measure.name }) { measures.append(measure) }
    }
  }
}
