public import AppSeam
public import BluetoothWire
public import Platform
public import SimKernel
import VirtualRadio

/// A world driven from outside, event by event: what a test purpose does with it.
///
/// `begin`, then any of these in any order, then `finish`. Whatever is done happens at `now` and is in the trace and
/// the digest like everything else; the scenario's own steps and expectations should be empty.
extension World {
  public enum Progress: Hashable, Sendable {
    /// The condition came true.
    case conditionMet
    /// The instant was reached first.
    case instantReached
    /// The event limit of the scenario was hit: something never comes to rest.
    case eventLimit
  }

  public var now: SimInstant { timeline.now }

  /// Lets time pass until a condition holds, which is asked now and after every event, or until an instant.
  @discardableResult
  public func advance(to limit: SimInstant, until condition: () -> Bool = { false }) -> Progress {
    settleInstant()
    if condition() { return .conditionMet }
    while !isOverEventLimit {
      guard let event = timeline.advance(limit: limit) else {
        if timeline.now < limit { timeline.skip(to: limit) }
        return .instantReached
      }
      dispatch(event)
      settleInstant()
      if condition() { return .conditionMet }
    }
    return .eventLimit
  }

  /// Performs effects as if the app of a device had just asked for them.
  public func perform(_ effects: [AppEffect], device: Int) { platforms[device].perform(effects) }

  /// The person at a device does something.
  public func act(_ action: AppAction, device: Int) { platforms[device].act(action) }

  /// Does something to a device on purpose.
  public func apply(_ fault: DeviceFault, device: Int) { platforms[device].apply(fault) }

  /// A device's server refuses longer values of a published characteristic from now on, as a broken peer would.
  public func limitValue(octets: Int, characteristic: BluetoothUUID, device: Int) {
    platforms[device].host.limitValue(octets, characteristic: characteristic)
  }

  /// Writes a line for people into the trace; it is part of the digest.
  public func note(step text: String) {
    digest.combine(UInt64(bitPattern: timeline.now.nanoseconds))
    digest.combine(text: text)
    record(.step(text), -1)
  }

  /// Writes a checked expectation into the trace; it is part of the digest.
  public func note(expectation text: String, holds: Bool, detail: String) {
    conclude(text, holds: holds, detail: detail)
  }
}
