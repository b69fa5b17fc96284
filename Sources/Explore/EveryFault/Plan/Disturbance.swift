package import Bench
import Shrink
package import SimKernel

/// One fault at one place.
package struct PlacedFault: Hashable, Sendable {
  /// Index in the places of the plan.
  package var place: Int
  /// Dense index.
  package var device: Int
  package var kind: FaultKind
}

/// What is done in one world.
package struct Disturbance: Sendable {
  /// The world's number, from 0.
  package var number: Int
  /// One fault, or two.
  package var faults: [PlacedFault]
  /// As `meanwhile` of a scenario file has it, in the order of time, with the wait for the end of the run.
  package var asides: YAMLTree
  /// When the run ends.
  package var end: SimInstant

  /// Something that is done to a device.
  struct Deed {
    var instant: SimInstant
    var device: String
    var action: YAMLTree
  }

  /// - Parameter end: the earliest instant at which the run ends.
  init(_ number: Int, _ faults: [PlacedFault], _ deeds: [Deed], end: SimInstant, margin: SimDuration) {
    self.number = number
    self.faults = faults
    let order = deeds.indices.sorted { (deeds[$0].instant, $0) < (deeds[$1].instant, $1) }
    let last = order.last.map { deeds[$0].instant } ?? .zero
    self.end = max(end, last + margin)
    let entries = order.map { index in
      YAMLTree(entries: [("at", Self.words(deeds[index].instant)), (deeds[index].device, deeds[index].action)])
    }
    asides = YAMLTree(.sequence(entries + [YAMLTree(entries: [("at", Self.words(self.end))])]))
  }

  private static func words(_ instant: SimInstant) -> YAMLTree {
    YAMLTree(text: BaseScenario.words(instant - .zero))
  }
}
