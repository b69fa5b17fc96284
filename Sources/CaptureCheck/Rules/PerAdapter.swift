/// What a rule remembers of every controller whose HCI is captured.
struct PerAdapter<State> {
  private var adapters: [TrafficAdapter] = []
  private var states: [State] = []
  private var newest = 0
  private let fresh: State

  init(_ fresh: State) { self.fresh = fresh }

  subscript(adapter: TrafficAdapter) -> State {
    mutating get { states[place(adapter)] }
    _modify {
      let place = place(adapter)
      yield &states[place]
    }
  }

  private mutating func place(_ adapter: TrafficAdapter) -> Int {
    if newest < adapters.count, adapters[newest] === adapter { return newest }
    if let place = adapters.firstIndex(where: { $0 === adapter }) {
      newest = place
    } else {
      newest = adapters.count
      adapters.append(adapter)
      states.append(fresh)
    }
    return newest
  }
}
