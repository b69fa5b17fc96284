import CVirtualTime

/// What a processor gives back.
extension VirtualProcessor {
  /// Drops what waits to run, with the objects that it refers to; nothing runs any more.
  ///
  /// Call it if an app's pending closures refer to what owns the processor: the processor refers to them. Destructors
  /// run as items of the device; what they submit is dropped, too. Items that wait in the middle stay in memory, with
  /// all that they hold.
  public func end() {
    if hasEnded { return }
    hasEnded = true
    if problem == nil { problem = .ended }
    if fiberCount > 0 && cvt_is_active() == 0 {
      let call = cvt_work(
        function: { Unmanaged<VirtualProcessor>.fromOpaque($0!).takeUnretainedValue().dropAll() },
        context: core.pointee.owner, flags: 0)
      cvt_watch(core)
      enter(Entry(kind: .start, work: Work(call: call, queue: cvt_default_queue())))
      cvt_unwatch(core)
    } else {
      dropAll()
    }
    for fiber in idle { fiber.free() }
    idle = []
    dropObjects()
    if parked.isEmpty && !wasAbandoned { cvt_run_loop_free(core) }
  }

  private func dropAll() {
    // Destructors may submit more.
    for _ in 0..<100 where lineHead < line.count || !delayed.isEmpty || !groupNotes.isEmpty || !sources.isEmpty {
      dropWork()
      let dropped = sources
      (sources, sourceOf) = ([], [:])
      for source in dropped { source.release() }
    }
  }

  private func dropWork() {
    let entries = line.dropFirst(lineHead)
    (line, lineHead) = ([], 0)
    for entry in entries where entry.kind == .start { drop(entry.work!) }
    let calls = delayed.keys.sorted().map { delayed[$0]! }
    delayed = [:]
    for work in calls { drop(work) }
    let notes = groupNotes.keys.sorted().map { (group: $0, works: groupNotes[$0]!) }
    groupNotes = [:]
    for note in notes {
      for work in note.works {
        drop(work)
        cvt_release(note.group)
      }
    }
  }

  private func drop(_ work: Work) {
    if work.ownsBlock { cvt_release_block(work.call.context) }
    if work.call.flags & ownedObject != 0 { Unmanaged<AnyObject>.fromOpaque(work.call.context).release() }
    if let group = work.group { cvt_group_leave(group) }
    cvt_release(work.queue)
  }

  /// libdispatch stops the process when a queue is released that is inactive or suspended, or a semaphore that is
  /// taken; a device that ends in the middle leaves such ones.
  private func dropObjects() {
    for queue in states.keys.sorted() {
      let state = states[queue]!
      if state.isInactive { cvt_activate(queue) }
      for _ in 0..<max(0, state.suspensions - (state.isInactive ? 1 : 0)) { cvt_resume(queue) }
      cvt_release(queue)
    }
    states = [:]
    for semaphore in semaphoresTaken.keys.sorted() {
      for _ in 0..<max(0, semaphoresTaken[semaphore]!) { cvt_signal(semaphore) }
      cvt_release(semaphore)
    }
    semaphoresTaken = [:]
  }
}
