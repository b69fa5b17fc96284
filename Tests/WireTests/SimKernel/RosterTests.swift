import Expectations
import SimKernel
import Testing

@Suite("Objects in order, looked at without counting")
struct RosterTests {
  private final class Named {
    let name: Int
    private let tally: Tally

    init(_ name: Int, _ tally: Tally) {
      self.name = name
      self.tally = tally
      tally.alive += 1
    }

    deinit { tally.alive -= 1 }
  }

  private final class Tally {
    var alive = 0
  }

  @Test("Random appends and removals give what an array gives, and every object lives as long as it is in the list")
  func againstArray() {
    var stream = RandomStream(seed: 5, component: "roster", purpose: "test")
    let tally = Tally()
    let roster = Roster<Named>()
    var model: [Int] = []
    for step in 0..<10_000 {
      switch stream.below(100) {
      case 0..<52:
        roster.append(Named(step, tally))
        model.append(step)
      case 52..<75 where !model.isEmpty:
        let index = Int(stream.below(UInt64(model.count)))
        equal(roster.remove(at: index).name, model.remove(at: index))
      case 75..<99 where !model.isEmpty:
        let index = Int(stream.below(UInt64(model.count)))
        roster.remove(roster[index])
        model.remove(at: index)
      case 99 where model.count > 40:
        roster.removeAll()
        model.removeAll()
      default: break
      }
      expect(roster.count == model.count && tally.alive == model.count)
      if step % 50 == 0 {
        equal(roster.map(\.name), model)
        equal(roster.indices.map { roster.with($0) { $0.name } }, model)
        let wanted = model.isEmpty ? -1 : model[Int(stream.below(UInt64(model.count)))]
        equal(roster.firstIndex { $0.name == wanted }, model.firstIndex(of: wanted))
        equal(roster.contains { $0.name == step - 1 }, model.contains(step - 1))
      }
    }
  }

  @Test("Nothing happens when an object that is not there is removed, and all go with the list")
  func edges() {
    let tally = Tally()
    var roster: Roster<Named>? = Roster()
    roster?.remove(Named(1, tally))
    equal(tally.alive, 0)
    for name in 0..<9 { roster?.append(Named(name, tally)) }
    roster?.remove(Named(3, tally))
    expect(roster?.count == 9 && tally.alive == 9)
    roster = nil
    equal(tally.alive, 0)
  }
}
