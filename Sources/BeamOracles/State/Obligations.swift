import SimKernel

/// What is due at an instant, the earliest first.
struct Obligations<Duty> {
  private var list: [(at: SimInstant, duty: Duty)] = []

  var deadline: SimInstant { list.isEmpty ? .distantFuture : list[0].at }
  var count: Int { list.count }

  mutating func add(_ duty: Duty, at instant: SimInstant) {
    var place = list.count
    while place > 0, list[place - 1].at > instant { place -= 1 }
    list.insert((instant, duty), at: place)
  }

  func contains(where matches: (Duty) -> Bool) -> Bool { list.contains { matches($0.duty) } }

  mutating func remove(where isDone: (Duty) -> Bool) {
    // Asked for every final of every guest, who mostly has none or one: no list is made for that.
    var first = 0
    while first < list.count, !isDone(list[first].duty) { first += 1 }
    guard first < list.count else { return }
    var kept = first
    for index in kept + 1..<list.count where !isDone(list[index].duty) {
      list.swapAt(kept, index)
      kept += 1
    }
    list.removeLast(list.count - kept)
  }

  /// Takes out what is overdue.
  mutating func overdue(at now: SimInstant) -> [(at: SimInstant, duty: Duty)] {
    let late = list.prefix { $0.at < now }
    list.removeFirst(late.count)
    return Array(late)
  }
}
