import CVirtualTime
import SimKernel

/// What makes an item wait.
extension VirtualProcessor {
  /// Leaves the running item where it is, until it gets what it waits for. Says whether time ended the wait.
  private func park(_ wait: Fiber.Wait, until due: Int64 = never) -> Bool {
    let fiber = running!
    fiber.wait = wait
    fiber.timedOut = false
    fiber.hasDue = due != never
    if fiber.hasDue { fiber.wake = scheduleWake(of: fiber, at: max(due, core.pointee.now)) }
    parked.append(fiber)
    cvt_leave()
    return fiber.timedOut
  }

  /// The wait of a fiber is over; it has not been entered yet.
  func endWait(of fiber: Fiber) {
    if let wake = fiber.wake { _ = events.cancel(wake) }
    fiber.wake = nil
    fiber.wait = nil
    fiber.hasDue = false
    parked.removeAll { $0 === fiber }
  }

  private func resume(_ fiber: Fiber) {
    endWait(of: fiber)
    append(Entry(kind: .resume, fiber: .passUnretained(fiber)))
  }

  func timeOut(_ fiber: Fiber) {
    fiber.timedOut = true
    switch fiber.wait {
    case .semaphore(let semaphore): semaphoreWaits[semaphore]?.removeAll { $0 === fiber }
    case .group(let group): groupWaits[group]?.removeAll { $0 === fiber }
    case .condition(let condition): conditionWaits[condition]?.removeAll { $0 === fiber }
    case .queue, .lock, .runLoop, .time, nil: break
    }
    resume(fiber)
  }

  func sleep(_ nanoseconds: Int64) {
    let (due, overflow) = core.pointee.now.addingReportingOverflow(max(0, nanoseconds))
    _ = park(.time, until: overflow ? never : due)
  }

  /// Calls `body` on `queue`, after what was submitted to it before.
  func sync(on queue: Object, _ call: cvt_work, body: () -> Void) {
    let fiber = running!
    let work = Work(call: call, queue: queue)
    if cvt_queue_is_root(queue) == 0 {
      let isFree = canStart(on: queue, barrier: work.isBarrier)
      if isFree && state(of: queue).pending == 0 {
        hold(queue, barrier: work.isBarrier, by: fiber)
      } else {
        if !isFree { findDeadlock(of: fiber, on: queue, barrier: work.isBarrier) }
        append(Entry(kind: .turn, work: work, fiber: .passUnretained(fiber)))
        _ = park(.queue(queue, barrier: work.isBarrier))
      }
    }
    fiber.queues.append(queue)
    setRunning(fiber)
    count(on: queue)
    body()
    fiber.queues.removeLast()
    setRunning(fiber)
    if cvt_queue_is_root(queue) == 0 { letGo(queue, barrier: work.isBarrier, by: fiber) }
  }

  /// Follows who has the queue, and what that one waits for. Does not return from a circle.
  private func findDeadlock(of fiber: Fiber, on queue: Object, barrier: Bool) {
    var wanted = (queue: queue, barrier: barrier)
    for _ in 0...parked.count {
      guard case .fiber(let owner) = obstacle(on: wanted.queue, barrier: wanted.barrier) else { return }
      if owner === fiber {
        fail(.deadlock(queue: label(of: queue), runningOn: label(of: fiber.queues.last!)))
      }
      guard case .queue(let next, let nextBarrier) = owner.wait else { return }
      wanted = (next, nextBarrier)
    }
  }

  func semaphoreWait(_ semaphore: Object, until due: Int64) -> Int {
    if cvt_semaphore_take(semaphore) != 0 {
      count(semaphore, 1)
      return 0
    }
    if due <= core.pointee.now { return 1 }
    semaphoreWaits[semaphore, default: []].append(running!)
    return park(.semaphore(semaphore), until: due) ? 1 : 0
  }

