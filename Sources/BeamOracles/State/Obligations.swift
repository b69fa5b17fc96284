import SimKernel

/// What is due at an instant, the earliest first.
struct Obligations<Duty> {
  private var list: [(at: SimInstant, duty: Duty)] = []

  var deadline: SimInstant { list.first?.at ?? .distantFuture }
  var count: Int { list.count }

  mutating func add(_ duty: Duty, at instant: SimInstant) {
    var place = list.count
    while place > 0, list[place - 1].at > instant { place -= 1 }
    list.insert((instant, duty), at: place)
  }

  func contains(where matches: (Duty) -> Bool) -> Bool { list.contains { matches($0.duty) } }

  mutating func remove(where isDone: (Duty) -> Bool) { list.removeAll { isDone($0.duty) } }

  /// Takes out what is overdue.
  mutating func overdue(at now: SimInstant) -> [(at: SimInstant, duty: Duty)] {
    let late = list.prefix { $0.at < now }
    list.removeFirst(late.count)
    return Array(late)
  }
}
