import SimKernel

/// What single devices do at instants of their own: parts of steps that are not done all at once.
struct PendingActions {
  struct Item {
    let due: SimInstant
    let device: Int
    let kind: Kind
  }

  enum Kind {
    /// The device's part of a step.
    case step(Int, script: Int, [Step.Action])
    /// It goes away, or comes back.
    case churn(ChurnWalk)
    /// It does something beside the steps.
    case aside(Step.Action, text: String)
  }

  /// By instant; those of one instant in the order in which they were added. A device has one or two.
  private var list: [Item] = []
  /// Whether anything was to be done beside the steps.
  private(set) var hasAsides = false

  /// When the next one is due; nil: there is none.
  var next: SimInstant? { list.first?.due }

  mutating func add(_ kind: Kind, device: Int, at due: SimInstant) {
    let place = list.firstIndex { $0.due > due } ?? list.count
    assert(place == 0 || list[place - 1].due <= due, "pending actions are in the order of time")
    list.insert(Item(due: due, device: device, kind: kind), at: place)
  }

  /// Adds what is done beside the steps.
  mutating func add(_ asides: [Aside]) {
    if !asides.isEmpty { hasAsides = true }
    for aside in asides {
      let devices = aside.devices.isEmpty ? [0] : aside.devices
      // One line for all of them.
      for (place, device) in devices.enumerated() {
        add(.aside(aside.action, text: place == 0 ? aside.text : ""), device: device, at: aside.instant)
      }
    }
  }

  mutating func takeDue(at now: SimInstant) -> Item? {
    guard let first = list.first, first.due <= now else { return nil }
    return list.removeFirst()
  }

  /// Whether some device has not done its part of a step.
  func hasMore(of step: Int) -> Bool {
    list.contains { item in
      if case .step(step, _, _) = item.kind { return true }
      return false
    }
  }
}

/// How one device goes away and comes back, with draws of its own.
struct ChurnWalk {
  let churn: Churn
  private(set) var isAway = false
  private let end: SimInstant
  private var stream: RandomStream

  init(_ churn: Churn, of device: String, from start: SimInstant, seed: UInt64) {
    self.churn = churn
    end = start + churn.span
    stream = RandomStream(seed: seed, component: device, purpose: "churn from \(start)")
  }

  /// When it goes away for the first time; nil: it stays.
  mutating func begin(at now: SimInstant) -> SimInstant? {
    let due = now + Exponential.draw(churn.stay, from: &stream)
    return due < end ? due : nil
  }

  /// It has just gone away or come back.
  /// - Returns: when it does the other; nil: it stays.
  mutating func turn(at now: SimInstant) -> SimInstant? {
    isAway.toggle()
    return isAway ? now + Exponential.draw(churn.away, from: &stream) : begin(at: now)
  }
}
