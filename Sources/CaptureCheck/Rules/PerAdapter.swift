/// What a rule remembers of every controller whose HCI is captured. Where records are cut or not in their order, it
/// knows nothing any more, as at the beginning.
struct PerAdapter<State> {
  private var adapters: [TrafficAdapter] = []
  private var states: [State] = []
  /// `TrafficAdapter.disturbances`, as of the state.
  private var disturbances: [Int] = []
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
    let place = find(adapter)
    if disturbances[place] != adapter.disturbances {
      disturbances[place] = adapter.disturbances
      states[place] = fresh
    }
    return place
  }

  private mutating func find(_ adapter: TrafficAdapter) -> Int {
    if newest < adapters.count, adapters[newest] === adapter { return newest }
    if let place = adapters.firstIndex(where: { $0 === adapter }) {
      newest = place
    } else {
      newest = adapters.count
      adapters.append(adapter)
      states.append(fresh)
      disturbances.append(adapter.disturbances)
    }
    return newest
  }
}
