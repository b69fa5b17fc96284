import CVirtualTime
import SimKernel

/// What comes next, and which queues are taken.
extension VirtualProcessor {
  func state(of queue: Object) -> QueueState {
    if queue == mainQueue { return mainState }
    if let state = states[queue] { return state }
    if states.count > 256 { forgetIdleQueues() }
    let state = QueueState(queue)
    cvt_retain(queue)
    states[queue] = state
    return state
  }

  /// Order does not matter: nothing of an app runs here, except destructors of values of `setSpecific`.
  private func forgetIdleQueues() {
    for queue in states.keys.sorted() where states[queue]!.isIdle {
      states[queue] = nil
      cvt_release(queue)
    }
  }

  /// A call that an app submitted; the queue is retained here, the group is entered already.
  func submit(_ work: Work) {
    cvt_retain(work.queue)
    append(Entry(kind: .start, work: work))
  }

  func append(_ entry: Entry) {
    if let queue = entry.work?.queue, cvt_queue_is_root(queue) == 0 { state(of: queue).pending += 1 }
    line.append(entry)
    // More than may run: who submits them does not end.
    if line.count - lineHead > limits.itemsPerMillisecond, let queue = running?.queues.last, problem == nil {
      fail(.neverRests(queue: label(of: queue), items: limits.itemsPerMillisecond, at: now))
    }
  }

  func submit(_ body: @escaping () -> Void, to entrance: Entrance) {
    let box = Unmanaged.passRetained(Body(body)).toOpaque()
    let call = cvt_work(
      function: { Unmanaged<Body>.fromOpaque($0!).takeRetainedValue().call() }, context: box, flags: ownedObject)
    submit(Work(call: call, queue: entrance == .mainQueue ? mainQueue : cvt_default_queue()))
  }

  /// The first entry that can begin, out of the line. No entry overtakes one of the same queue.
  func takeNext() -> Entry? {
    if let entry = handover {
      handover = nil
      return entry
    }
    var stopped: [Object] = []
    var index = lineHead
    while index < line.count {
      let entry = line[index]
      if let work = entry.work {
        if stopped.contains(work.queue) || !canStart(on: work.queue, barrier: work.isBarrier) {
          stopped.append(work.queue)
          index += 1
          continue
        }
        if cvt_queue_is_root(work.queue) == 0 { state(of: work.queue).pending -= 1 }
      }
      remove(at: index)
      return entry
    }
    return nil
  }

  private func remove(at index: Int) {
    if index > lineHead {
      line.remove(at: index)
      return
    }
    lineHead += 1
    if lineHead == line.count {
      line.removeAll(keepingCapacity: true)
      lineHead = 0
    } else if lineHead >= 1024 && lineHead * 2 > line.count {
      line.removeFirst(lineHead)
      lineHead = 0
    }
  }

  enum Obstacle {
    case none
    case suspended
    case fiber(Fiber)
  }

  /// What keeps a call from a queue: its own state, and that of the queues that it targets.
  func obstacle(on queue: Object, barrier: Bool) -> Obstacle {
    var next: Object? = queue
    while let current = next, cvt_queue_is_root(current) == 0 {
      let known = current == mainQueue ? mainState : states[current]
      if let state = known {
        if state.suspensions > 0 { return .suspended }
        if let owner = state.exclusive { return .fiber(owner) }
        if state.isSerial || (barrier && current == queue), let one = state.shared.first {
          return .fiber(one.takeUnretainedValue())
        }
      }
      next = cvt_queue_target(current)
    }
    return .none
  }

  func canStart(on queue: Object, barrier: Bool) -> Bool {
    if case .none = obstacle(on: queue, barrier: barrier) { return true }
    return false
  }

  func hold(_ queue: Object, barrier: Bool, by fiber: Fiber) {
    var next: Object? = queue
    while let current = next, cvt_queue_is_root(current) == 0 {
      let state = state(of: current)
      if state.isSerial || (barrier && current == queue) {
        state.exclusive = fiber
      } else {
        state.shared.append(.passUnretained(fiber))
      }
      next = cvt_queue_target(current)
    }
  }

  func letGo(_ queue: Object, barrier: Bool, by fiber: Fiber) {
    var next: Object? = queue
    while let current = next, cvt_queue_is_root(current) == 0 {
      let state = state(of: current)
      if state.isSerial || (barrier && current == queue) {
        state.exclusive = nil
      } else if let index = state.shared.lastIndex(where: { $0.takeUnretainedValue() === fiber }) {
        state.shared.remove(at: index)
      }
      next = cvt_queue_target(current)
    }
  }

  /// Whether `queue`, or what it targets, is `wanted`.
  func reaches(_ queue: Object, _ wanted: Object) -> Bool {
    var next: Object? = queue
    while let current = next {
      if current == wanted { return true }
      next = cvt_queue_target(current)
    }
    return false
  }
}

/// A closure on the heap.
private final class Body {
  let call: () -> Void
  init(_ call: @escaping () -> Void) { self.call = call }
}
