import Synchronization

/// A value that is made when somebody asks for it: most commands need little of what a protocol holds, and all of it
/// took a third of their start.
package final class Deferred<Value: Sendable>: Sendable {
  private enum State: Sendable {
    case pending(@Sendable () -> Value)
    case made(Value)
  }

  private let state: Mutex<State>

  package init(_ make: @escaping @Sendable () -> Value) { state = Mutex(.pending(make)) }

  package var value: Value {
    state.withLock { state in
      switch state {
      case .made(let value): return value
      case .pending(let make):
        let value = make()
        state = .made(value)
        return value
      }
    }
  }
}
