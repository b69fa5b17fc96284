import Expectations
import SimKernel
import Testing

@Suite("First in, first out")
struct FifoTests {
  private final class Counted {
    static func live(_ body: (() -> Counted) -> Void) -> Int {
      var alive = 0
      body { Counted(onInit: { alive += 1 }, onDeinit: { alive -= 1 }) }
      return alive
    }

    private let onDeinit: () -> Void
    init(onInit: () -> Void, onDeinit: @escaping () -> Void) {
      self.onDeinit = onDeinit
      onInit()
    }
    deinit { onDeinit() }
  }

  @Test("Random appends and pops give what an array gives, around the ring and over its growth")
  func againstArray() {
    var stream = RandomStream(seed: 3, component: "fifo", purpose: "test")
    let fifo = Fifo<Int>()
    var model: [Int] = []
    for step in 0..<20_000 {
      if stream.below(100) < (step / 2_000 % 2 == 0 ? 60 : 40) {
        fifo.append(step)
        model.append(step)
      } else {
        equal(fifo.popFirst(), (model.isEmpty ? nil : model.removeFirst()))
      }
      equal(fifo.count, model.count)
      equal(fifo.isEmpty, model.isEmpty)
      equal(fifo.first, model.first)
    }
  }

  @Test("Elements are let go when they are taken, removed, and with the queue")
  func lifetimes() {
    let alive = Counted.live { make in
      let fifo = Fifo<Counted>()
      for _ in 0..<37 { fifo.append(make()) }
      for _ in 0..<10 { _ = fifo.popFirst() }
      for _ in 0..<5 { fifo.append(make()) }
      fifo.removeAll()
      expect(fifo.isEmpty)
      for _ in 0..<9 { fifo.append(make()) }
    }
    equal(alive, 0)
  }
}
