import CVirtualTime
import SimKernel

private enum Kind {
  static var call: UInt32 { 0 }
  static var wake: UInt32 { 1 }
  static var source: UInt32 { 2 }
}

/// The loop that runs items and moves the clock.
extension VirtualProcessor {
  var runLoopDue: SimInstant {
    isPumpPending || runLoopWaiter != nil
      ? .distantFuture : SimInstant(nanoseconds: cvt_run_loop_due(core))
  }

  func advance(to instant: SimInstant) {
    if instant.nanoseconds <= core.pointee.now { return }
    core.pointee.now = instant.nanoseconds
    let current = instant.nanoseconds / 1_000_000
    if current != millisecond { (millisecond, itemsInMillisecond) = (current, 0) }
  }

  /// Runs what is due until `limit`, in the order of instants, and then of requests.
  func drive(until limit: SimInstant) {
    while problem == nil {
      if let entry = takeNext() {
        enter(entry)
        continue
      }
      let due = min(events.nextInstant ?? .distantFuture, runLoopDue)
      if due > limit || due == .distantFuture { return }
      advance(to: due)
      if let (_, event) = events.popNext(until: now) {
        happen(event)
      } else {
        submitPump()
      }
    }
  }

  /// Lets a fiber run: the one of the entry, or a free one. Called by the thread's own stack.
  func enter(_ entry: Entry) {
    let fiber: Fiber
    switch entry.kind {
    case .start:
      fiber = idle.popLast() ?? newFiber()
      fiber.assigned = entry.work
    case .turn:
      fiber = entry.fiber!.takeUnretainedValue()
      let work = entry.work!
      hold(work.queue, barrier: work.isBarrier, by: fiber)
      endWait(of: fiber)
    case .resume:
      fiber = entry.fiber!.takeUnretainedValue()
    }
    setRunning(fiber)
    let isLeft = cvt_enter(core, fiber.handle) != 0
    running = nil
    if isLeft { wasAbandoned = true }
    if isLeft && problem == nil { problem = .spins(queue: fiber.queues.last.map(label(of:)) ?? "") }
  }

  private func newFiber() -> Fiber {
    fiberCount += 1
    return Fiber(number: fiberCount)
  }

  /// On a fiber's stack: calls what is assigned to it, and what comes next, as long as no other stack is needed.
  func work(on fiber: Fiber) {
    while let work = fiber.assigned {
      fiber.assigned = nil
      perform(work, on: fiber)
      guard problem == nil, let entry = takeNext() else { break }
      if entry.kind == .start {
        fiber.assigned = entry.work
      } else {
        handover = entry
      }
    }
    idle.append(fiber)
  }

  private func perform(_ work: Work, on fiber: Fiber) {
    hold(work.queue, barrier: work.isBarrier, by: fiber)
    fiber.queues.append(work.queue)
    setRunning(fiber)
    count(on: work.queue)
    cvt_call(core, work.call)
    fiber.queues.removeLast()
    letGo(work.queue, barrier: work.isBarrier, by: fiber)
    if let group = work.group { cvt_group_leave(group) }
    cvt_release(work.queue)
  }

  func setRunning(_ fiber: Fiber) {
    running = fiber
    core.pointee.on_main = fiber.queues.contains { reaches($0, mainQueue) } ? 1 : 0
  }

  /// On a fiber's stack: one more item. Does not return if there were too many.
  func count(on queue: Object) {
    itemsInMillisecond += 1
    if itemsInMillisecond > limits.itemsPerMillisecond {
      fail(.neverRests(queue: label(of: queue), items: limits.itemsPerMillisecond, at: now))
    }
  }

  /// On a fiber's stack: stops the processor and leaves the stack for good.
  func fail(_ problem: VirtualTimeProblem) {
    self.problem = problem
    wasAbandoned = true
    cvt_leave()
    fatalError("a fiber that was left for good is entered")
  }

  func submit(_ work: Work, at due: Int64) {
    if due == never {
      if work.ownsBlock { cvt_release_block(work.call.context) }
      return
    }
    if due <= core.pointee.now { return submit(work) }
    cvt_retain(work.queue)
    delayedCount += 1
    delayed[delayedCount] = work
    _ = events.schedule(SimEvent(kind: Kind.call, target: 0, argument: delayedCount), at: .init(nanoseconds: due))
  }

  func scheduleWake(of fiber: Fiber, at due: Int64) -> EventHandle {
    events.schedule(SimEvent(kind: Kind.wake, target: 0, argument: fiber.number), at: .init(nanoseconds: due))
  }

  func scheduleSource(_ source: VirtualSource, at due: Int64) -> EventHandle {
    events.schedule(SimEvent(kind: Kind.source, target: source.number), at: .init(nanoseconds: due))
  }

  private func happen(_ event: SimEvent) {
    switch event.kind {
    case Kind.call:
      append(Entry(kind: .start, work: delayed.removeValue(forKey: event.argument)))
    case Kind.wake:
      if let fiber = parked.first(where: { $0.number == event.argument }) { timeOut(fiber) }
    default:
      if let source = sources.first(where: { $0.number == event.target }) { timerFired(source) }
    }
  }

  private func submitPump() {
    isPumpPending = true
    let call = cvt_work(
      function: { Unmanaged<VirtualProcessor>.fromOpaque($0!).takeUnretainedValue().pump() },
      context: core.pointee.owner, flags: 0)
    submit(Work(call: call, queue: mainQueue))
  }

  private func pump() {
    isPumpPending = false
    cvt_run_loop_pump()
  }
}
