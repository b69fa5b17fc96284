import AppSeam
import BluetoothWire
import Platform
import SimKernel
package import VirtualRadio

/// The scenario's steps and expectations, in the order of the file.
struct StepScheduler {
  let steps: [Step]
  let expectations: [Expectation]
  /// One for each lobby.
  var scripts: [Script]
  /// When each step was done.
  var doneAt: [SimInstant?]
  /// What single devices will do, of steps that are not done all at once.
  var pending = PendingActions()
  /// When the last step was done or the last `within` came true: the run's last words count from here.
  var lastTurn = SimInstant.zero
  /// Open expectations (indices), in order.
  var open: [Int]
  /// When the run ends; nil as long as steps or deadlines are open.
  var end: SimInstant?
  /// Its next deadline, and the event for it: that comes after all others of its instant.
  var alarm: (due: SimInstant, handle: EventHandle)?
  /// Whoever plays the world wants it to go on, until something is added beside the steps.
  var isHeld = false
  /// An app broke down: what is open then could not be decided any more.
  var isCutShort = false
  private(set) var wantsToLook = true
  /// What is observed may decide an expectation, or be what a step waits for.
  private var asks = true
  private(set) var didSomething = false

  /// How far a lobby is with its steps.
  struct Script {
    /// When it begins.
    let start: SimInstant
    /// Its steps; the first is the one to do next.
    var rest: Range<Int>
    /// When the current wait began.
    var previous: SimInstant
    /// A step's condition did not come true in time: the rest is not done.
    var isStuck = false
    /// It waited for what a program never reports, and why, for people: what was not done after it is nobody's fault.
    var unheard: String?
    /// The step is under way, device by device.
    var isBusy = false

    var isOver: Bool { rest.isEmpty || isStuck }
    /// The step whose trigger it waits for.
    var next: Int? { isOver || isBusy ? nil : rest.lowerBound }
  }

  init(_ scenario: Scenario, seed: UInt64) {
    steps = scenario.steps
    expectations = scenario.expectations
    var stream = RandomStream(seed: seed, component: "lobbies", purpose: "spread")
    let count = scenario.lobbies.count
    let starts = scenario.lobbies.spread?.offsets(of: count, &stream) ?? Array(repeating: .zero, count: count)
    scripts = starts.enumerated().map { lobby, start in
      let first = scenario.steps.firstIndex { $0.lobby >= lobby } ?? scenario.steps.count
      let end = scenario.steps.firstIndex { $0.lobby > lobby } ?? scenario.steps.count
      return Script(start: .zero + start, rest: first..<end, previous: .zero + start)
    }
    doneAt = Array(repeating: nil, count: scenario.steps.count)
    open = Array(scenario.expectations.indices)
    pending.add(scenario.meanwhile)
  }

  /// Something was observed: worth a look only when it may decide something.
  mutating func mayLook() { if asks { wantsToLook = true } }

  private var waitsForCondition: Bool {
    scripts.contains { script in
      if let next = script.next, case .when = steps[next].trigger { return true }
      return false
    }
  }

  mutating func looked(didSomething: Bool) {
    wantsToLook = false
    asks = mayDecide || waitsForCondition
    self.didSomething = didSomething
  }

  /// Whether some open expectation can be decided before the end.
  var mayDecide: Bool {
    open.contains { index in
      if case .atEnd = expectations[index].deadline { false } else { true }
    }
  }

  /// From when an expectation counts; nil: its step has not been done.
  func base(of expectation: Expectation, afterStep step: Int?) -> SimInstant? {
    step.map { doneAt[$0] } ?? .some(scripts[expectation.lobby].start)
  }
}

extension World {
  /// Looks at steps and expectations: does what is due, settles what is decided, and sleeps until the next deadline.
  func schedulerWakes() {
    checkExpectations()
    var acted = runDueErrands()
    for script in scheduler.scripts.indices {
      while let next = scheduler.scripts[script].next, isDue(next, script) {
        begin(next, of: script)
        acted = true
      }
    }
    if acted { checkExpectations() }
    scheduler.looked(didSomething: acted)
    planEnd()
    sleepUntilNextDeadline()
  }

