import AppSeam
import BluetoothWire
import Platform
import SimKernel

/// The scenario's steps and expectations, in the order of the file.
struct Director {
  let steps: [Step]
  let expectations: [Expectation]
  /// The step to do next.
  var next = 0
  /// When each step was done.
  var doneAt: [SimInstant?]
  /// When the current wait began.
  var previous = SimInstant.zero
  /// When the last step was done or the last `within` came true: the run's last words count from here.
  var lastTurn = SimInstant.zero
  /// Open expectations (indices), in order.
  var open: [Int]
  /// When the run ends; nil as long as steps or deadlines are open.
  var end: SimInstant?
  /// A step's condition did not come true in time: the rest is not done.
  var isStuck = false
  var handle: EventHandle?
  private(set) var wantsToLook = true
  private(set) var didSomething = false

  init(_ scenario: Scenario) {
    steps = scenario.steps
    expectations = scenario.expectations
    doneAt = Array(repeating: nil, count: scenario.steps.count)
    open = Array(scenario.expectations.indices)
  }

  /// Something was observed: worth a look only when a condition is waited for.
  mutating func mayLook() {
    if !open.isEmpty || waitsForCondition { wantsToLook = true }
  }

  private var waitsForCondition: Bool {
    if next < steps.count, case .when = steps[next].trigger { return true }
    return false
  }

  mutating func looked(didSomething: Bool) {
    wantsToLook = false
    self.didSomething = didSomething
  }

  /// From when an expectation counts; nil: its step has not been done.
  func base(afterStep step: Int?) -> SimInstant? { step.map { doneAt[$0] } ?? .some(.zero) }
}

extension World {
  /// Looks at steps and expectations: does what is due, settles what is decided, and sleeps until the next deadline.
  func directorWakes() {
    var acted = false
    checkExpectations()
    while director.next < director.steps.count, !director.isStuck, isDue(director.steps[director.next]) {
      let index = director.next
      perform(director.steps[index])
      director.doneAt[index] = timeline.now
      director.previous = timeline.now
      director.lastTurn = timeline.now
      director.next += 1
      acted = true
    }
    if acted { checkExpectations() }
    director.looked(didSomething: acted)
    planEnd()
    sleepUntilNextDeadline()
  }

  private func isDue(_ step: Step) -> Bool {
    let now = timeline.now
    switch step.trigger {
    case .at(let instant): return now >= instant
    case .after(let span): return now >= director.previous + span
    case .when(let condition, let limit):
      if facts.holds(condition, at: now) { return true }
      if now >= director.previous + limit {
        director.isStuck = true
        conclude(
          step.text, holds: false, detail: "waited \(limit) s for: \(facts.detail(condition, at: now, names: names))")
      }
      return false
    }
  }

  private func perform(_ step: Step) {
    note(step: step.text)
    for device in step.devices where step.action.canBeDone(at: options.seat(of: device)) {
      switch step.action {
      case .user(let action): platforms[device].act(complete(action, of: device))
      case .fault(let fault): platforms[device].apply(fault)
      case .wait: break
      }
    }
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
    guard !director.open.isEmpty else { return }
    let now = timeline.now
    let open = director.open
    director.open = open.filter { index in
      let expectation = director.expectations[index]
      switch expectation.deadline {
      case .atEnd: return true
      case .within(let span, let step):
        guard let base = director.base(afterStep: step) else { return true }
        if facts.holds(expectation.condition, at: now) {
          let figures = figures(expectation.condition)
          conclude(
            expectation.text, holds: true, detail: "after \(now - base) s" + (figures.isEmpty ? "" : "; " + figures))
          director.lastTurn = now
          return false
        }
        guard now >= base + span else { return true }
        conclude(expectation.text, holds: false, detail: detail(expectation.condition))
        return false
      case .always(let step):
        guard director.base(afterStep: step) != nil, facts.judge(expectation.condition, at: now) == false else {
          return true
        }
        conclude(expectation.text, holds: false, detail: detail(expectation.condition))
        return false
      }
    }
  }

  /// The run goes on until no `within` is open, and then for its duration, so that what was said last can arrive.
  private func planEnd() {
    guard director.next == director.steps.count || director.isStuck else { return }
    var end = director.isStuck ? timeline.now : director.lastTurn + scenario.duration
    for index in director.open {
      if case .within(let span, let step) = director.expectations[index].deadline,
        let base = director.base(afterStep: step), !director.isStuck
      {
        end = max(end, base + span)
      }
    }
    director.end = end
  }

  private func sleepUntilNextDeadline() {
    var due = SimInstant.distantFuture
    if director.next < director.steps.count, !director.isStuck {
      switch director.steps[director.next].trigger {
      case .at(let instant): due = instant
      case .after(let span): due = director.previous + span
      case .when(_, let limit): due = director.previous + limit
      }
    }
    for index in director.open {
      if case .within(let span, let step) = director.expectations[index].deadline,
        let base = director.base(afterStep: step)
      {
        due = min(due, base + span)
      }
    }
    if let handle = director.handle { timeline.cancel(handle) }
    director.handle = nil
    guard due > timeline.now, due < .distantFuture else { return }
    director.handle = timeline.schedule(SimEvent(kind: Kind.director.rawValue, target: 0), at: due)
  }

  /// What is still open when the run ends.
  func finishExpectations(ending: RunOutcome.Ending) {
    checkExpectations()
    for index in director.open {
      let expectation = director.expectations[index]
      switch expectation.deadline {
      case .atEnd:
        let holds = facts.holds(expectation.condition, at: timeline.now)
        conclude(
          expectation.text, holds: holds, detail: holds ? figures(expectation.condition) : detail(expectation.condition)
        )
      case .always(let step):
        let began = director.base(afterStep: step) != nil
        let isKnown = facts.judge(expectation.condition, at: timeline.now) != nil
        conclude(
          expectation.text, holds: began && isKnown,
          detail: !began
            ? "its step was not done" : isKnown ? figures(expectation.condition) : detail(expectation.condition))
      case .within(_, let step):
        let began = director.base(afterStep: step) != nil
        conclude(
          expectation.text, holds: false,
          detail: began ? detail(expectation.condition) : "its step was not done")
      }
    }
    director.open.removeAll()
    if ending != .finished, director.next < director.steps.count {
      conclude(director.steps[director.next].text, holds: false, detail: "the run ended before this step")
    }
  }

  private func detail(_ condition: Condition) -> String { facts.detail(condition, at: timeline.now, names: names) }
  private func figures(_ condition: Condition) -> String { facts.figures(condition, at: timeline.now, names: names) }

  func conclude(_ text: String, holds: Bool, detail: String) {
    digest.combine(text: text)
    digest.combine(holds ? 1 : 0)
    record(.expectation(text: text, holds: holds, detail: detail), -1)
  }

  var names: [String] { scenario.devices.map(\.name) }
}
