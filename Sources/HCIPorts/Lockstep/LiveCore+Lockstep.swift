import NIOCore
import SimKernel
import VirtualRadio

/// Time that the hosts let pass: it stands while one of them has the turn (ADR 0042).
///
/// When all of them wait, what they have said enters the world in the order of the ports, and the world runs to the
/// first instant at which a packet leaves for a host or a host's instant has come. Nothing of that depends on the wall
/// clock, or on the order in which the octets of several hosts have arrived.
extension LiveCore {
  /// How long a host may have the turn before a line says that time stands.
  private static let patience = TimeAmount.seconds(10)

  func beginLockstep() {
    watchTurns()
    stand()
  }

  // MARK: What hosts say

  func arrivedInLockstep(_ event: ForeignEvent, _ port: Port) -> Bool {
    guard let index = place(of: port.configuration.device) else { return false }
    switch event {
    case .attached:
      seats[index].group = port.current?.group ?? 0
      seats[index].isPlain = port.current?.lockstep == nil
      seats[index].state = .arriving
      seats[index].said.append(.attached)
      joinTurn(index, port)
      if !hasBegun { eventLoop.assumeIsolated().execute { [self] in beginIfReady() } }
    case .detached:
      settling[index]?.cancel()
      if hasBegun {
        seats[index].state = .empty
        seats[index].said.append(.detached)
      } else {
        seats[index] = LockstepSeat()
      }
    case .packet(let octets):
      if !seats[index].isPlain, seats[index].state != .hasTurn {
        port.current?.end("sent a packet without having the turn")
        return false
      }
      guard seats[index].say(octets) else {
        port.current?.end("sent more than \(LockstepSeat.octetsOfTurn) octets in one turn")
        return false
      }
      if seats[index].isPlain, seats[index].state == .hasTurn { settle(index) }
    }
    stand()
    return !isOver
  }

  /// Who comes while its group has the turn has it too.
  private func joinTurn(_ index: Int, _ port: Port) {
    let group = seats[index].group
    guard hasBegun, group != 0, seats.contains(where: { $0.group == group && $0.state == .hasTurn }) else { return }
    seats[index].state = .hasTurn
    turns += 1
    port.current?.giveTurn(at: world.now)
  }

  func waits(_ port: Port, until instant: SimInstant?) {
    guard !isOver, let index = place(of: port.configuration.device) else { return }
    guard seats[index].state == .hasTurn else {
      port.current?.end("says that it waits without having the turn")
      return
    }
    guard seats[index].wait(until: instant ?? .distantFuture, now: world.now) else {
      port.current?.end(
        "lets no time pass: it was done \(LockstepSeat.emptyTurns) times in sequence with an instant that has passed")
      return
    }
    stand()
  }

