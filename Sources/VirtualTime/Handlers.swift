import CVirtualTime
import SimKernel

/// What the interposed functions ask.
extension Interposition {
  static func install() {
    var table = cvt_handlers()
    installQueues(&table)
    installWaits(&table)
    installSources(&table)
    cvt_install(&table)
  }

  private static func installQueues(_ table: inout cvt_handlers) {
    table.fiber_entered = { owner, fiber in
      device(owner).work(on: Unmanaged<Fiber>.fromOpaque(fiber!).takeUnretainedValue())
    }
    table.submit = { owner, queue, call, group in
      if let group { cvt_group_enter(group) }
      device(owner).submit(Work(call: call, queue: queue!, group: group))
    }
    table.submit_at = { owner, due, queue, call in
      device(owner).submit(Work(call: call, queue: queue!), at: due)
    }
    table.sync = { owner, queue, call in
      let processor = device(owner)
      processor.sync(on: queue!, call) { cvt_call(processor.core, call) }
    }
    table.apply = { owner, count, queue, function, context in
      let processor = device(owner)
      let call = cvt_work(function: nil, context: nil, flags: 0)
      processor.sync(on: queue ?? cvt_default_queue(), call) {
        for index in 0..<count { cvt_call_iteration(processor.core, function, context, index) }
      }
    }
    table.current_queue = { owner in device(owner).running?.queues.last }
    table.assert_queue = { owner, queue, assertion in device(owner).assert(assertion, queue!) }
    table.queue_created_inactive = { owner, queue in
      let state = device(owner).state(of: queue!)
      state.suspensions = 1
      state.isInactive = true
    }
    table.remark = { owner, function in device(owner).remark(String(cString: function!)) }
  }

  private static func installWaits(_ table: inout cvt_handlers) {
    table.group_notify = { owner, group, queue, call in
      device(owner).groupNotify(group!, Work(call: call, queue: queue!))
    }
    table.group_wait = { owner, group, due in device(owner).groupWait(group!, until: due) }
    table.group_left = { owner, group in device(owner).groupLeft(group!) }
    table.semaphore_wait = { owner, semaphore, due in device(owner).semaphoreWait(semaphore!, until: due) }
    table.semaphore_signalled = { owner, semaphore in device(owner).semaphoreSignalled(semaphore!) }
    table.lock_wait = { owner, lock in device(owner).lockWait(lock!) }
    table.lock_left = { owner, lock in device(owner).lockLeft(lock!) }
    table.condition_wait = { owner, condition, due in device(owner).conditionWait(condition!, until: due) ? 1 : 0 }
    table.condition_signalled = { owner, condition, all in
      device(owner).conditionSignalled(condition!, all: all != 0)
    }
    table.run_loop_wait = { owner, due in device(owner).runLoopWait(until: due) }
    table.run_loop_woken = { owner in device(owner).runLoopWoken() }
    table.sleep = { owner, nanoseconds in device(owner).sleep(nanoseconds) }
  }

  private static func installSources(_ table: inout cvt_handlers) {
    table.change = { owner, object, change in
      let processor = device(owner)
      if let source = processor.sourceOf[object!] {
        processor.change(source, Int(change))
        return 1
      }
      processor.state(of: object!).change(Int(change))
      return 0
    }
    table.set_target = { owner, object, queue in
      let processor = device(owner)
      guard let source = processor.sourceOf[object!] else { return 0 }
      processor.setTarget(source, queue)
      return 1
    }
    table.source_created = { owner, object, kind, queue in
      device(owner).createSource(object!, kind: kind, queue: queue)
    }
    table.source_handler = { owner, object, which, call in
      guard let source = device(owner).sourceOf[object!] else { return 0 }
      source.setHandler(Int(which), call.function == nil ? nil : call)
      return 1
    }
    table.source_timer = { owner, object, due, interval in
      let processor = device(owner)
      guard let source = processor.sourceOf[object!] else { return 0 }
      processor.setTimer(source, due: due, interval: interval)
      return 1
    }
    table.source_merge = { owner, object, data in
      let processor = device(owner)
      guard let source = processor.sourceOf[object!] else { return 0 }
      processor.merge(source, UInt(data))
      return 1
    }
    table.source_cancel = { owner, object in
      let processor = device(owner)
      guard let source = processor.sourceOf[object!] else { return 0 }
      processor.cancel(source)
      return 1
    }
    table.source_is_cancelled = { owner, object in
      guard let source = device(owner).sourceOf[object!] else { return -1 }
      return source.isCancelled ? 1 : 0
    }
    table.source_data = { owner, object in
      guard let source = device(owner).sourceOf[object!] else { return -1 }
      return Int64(bitPattern: UInt64(source.delivered))
    }
  }
}

/// The processor of a handler's owner.
private func device(_ owner: UnsafeMutableRawPointer?) -> VirtualProcessor {
  Unmanaged<VirtualProcessor>.fromOpaque(owner!).takeUnretainedValue()
}

extension QueueState {
  fileprivate func change(_ change: Int) {
    switch change {
    case CVT_SUSPEND: suspensions += 1
    case CVT_ACTIVATE where !isInactive: return
    default:
      suspensions = max(0, suspensions - 1)
      isInactive = false
    }
  }
}
