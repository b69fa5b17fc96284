import AppSeam
import Platform
import SimKernel

/// The bench's virtual people: when an app shows them something that is theirs to do, they think, then do it.
final class People {
  private let apps = Roster<Seated<any AppPeople>>()
  /// Index in `apps`, by device; nil: nobody.
  private let appOf: [Int?]
  private var handles: [EventHandle?]
  /// How often a person that sees a device's turn on somebody else's screen tries again: its own app may not know yet.
  private static let repeats = 10
  /// By device, what is left of them; none where its own app shows the turn.
  private var left: [Int]

  init(_ scenario: Scenario, seed: UInt64) {
    let apps = scenario.apps.compactMap { app in
      app.app.makePeople(scenario, settings: app.settings, seed: seed).map { (name: app.app.name, people: $0) }
    }
    for app in apps { self.apps.append(Seated(app.people)) }
    appOf = scenario.devices.map { device in apps.firstIndex { $0.name == device.app } }
    handles = Array(repeating: nil, count: scenario.devices.count)
    left = Array(repeating: 0, count: scenario.devices.count)
  }

  func people(of device: Int) -> (any AppPeople)? { appOf[device].map { apps[$0].occupant } }

  /// Whether somebody may change a plan for what an app shows.
  func looks(at report: AppReport, device: Int) -> Bool {
    guard let app = appOf[device] else { return false }
    return apps.with(app) { $0.occupant.looks(at: report, device: device) }
  }

  /// Takes the plan of a device, to cancel it or because its time has come.
  func takePlan(of device: Int) -> EventHandle? {
    defer { handles[device] = nil }
    return handles[device]
  }

  func plan(_ handle: EventHandle, of device: Int) { handles[device] = handle }

  func looksAside(_ device: Int, _ isAside: Bool) { left[device] = isAside ? Self.repeats : 0 }

  /// Whether the person at a device, who has just acted, is to try once more.
  func triesAgain(_ device: Int) -> Bool {
    if left[device] == 0 { return false }
    left[device] -= 1
    return true
  }
}

extension World {
  /// An app shows something that may be somebody's turn.
  func personSees(_ report: AppReport, _ device: Int) {
    if facts.hasPrograms { neighboursSee(report, device) }
    guard people.looks(at: report, device: device), let seated = people.people(of: device) else { return }
    let intention = seated.intention(after: report, device: device, peerID: facts.peerID(of: device))
    if intention != .unchanged { people.looksAside(device, false) }
    plan(intention, device)
  }

  /// What a program never says on its own screen its person sees on that of one neighbour.
  private func neighboursSee(_ report: AppReport, _ device: Int) {
    guard let seated = people.people(of: device), seated.isOfEverybody(report) else { return }
    for other in facts.neighbours[device] where facts.isUnsaid(report.name, by: other) {
      let intention = seated.intention(after: report, device: other, peerID: facts.peerID(of: other))
      if intention != .unchanged { people.looksAside(other, true) }
      plan(intention, other)
    }
  }

  private func plan(_ intention: PeopleIntention, _ device: Int) {
    switch intention {
    case .unchanged: return
    case .nothing: cancelPlan(device)
    case .actAfter(let span):
      cancelPlan(device)
      let event = SimEvent(kind: Kind.person.rawValue, target: UInt32(device))
      self.people.plan(timeline.schedule(event, at: timeline.now + .nanoseconds(span)), of: device)
    }
  }

  private func cancelPlan(_ device: Int) {
    if let handle = people.takePlan(of: device) { timeline.cancel(handle) }
  }

  func personActs(_ device: Int) {
    _ = people.takePlan(of: device)
    guard platforms[device].engine != nil,
      let action = people.people(of: device)?.act(device: device)
    else { return }
    platforms[device].tell(.user(action))
    if people.triesAgain(device) { plan(.actAfter(nanoseconds: SimDuration.seconds(1).nanoseconds), device) }
  }
}