  private func isDue(_ index: Int, _ script: Int) -> Bool {
    let now = timeline.now
    let (start, previous) = (scheduler.scripts[script].start, scheduler.scripts[script].previous)
    switch scheduler.steps[index].trigger {
    case .at(let instant): return now >= start + (instant - .zero)
    case .after(let span): return now >= previous + span
    case .when(let condition, let limit):
      if facts.holds(condition, at: now) { return true }
      if now >= previous + limit {
        stop(script, at: scheduler.steps[index], waitingFor: condition, limit)
      }
      return false
    }
  }

  /// A step's condition did not come true in time.
  private func stop(_ script: Int, at step: Step, waitingFor condition: Condition, _ limit: SimDuration) {
    let now = timeline.now
    scheduler.scripts[script].isStuck = true
    let waited = "waited \(limit.shortSeconds) s for: "
    guard facts.answer(condition, at: now, isDue: true) == nil, !facts.unsaid(condition, at: now).isEmpty else {
      return conclude(
        step, devices: facts.missing(condition, at: now),
        detail: waited + facts.detail(condition, at: now, names: names))
    }
    let gap = facts.gap(condition, at: now, names: names)
    scheduler.scripts[script].unheard = gap.words
    conclude(step, holds: nil, devices: gap.devices, detail: waited + gap.words)
  }

  /// Which of several lobbies, for people.
  private func place(_ lobby: Int) -> String { scheduler.scripts.count > 1 ? "lobby \(lobby + 1): " : "" }

  private func begin(_ index: Int, of script: Int) {
    let step = scheduler.steps[index]
    note(step: place(step.lobby) + step.text)
    guard case .spread(let actions, let spread) = step.action, !step.devices.isEmpty else {
      if case .radio(let change) = step.action { self.change(change) }
      for device in step.devices { perform(step.action, device) }
      finish(index, of: script)
      return
    }
    var stream = RandomStream(seed: options.seed, component: "step \(index)", purpose: "spread")
    let offsets = spread.offsets(of: step.devices.count, &stream)
    for (device, offset) in zip(step.devices, offsets) {
      scheduler.pending.add(.step(index, script: script, actions), device: device, at: timeline.now + offset)
    }
    scheduler.scripts[script].isBusy = true
    runDueErrands()
  }

  /// - Returns: whether there was one.
  @discardableResult
  private func runDueErrands() -> Bool {
    var hasRun = false
    while let item = scheduler.pending.takeDue(at: timeline.now) {
      run(item)
      hasRun = true
    }
    return hasRun
  }

  private func finish(_ index: Int, of script: Int) {
    assert(scheduler.doneAt[index] == nil, "a step is done once")
    assert(scheduler.scripts[script].rest.first == index, "steps are done in their order")
    scheduler.doneAt[index] = timeline.now
    scheduler.scripts[script].previous = timeline.now
    scheduler.scripts[script].rest.removeFirst()
    scheduler.scripts[script].isBusy = false
    scheduler.lastTurn = timeline.now
  }

  private func run(_ item: PendingActions.Item) {
    scheduler.lastTurn = timeline.now
    switch item.kind {
    case .step(let index, let script, let actions):
      for action in actions { perform(action, item.device) }
      if !scheduler.pending.hasMore(of: index) { finish(index, of: script) }
    case .aside(let action, let text):
      if !text.isEmpty { note(step: text) }
      perform(action, item.device)
    case .churn(var walk):
      note(step: "\(names[item.device]) \(walk.isAway ? "comes back" : "goes away")")
      for action in walk.isAway ? walk.churn.returning : walk.churn.leaving { perform(action, item.device) }
      if let due = walk.turn(at: timeline.now) { scheduler.pending.add(.churn(walk), device: item.device, at: due) }
    }
  }

