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
    /// The habit that the plan is of, by its place in the file.
    var plan: Int?
    /// How often each habit was acted on.
    var counts: [Int]
  }

  private let habits: [ProtocolForm.Habit]
  private var people: [Person]

  init(_ form: ProtocolForm, _ devices: [Device], seed: UInt64) {
    let habits = form.people
    self.habits = habits
    people = devices.map { device in
      Person(
        role: device.app == form.name ? device.role : nil,
        stream: RandomStream(seed: seed, component: device.name, purpose: "people"),
        counts: Array(repeating: 0, count: habits.count))
    }
  }

  func looks(at report: AppReport, device: Int) -> Bool { habit(after: report, device) != nil }

  func intention(after report: AppReport, device: Int, peerID: String?) -> PeopleIntention {
    guard let place = habit(after: report, device) else { return .unchanged }
    people[device].plan = place
    let span = habits[place].after
    return .actAfter(
      nanoseconds: people[device].stream.within(span.lowerBound.nanoseconds...span.upperBound.nanoseconds))
  }

  func act(device: Int) -> AppAction? {
    guard let place = people[device].plan else { return nil }
    people[device].plan = nil
    people[device].counts[place] += 1
    let actions = habits[place].actions
    return AppAction(actions[Int(people[device].stream.below(UInt64(actions.count)))])
  }

  private func habit(after report: AppReport, _ device: Int) -> Int? {
    guard people.indices.contains(device), let shown = report.among(FreeReport.self) else { return nil }
    let event = FileEvent(verb: .shows, name: shown.what, device: device, values: shown.values.fields)
    return habits.indices.first { place in
      let habit = habits[place]
      return habit.role == people[device].role && people[device].counts[place] < habit.limit
        && event.fits(habit.event)
    }
  }
}

/// Whether the people of a protocol file act in a scenario.
struct FileSettings: WordRecord {
  static let empty = FileSettings()
  var peopleAct = true

  // It is the bench's, and nothing that an app is told.
  mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {}
}
