import AppSeam
import BluetoothWire
import SimKernel
import VirtualRadio

/// Failures on order at work.
struct ActiveFailure {
  let rule: FailureRule
  var strikes: Strikes

  init(_ rule: FailureRule) {
    self.rule = rule
    strikes = Strikes(everyNth: rule.everyNth, count: rule.count)
  }
}

/// An attempt to connect that will fail.
struct FailingAttempt {
  var number: Int
  var peer: BluetoothAddress
  var code: UInt8
}

/// What fails because a step orders it: an app's request before it reaches the stack, or a peer's at the server.
extension DevicePlatform {
  func begin(_ rule: FailureRule) {
    failures.append(ActiveFailure(rule))
    refuseRequests()
  }

  /// The server asks about each request from now on, if peers are to get errors.
  func refuseRequests() {
    guard failures.contains(where: { $0.rule.asker == .peers }) else { return host.refusal = nil }
    host.refusal = { [unowned self] request, handle in
      guard let operation = FailingOperation(request), let rule = struck(operation, .peers) else { return nil }
      observe(rule, link(handle)?.id)
      return ATT.ErrorCode(rule.code)
    }
  }

  /// Whether what the app asks for fails, which it has been told then.
  func fails(_ effect: AppEffect) -> Bool {
    if case .connect(let peer) = effect { return failsToConnect(peer) }
    guard let (operation, id) = effect.clientOperation, let link = link(id), let rule = struck(operation, .app) else {
      return false
    }
    observe(rule, id)
    end(effect, on: link, error: rule.code)
    return true
  }

  private func failsToConnect(_ peer: BluetoothAddress) -> Bool {
    guard isRadioOn, !connecting.contains(peer), let rule = struck(.connect, .app) else { return false }
    observe(rule, nil)
    guard rule.delay > .zero else {
      tell(.connectFailed(peer, reason: HCI.ErrorCode(rule.code)))
      return true
    }
    connecting.append(peer)
    fails(peer, rule.code, after: rule.delay)
    return true
  }

  /// A phone with as many links as it can have refuses another one at once, and its app is told by another process: an
  /// app that tries again whenever it is told so does not stop the time.
  func refuses(_ peer: BluetoothAddress) {
    fails(peer, HCI.ErrorCode.connectionLimitExceeded.rawValue, after: .milliseconds(10))
  }

  private func fails(_ peer: BluetoothAddress, _ code: UInt8, after delay: SimDuration) {
    lastFailingAttempt += 1
    failingAttempts.append(FailingAttempt(number: lastFailingAttempt, peer: peer, code: code))
    _ = schedule(.attemptFails, argument: UInt64(lastFailingAttempt), at: timeline.now + delay)
  }

  /// The time of an attempt that was to fail is over; it may have been cancelled.
  func attemptFails(_ number: Int) {
    guard let place = failingAttempts.firstIndex(where: { $0.number == number }) else { return }
    let attempt = failingAttempts.remove(at: place)
    guard connecting.contains(attempt.peer) else { return }
    connecting.removeAll { $0 == attempt.peer }
    tell(.connectFailed(attempt.peer, reason: HCI.ErrorCode(attempt.code)))
  }

  /// Attempts to connect are over, whatever the stack makes of its own.
  func forgetAttempts() {
    connecting.removeAll()
    failingAttempts.removeAll()
  }

  /// Ends what an app asks of the other end, which is not asked: the app is told an error.
  func end(_ effect: AppEffect, on link: AppLink, error: UInt8) {
    switch effect {
    case .write(_, let type, let octets):
      endWrite(Value(link: link.id, characteristic: type, octets: octets), link, error: error)
    case .gatt(.write(_, let handle, let type, let octets)):
      endWrite(
        Value(link: link.id, characteristic: type, octets: octets, place: .remote(handle)), link, error: error)
    default: if let answer = effect.answer(error: error, attMTU: link.attMTU) { tell(answer) }
    }
  }

  /// A write that the stack never sees; writes before it are answered first.
  func endWrite(_ value: Value, _ link: AppLink, error: UInt8?) {
    if link.writes.isEmpty {
      tellWritten(value, error: error)
    } else {
      link.writes.append(PendingWrite(content: .ended(value, error: error)))
    }
  }

  /// The first active rule that hits this one; every one about it counts it.
  private func struck(_ operation: FailingOperation, _ asker: FailureRule.Asker) -> FailureRule? {
    var first: FailureRule?
    for index in failures.indices
    where failures[index].rule.operation == operation && failures[index].rule.asker == asker {
      if failures[index].strikes.strikes(), first == nil { first = failures[index].rule }
    }
    return first
  }

  private func observe(_ rule: FailureRule, _ link: LinkID?) {
    surroundings.observe(
      FaultEvent.failure(rule.operation, link, asker: rule.asker, code: rule.code), device: index)
  }
}

extension FailingOperation {
  fileprivate init?(_ request: ServedRequest) {
    switch request {
    case .exchangeMTU: self = .attMTU
    case .discovery: self = .discovery
    case .read: self = .read
    case .write: self = .write
    case .configuration: self = .subscription
    }
  }
}