  /// Does an action of a step to one device, now.
  package func perform(_ action: Step.Action, _ device: Int) {
    guard action.canBeDone(at: options.seat(of: device)) else { return }
    switch action {
    case .user(let action): platforms[device].act(complete(action, of: device))
    case .fault(let fault): platforms[device].apply(fault)
    case .churn(let churn):
      var walk = ChurnWalk(churn, of: names[device], from: timeline.now, seed: options.seed)
      if let due = walk.begin(at: timeline.now) { scheduler.pending.add(.churn(walk), device: device, at: due) }
    case .spread(let actions, _): for action in actions { perform(action, device) }
    case .radio(let change): self.change(change)
    case .wait: break
    }
  }

  /// Changes the room from now on.
  package func change(_ change: RadioEnvironment.Change) {
    radio.change(change)
    if let own = change.interferers { stationsOnAir.follow(own.count) }
  }

  /// Says how the device is called in this run that an action is about.
  private func complete(_ action: Step.UserAction, of device: Int) -> AppAction {
    guard let about = action.about, let app = scenario.app(named: scenario.devices[device].app)?.app else {
      return action.action
    }
    let names = PeerNames(peerID: facts.peerID(of: about), address: platforms[about].address.description)
    return app.action(action.action, about: names)
  }

  /// Decides the expectations that can be decided; the others stay open.
  private func checkExpectations() {
    guard scheduler.mayDecide else { return }
    let now = timeline.now
    let open = scheduler.open
    scheduler.open = open.filter { index in
      let expectation = scheduler.expectations[index]
      switch expectation.deadline {
      case .atEnd: return true
      case .within(let span, let step):
        guard let base = scheduler.base(of: expectation, afterStep: step) else { return true }
        if facts.answer(expectation.condition, at: now, isDue: false) == true {
          let figures = figures(expectation.condition)
          conclude(
            expectation, holds: true, detail: "after \(now - base) s" + (figures.isEmpty ? "" : "; " + figures))
          scheduler.lastTurn = now
          return false
        }
        if facts.isUnanswerable(expectation.condition) {
          conclude(expectation, holds: nil)
          scheduler.lastTurn = now
          return false
        }
        guard now >= base + span else { return true }
        conclude(expectation, holds: facts.answer(expectation.condition, at: now, isDue: true).map { _ in false })
        return false
      case .always(let step):
        guard let base = scheduler.base(of: expectation, afterStep: step), base <= now,
          facts.answer(expectation.condition, at: now, isDue: false) == false
        else {
          return true
        }
        conclude(expectation, holds: false)
        return false
      }
    }
  }

  /// The run goes on until no `within` is open and nobody has anything left to do, and then for its duration, so that
  /// what was said last can arrive. When no lobby can go on it ends, unless something is done beside the steps.
  private func planEnd() {
    guard scheduler.scripts.allSatisfy(\.isOver) else { return }
    if scheduler.scripts.allSatisfy(\.isStuck), !scheduler.pending.hasAsides, !scheduler.isHeld {
      scheduler.end = timeline.now
      return
    }
    guard scheduler.pending.next == nil, !scheduler.isHeld else {
      scheduler.end = nil
      return
    }
    var end = scheduler.lastTurn + scenario.duration
    for index in scheduler.open {
      let expectation = scheduler.expectations[index]
      if case .within(let span, let step) = expectation.deadline,
        let base = scheduler.base(of: expectation, afterStep: step)
      {
        end = max(end, base + span)
      }
    }
    scheduler.end = end
  }

  /// Keeps the run from its end until `add` is called. Before the run begins.
  package func hold() { scheduler.isHeld = true }

  /// Does something beside the steps from now on: the run is that of the scenario with this in `meanwhile`. All of it
  /// must be in the future.
  package func add(_ asides: [Aside]) {
    scheduler.isHeld = false
    scheduler.pending.add(asides)
    planEnd()
    sleepUntilNextDeadline()
  }