  /// A plain host is taken to wait when it says nothing for a while.
  private func settle(_ index: Int) {
    guard let time = settings.settle else { return }
    settling[index]?.cancel()
    settling[index] = eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(time.nanoseconds)) { [self] in
      guard !isOver, seats[index].state == .hasTurn else { return }
      seats[index].state = .waits(until: world.now + time)
      stand()
    }
  }

  /// Does something to the world at the instant at which time stands: a certain one for whoever has the turn.
  func changeInLockstep(_ body: () -> String) -> String {
    if isOver { return "error: the session is over" }
    isBusy = true
    let answer = body()
    takeOutward()
    isBusy = false
    // After the answer: who gave the order may have the turn.
    eventLoop.assumeIsolated().execute { [self] in stand() }
    return answer
  }

  // MARK: Time

  /// What is to be known of all hosts at once.
  private struct Survey {
    var hasTurn = false
    var isThere = false
    var isDue = false
    var hasSaid = false
    /// The first instant that a host waits for.
    var asked = SimInstant.distantFuture
  }

  private func survey() -> Survey {
    var survey = Survey()
    let now = world.now
    for index in seats.indices {
      if !seats[index].said.isEmpty { survey.hasSaid = true }
      switch seats[index].state {
      case .empty: continue
      case .hasTurn: survey.hasTurn = true
      case .arriving: survey.isDue = true
      case .waits(let instant):
        if instant < survey.asked { survey.asked = instant }
        if instant <= now || seats[index].hasPackets { survey.isDue = true }
      }
      survey.isThere = true
    }
    return survey
  }

  /// Lets time pass unless a host has the turn, until one gets it.
  private func stand() {
    guard !isBusy, !isOver, hasBegun else { return }
    isBusy = true
    defer { isBusy = false }
    let yieldAt = NIODeadline.now() + LiveCore.turn
    while !isOver {
      var survey = survey()
      if survey.hasTurn { return }
      if survey.hasSaid {
        enterWhatWasSaid()
        survey = self.survey()
      }
      if let end, world.now >= end.instant { return finish(end.ending) }
      guard survey.isThere else { return nobodyIsThere() }
      if survey.isDue {
        giveTurns()
        continue
      }
      guard pass(until: survey.asked, yieldAt) else { return }
      if NIODeadline.now() > yieldAt {
        return eventLoop.assumeIsolated().execute { [self] in stand() }
      }
    }
  }

  private func enterWhatWasSaid() {
    for index in seats.indices {
      for event in seats[index].take() {
        world.enter(event, device: ports[index].configuration.device)
        takeOutward()
      }
    }
  }

  /// Packets wait in the connection for the turn of their host.
  /// - Returns: whether there was one for a host.
  @discardableResult
  private func takeOutward() -> Bool {
    var isAny = false
    while let (device, packet) = world.popOutward() {
      guard let index = place(of: device) else { continue }
      ports[index].send(packet)
      seats[index].hasPackets = true
      isAny = true
    }
    return isAny
  }

  /// Gives the turn to all hosts for which it is due, and to those of their groups.
  private func giveTurns() {
    let due = seats.indices.filter { seats[$0].isDue(world.now) }
    let groups = Set(due.map { seats[$0].group }.filter { $0 != 0 })
    let given =
      groups.isEmpty
      ? due
      : seats.indices.filter { index in
        seats[index].isDue(world.now) || (groups.contains(seats[index].group) && seats[index].state != .empty)
      }
    assert(!given.isEmpty, "at least one host gets the turn")
    for index in given {
      seats[index].state = .hasTurn
      seats[index].hasPackets = false
    }
    turns += UInt64(given.count)
    for index in given {
      ports[index].current?.giveTurn(at: world.now)
      if seats[index].isPlain { settle(index) }
    }
  }

  /// From event to event until a packet leaves for a host, the instant that a host waits for has come, or the ports
  /// should have their turn; false when the run is over, or nothing ever happens.
  private func pass(until asked: SimInstant, _ yieldAt: NIODeadline) -> Bool {
    while true {
      let limit = min(asked, end?.instant ?? .distantFuture)
      let next = min(world.nextInstant ?? .distantFuture, limit)
      guard next < .distantFuture else { return false }
      world.advance(to: next)
      let isAny = takeOutward()
      let isStuck = world.now < next || (next < limit && world.nextInstant.map { $0 <= next } ?? false)
      if isStuck { finish(.worldStuck) }
      if isOver { return false }
      if isAny || next >= limit || NIODeadline.now() > yieldAt { return true }
    }
  }

  private func nobodyIsThere() {
    if settings.endsWithHosts, turns > 0 { finish(.hostsLeft) }
  }

  // MARK: Who keeps time from passing

  private func watchTurns() {
    var seen = turns
    var told: UInt64?
    let look = NIOLoopBound(
      { [self] in
        if seen == turns, told != turns {
          told = turns
          for (port, seat) in zip(ports, seats) where seat.state == .hasTurn && !seat.isPlain {
            port.line("time stands at \(world.now) s until the host says what it waits for")
          }
        }
        seen = turns
      }, eventLoop: eventLoop)
    watch = eventLoop.scheduleRepeatedTask(initialDelay: LiveCore.patience, delay: LiveCore.patience) { _ in
      look.value()
    }
  }
}
