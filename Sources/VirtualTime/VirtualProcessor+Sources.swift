import CVirtualTime
import SimKernel

/// A timer or data source of Dispatch.
final class VirtualSource {
  let number: UInt32
  /// Retained; apps have other references to it.
  let object: Object
  let kind: Int
  /// Retained.
  var queue: Object
  var handlers: [cvt_work?] = [nil, nil, nil]
  var interval: UInt64 = 0
  var event: EventHandle?
  var due = never
  /// One until it is activated.
  var suspensions = 1
  var isActivated = false
  var isCancelled = false
  /// A call of the event handler is in the line.
  var isPending = false
  /// What has come since the last call, and what that call was for.
  var data: UInt = 0
  var delivered: UInt = 0

  init(number: UInt32, object: Object, kind: Int, queue: Object) {
    (self.number, self.object, self.kind, self.queue) = (number, object, kind, queue)
    cvt_retain(object)
    cvt_retain(queue)
  }

  func setHandler(_ which: Int, _ work: cvt_work?) {
    let old = handlers[which]
    handlers[which] = work
    if let old, old.flags & Int32(CVT_BLOCK) != 0 { cvt_release_block(old.context) }
  }

  func release() {
    for which in 0..<3 { setHandler(which, nil) }
    cvt_release(queue)
    cvt_release(object)
  }
}

extension VirtualProcessor {
  func createSource(_ object: Object, kind: Int32, queue: Object?) {
    sourceCount += 1
    let source = VirtualSource(
      number: sourceCount, object: object, kind: Int(kind), queue: queue ?? cvt_default_queue())
    sources.append(source)
    sourceOf[object] = source
  }

  func setTarget(_ source: VirtualSource, _ queue: Object?) {
    let new = queue ?? cvt_default_queue()!
    cvt_retain(new)
    cvt_release(source.queue)
    source.queue = new
  }

  func setTimer(_ source: VirtualSource, due: Int64, interval: UInt64) {
    if let event = source.event { _ = events.cancel(event) }
    source.event = nil
    source.due = due
    // As in libdispatch.
    source.interval = max(1, interval)
    source.data = 0
    if source.isActivated && !source.isCancelled { arm(source) }
  }

  private func arm(_ source: VirtualSource) {
    if source.due == never || source.event != nil { return }
    source.event = scheduleSource(source, at: max(source.due, core.pointee.now))
  }

  func timerFired(_ source: VirtualSource) {
    source.event = nil
    if cvt_other_references(source.object) == 0 { return drop(source) }
    source.data += 1
    if source.interval < UInt64(Int64.max) {
      let (next, overflow) = max(source.due, core.pointee.now).addingReportingOverflow(Int64(source.interval))
      source.due = overflow ? never : next
      arm(source)
    } else {
      source.due = never
    }
    deliver(source)
  }

  func merge(_ source: VirtualSource, _ data: UInt) {
    switch source.kind {
    case CVT_DATA_ADD: source.data &+= data
    case CVT_DATA_OR: source.data |= data
    default: source.data = data
    }
    deliver(source)
  }

  func change(_ source: VirtualSource, _ change: Int) {
    switch change {
    case CVT_SUSPEND: source.suspensions += 1
    case CVT_ACTIVATE where source.isActivated: return
    default:
      source.suspensions = max(0, source.suspensions - 1)
      if source.suspensions > 0 { return }
      if !source.isActivated {
        source.isActivated = true
        if !source.isCancelled { arm(source) }
        if let call = source.handlers[CVT_REGISTRATION] { submit(call, of: source) }
        if source.isCancelled { submitCancel(source) }
      }
      deliver(source)
    }
  }

  func cancel(_ source: VirtualSource) {
    if source.isCancelled { return }
    source.isCancelled = true
    if let event = source.event { _ = events.cancel(event) }
    source.event = nil
    if source.isActivated { submitCancel(source) }
  }

  /// A call of one of the source's handlers, with the context that the source has then.
  private func submit(_ handler: cvt_work, of source: VirtualSource) {
    var call = handler
    call.flags = 0
    if call.context == nil { call.context = cvt_context(source.object) }
    submit(Work(call: call, queue: source.queue))
  }

  private func deliver(_ source: VirtualSource) {
    if source.isPending || source.data == 0 || source.suspensions > 0 || source.isCancelled { return }
    source.isPending = true
    let call = cvt_work(
      function: { Unmanaged<VirtualSource>.fromOpaque($0!).takeRetainedValue().callHandler() },
      context: Unmanaged.passRetained(source).toOpaque(), flags: ownedObject)
    submit(Work(call: call, queue: source.queue))
  }

  private func submitCancel(_ source: VirtualSource) {
    let call = cvt_work(
      function: { Unmanaged<VirtualSource>.fromOpaque($0!).takeRetainedValue().callCancel() },
      context: Unmanaged.passRetained(source).toOpaque(), flags: ownedObject)
    submit(Work(call: call, queue: source.queue))
  }

  /// Drops sources that no app refers to, as their last release would.
  func sweepSources() {
    for source in sources where !source.isPending && cvt_other_references(source.object) == 0 { drop(source) }
  }

  private func drop(_ source: VirtualSource) {
    if let event = source.event { _ = events.cancel(event) }
    sources.removeAll { $0 === source }
    sourceOf[source.object] = nil
    source.release()
  }
}

extension VirtualSource {
  fileprivate func callHandler() {
    isPending = false
    if isCancelled || suspensions > 0 { return }
    delivered = data
    data = 0
    guard delivered > 0, var call = handlers[CVT_EVENT] else { return }
    call.flags = 0
    call.function(call.context ?? cvt_context(object))
  }

  fileprivate func callCancel() {
    if let call = handlers[CVT_CANCEL] { call.function(call.context ?? cvt_context(object)) }
    for which in 0..<3 { setHandler(which, nil) }
  }
}