  private func sleepUntilNextDeadline() {
    var due = scheduler.pending.next ?? .distantFuture
    for script in scheduler.scripts {
      guard let next = script.next else { continue }
      switch scheduler.steps[next].trigger {
      case .at(let instant): due = min(due, script.start + (instant - .zero))
      case .after(let span): due = min(due, script.previous + span)
      case .when(_, let limit): due = min(due, script.previous + limit)
      }
    }
    for index in scheduler.open {
      let expectation = scheduler.expectations[index]
      if case .within(let span, let step) = expectation.deadline,
        let base = scheduler.base(of: expectation, afterStep: step)
      {
        due = min(due, base + span)
      }
    }
    if let alarm = scheduler.alarm {
      if alarm.due == due, due > timeline.now { return }
      timeline.cancel(alarm.handle)
    }
    scheduler.alarm = nil
    guard due > timeline.now, due < .distantFuture else { return }
    scheduler.alarm = (due, timeline.scheduleLast(SimEvent(kind: Kind.scheduler.rawValue, target: 0), at: due))
  }

  /// What is still open when the run ends.
  func finishExpectations(ending: RunOutcome.Ending) {
    checkExpectations()
    scheduler.isCutShort = ending == .breakdown
    for index in scheduler.open {
      let expectation = scheduler.expectations[index]
      let answer = facts.answer(expectation.condition, at: timeline.now, isDue: true)
      switch expectation.deadline {
      case .within(_, let step) where scheduler.base(of: expectation, afterStep: step) == nil,
        .always(let step) where scheduler.base(of: expectation, afterStep: step) == nil:
        conclude(expectation, holds: false, detail: "its step was not done")
      case .atEnd, .always: conclude(expectation, holds: answer)
      case .within: conclude(expectation, holds: answer.map { _ in false })
      }
    }
    scheduler.open.removeAll()
    if ending != .finished {
      for script in scheduler.scripts where !script.isOver {
        let step = scheduler.steps[script.rest.lowerBound]
        conclude(
          step, detail: "the run ended " + (script.isBusy ? "while this step was under way" : "before this step"))
      }
    }
  }

  private func detail(_ condition: Condition) -> String { facts.detail(condition, at: timeline.now, names: names) }
  private func figures(_ condition: Condition) -> String { facts.figures(condition, at: timeline.now, names: names) }

  /// - Parameter holds: nil: nobody could be asked.
  private func conclude(_ expectation: Expectation, holds: Bool?) {
    let condition = expectation.condition
    let words =
      switch holds {
      case true?: figures(condition)
      case false?: detail(condition)
      case nil: facts.gap(condition, at: timeline.now, names: names).words
      }
    conclude(expectation, holds: holds, detail: words)
  }

  /// Whether it does not hold whatever was not done: it had to hold at every instant, and once did not.
  private func isKnownBroken(_ expectation: Expectation) -> Bool {
    guard case .always(let step) = expectation.deadline else { return false }
    return scheduler.base(of: expectation, afterStep: step) != nil
  }

  private func conclude(_ expectation: Expectation, holds answer: Bool?, detail words: String) {
    var (holds, detail) = (answer, words)
    if answer == false, !isKnownBroken(expectation), let unheard = scheduler.scripts[expectation.lobby].unheard {
      (holds, detail) = (nil, "a step waited for an unknown fact: \(unheard)")
    }
    var about = ExpectationPlace(line: expectation.source.line)
    if case .always = expectation.deadline { about.isAlways = true }
    if holds != true {
      let now = timeline.now
      about.devices =
        answer == nil
        ? facts.gap(expectation.condition, at: now, names: names).devices
        : facts.missing(expectation.condition, at: now)
      about.isBlocked = scheduler.scripts[expectation.lobby].isStuck || scheduler.isCutShort
    }
    conclude(expectation.text, holds: holds, detail: place(expectation.lobby) + detail, about)
  }

  private func conclude(_ step: Step, holds: Bool? = false, devices: [Int] = [], detail: String) {
    conclude(
      step.text, holds: holds, detail: place(step.lobby) + detail,
      ExpectationPlace(line: step.source.line, devices: devices, isStep: true, isBlocked: scheduler.isCutShort))
  }

  func conclude(_ text: String, holds: Bool?, detail: String, _ place: ExpectationPlace = ExpectationPlace()) {
    digest.combine(text: text)
    digest.combine(holds.map { $0 ? 1 : 0 } ?? 2)
    record(.expectation(text: text, holds: holds, detail: detail, place: place), -1)
  }

  var names: [String] { scenario.devices.map(\.name) }
}
