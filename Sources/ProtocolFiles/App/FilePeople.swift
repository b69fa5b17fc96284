import AppSeam
import Bench
import SimKernel

/// The people of a protocol file: what an app shows them makes them do something after a while.
///
/// A person has one plan at a time; what is shown later and concerns them takes its place.
final class FilePeople: AppPeople {
  /// The key of a scenario that switches them off.
  static let key = "people"

  private struct Person {
    var role: AppRole?
    var stream: RandomStream
    /// The habit that the plan is of, by its place in the file, and what was shown.
    var plan: (habit: Int, seen: FileEvent)?
    /// How often each habit was acted on.
    var counts: [Int]
  }

  private let habits: [ProtocolForm.Habit]
  private let reports: [ProtocolForm.Word]
  private var people: [Person]

  init(_ form: ProtocolForm, _ devices: [Device], seed: UInt64) {
    let habits = form.people
    self.habits = habits
    reports = form.reports
    people = devices.map { device in
      Person(
        role: device.app == form.name ? device.role : nil,
        stream: RandomStream(seed: seed, component: device.name, purpose: "people"),
        counts: Array(repeating: 0, count: habits.count))
    }
  }

  func looks(at report: AppReport, device: Int) -> Bool { plan(after: report, device) != nil }

  func intention(after report: AppReport, device: Int, peerID: String?) -> PeopleIntention {
    guard let plan = plan(after: report, device) else { return .unchanged }
    people[device].plan = plan
    let span = habits[plan.habit].after
    return .actAfter(
      nanoseconds: people[device].stream.within(span.lowerBound.nanoseconds...span.upperBound.nanoseconds))
  }

  func act(device: Int) -> AppAction? {
    guard let (place, seen) = people[device].plan else { return nil }
    people[device].plan = nil
    people[device].counts[place] += 1
    let actions = habits[place].actions
    var action = actions[Int(people[device].stream.below(UInt64(actions.count)))]
    for value in action.values.indices {
      // What the app did not say, nobody can do anything with.
      guard let text = action.values[value].value.filled(reports, { seen[$1] }) else { return nil }
      action.values[value].value = text
    }
    return AppAction(action)
  }

  private func plan(after report: AppReport, _ device: Int) -> (habit: Int, seen: FileEvent)? {
    guard people.indices.contains(device), let shown = report.among(FreeReport.self) else { return nil }
    let event = FileEvent(verb: .shows, name: shown.what, device: device, values: shown.values.fields)
    let place = habits.indices.first { place in
      let habit = habits[place]
      return habit.role == people[device].role && people[device].counts[place] < habit.limit
        && event.fits(habit.event)
    }
    return place.map { ($0, event) }
  }
}

/// Whether the people of a protocol file act in a scenario.
struct FileSettings: WordRecord {
  static let empty = FileSettings()
  var peopleAct = true

  // It is the bench's, and nothing that an app is told.
  mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {}
}