  func semaphoreSignalled(_ semaphore: Object) {
    count(semaphore, -1)
    guard let first = semaphoreWaits[semaphore]?.first, cvt_semaphore_take(semaphore) != 0 else { return }
    count(semaphore, 1)
    semaphoreWaits[semaphore]!.removeFirst()
    if semaphoreWaits[semaphore]!.isEmpty { semaphoreWaits[semaphore] = nil }
    resume(first)
  }

  /// Notes how many waits a semaphore is ahead of its signals, and keeps it as long as the two differ: libdispatch
  /// stops the process when one is released that has been taken.
  private func count(_ semaphore: Object, _ change: Int) {
    let balance = (semaphoresTaken[semaphore] ?? 0) + change
    if balance == change { cvt_retain(semaphore) }
    semaphoresTaken[semaphore] = balance == 0 ? nil : balance
    if balance == 0 { cvt_release(semaphore) }
  }

  func groupWait(_ group: Object, until due: Int64) -> Int {
    if cvt_group_is_empty(group) != 0 { return 0 }
    if due <= core.pointee.now { return 1 }
    groupWaits[group, default: []].append(running!)
    return park(.group(group), until: due) ? 1 : 0
  }

  func groupNotify(_ group: Object, _ work: Work) {
    if cvt_group_is_empty(group) != 0 { return submit(work) }
    cvt_retain(group)
    cvt_retain(work.queue)
    groupNotes[group, default: []].append(work)
  }

  func groupLeft(_ group: Object) {
    if groupNotes[group] == nil && groupWaits[group] == nil || cvt_group_is_empty(group) == 0 { return }
    for work in groupNotes.removeValue(forKey: group) ?? [] {
      submit(work)
      cvt_release(work.queue)
      cvt_release(group)
    }
    for fiber in groupWaits.removeValue(forKey: group) ?? [] { resume(fiber) }
  }

  /// Waits until an item of this processor lets the lock go; then the caller tries again.
  func lockWait(_ lock: Object) {
    core.pointee.lock_waits += 1
    _ = park(.lock(lock))
  }

  func lockLeft(_ lock: Object) {
    guard
      let fiber = parked.first(where: {
        if case .lock(lock) = $0.wait { true } else { false }
      })
    else { return }
    core.pointee.lock_waits -= 1
    resume(fiber)
  }

  func conditionWait(_ condition: Object, until due: Int64) -> Bool {
    if due <= core.pointee.now { return true }
    conditionWaits[condition, default: []].append(running!)
    return park(.condition(condition), until: due)
  }

  func conditionSignalled(_ condition: Object, all: Bool) {
    guard var fibers = conditionWaits.removeValue(forKey: condition) else { return }
    repeat {
      if !fibers.isEmpty { resume(fibers.removeFirst()) }
    } while all && !fibers.isEmpty
    if !fibers.isEmpty { conditionWaits[condition] = fibers }
  }

  /// A run loop of the app has nothing to do until `due`, or until it is woken.
  func runLoopWait(until due: Int64) { _ = park(.runLoop, until: due) }

  func runLoopWoken() {
    if let fiber = runLoopWaiter { resume(fiber) }
  }

  /// The item that waits in a run loop.
  var runLoopWaiter: Fiber? {
    parked.first {
      if case .runLoop = $0.wait { true } else { false }
    }
  }

  /// `dispatchPrecondition`, and the checks of Swift concurrency.
  func assert(_ assertion: Int32, _ queue: Object) {
    let isOn = running!.queues.contains { reaches($0, queue) }
    if assertion == Int32(CVT_NOT_ON) {
      if isOn { fail(.forbiddenQueue(label(of: queue))) }
    } else if !isOn {
      fail(.wrongQueue(expected: label(of: queue), runningOn: label(of: running!.queues.last!)))
    }
  }

  func remark(_ function: String) {
    let text = "\(function) on “\(running?.queues.last.map(label(of:)) ?? "")”"
    if !remarks.contains(text) && remarks.count < 100 { remarks.append(text) }
  }
}
