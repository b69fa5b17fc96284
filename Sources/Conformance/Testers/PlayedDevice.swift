public import AppSeam
package import Bench
public import SimKernel

/// A peer that the bench plays: an app on a device like any other, but it does what the procedure says, right or wrong.
///
/// A protocol's lower testers are subclasses: what the platform tells them they book in `take`.
open class PlayedDevice<Bed: TestBed>: AppEngine {
  package final let index: Int
  package final let name: String
  /// The case is played without it.
  package final let isAbsent: Bool
  private unowned var bedOfAll: Bed!
  private var pending: [AppEffect]?

  /// - Parameter index: of its device in the world; nil: the case is played without it.
  package init(index: Int?, _ device: Device) {
    self.index = index ?? -1
    isAbsent = index == nil
    name = device.name
  }

  /// The world it is in. One that the case is played without has none; who asks for it needs the tester.
  package final var bed: Bed! {
    get {
      if isAbsent { bedOfAll.lacks(name) }
      return bedOfAll
    }
    set { bedOfAll = newValue }
  }

  /// Notes a stimulus of this tester's, and says whether it is to be given.
  package final func gives(_ what: String) -> Bool { bed.gives("\(name) \(what)") && !isAbsent }

  /// Asks the platform for something, in the order of the calls.
  package final func ask(_ effect: AppEffect) {
    if isAbsent { return bed.lacks(name) }
    if pending != nil {
      pending?.append(effect)
    } else {
      bed.world.perform([effect], device: index)
    }
  }

  public final func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    pending = []
    take(input, at: now)
    defer { pending = nil }
    return pending ?? []
  }

  /// What the platform tells.
  open func take(_ input: AppInput, at now: SimInstant) {}
}

/// The lower testers of a case, by number.
///
/// A procedure that takes all of them, or the first so many, takes those that take part. One that names another gets
/// it, and the case ends as inconclusive when something is asked of it.
package struct Testers<Tester>: RandomAccessCollection {
  /// Those that the case is played without come last.
  package private(set) var withAbsent: [Tester] = []
  package private(set) var endIndex = 0

  package init() {}

  package var startIndex: Int { 0 }

  package mutating func append<Bed>(_ tester: Tester) where Tester: PlayedDevice<Bed> {
    withAbsent.append(tester)
    if !tester.isAbsent { endIndex += 1 }
  }

  package subscript(position: Int) -> Tester { withAbsent[position] }
}

extension CaseSetup {
  /// The devices that the bench plays, each with its index; those without one are left out of the case.
  package var played: [(index: Int?, device: Device)] {
    let present = stage.scenario.devices.enumerated().filter { $0.offset != stage.iutIndex }
    return present.map { ($0.offset, $0.element) } + stage.absent.map { (nil, $0) }
  }
}

extension TestBed {
  /// The testers that take part, by device.
  package static func present<Bed, Tester: PlayedDevice<Bed>>(_ testers: [Tester]) -> [Int: any AppEngine] {
    Dictionary(uniqueKeysWithValues: testers.filter { !$0.isAbsent }.map { ($0.index, $0) })
  }
}
