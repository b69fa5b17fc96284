/// What an observer is told; of Apple's values, `new`, `old` and `initial` have a meaning here.
///
/// Source: Apple, `NSKeyValueObservingOptions`.
public struct NSKeyValueObservingOptions: OptionSet, Hashable, Sendable {
  /// The sum of the bits.
  public let rawValue: UInt
  /// A set by the sum of its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// The value after the change.
  public static let new = Self(rawValue: 1)
  /// The value before it.
  public static let old = Self(rawValue: 2)
  /// The observer is told at once, before `observe` returns.
  public static let initial = Self(rawValue: 4)
  /// Ignored: nobody is told before a change.
  public static let prior = Self(rawValue: 8)
}

/// How a property has changed; always `setting` here. Source: Apple, `NSKeyValueChange`.
public enum NSKeyValueChange: UInt, Hashable, Sendable {
  /// It has another value.
  case setting = 1
  /// Changes of collections; not used.
  case insertion, removal, replacement
}

/// One change of an observed property. Source: Apple, `NSKeyValueObservedChange`.
public struct NSKeyValueObservedChange<Value> {
  /// How it changed.
  public let kind: NSKeyValueChange
  /// The value now, where it was asked for.
  public let newValue: Value?
  /// The value before, where it was asked for and there was one.
  public let oldValue: Value?
  /// Always nil: collections are not observed by their elements.
  public let indexes: IndexSet?
  /// Always false.
  public let isPrior: Bool
}

/// An observation, which lasts until it is invalidated or released. Source: Apple, `NSKeyValueObservation`.
public final class NSKeyValueObservation: NSObject {
  weak var observers: KeyValueObservers?
  /// Tells the observer, if what it looks at has changed.
  var look: () -> Void = {}

  /// Ends it; nobody is told any more.
  public func invalidate() {
    observers?.remove(self)
    observers = nil
    look = {}
  }

  deinit { observers?.remove(self) }
}

/// Objects with properties that can be observed by `observe(_:options:changeHandler:)`.
///
/// `CBManager` (`state`, `isScanning`, `isAdvertising`) and `CBPeripheral` (`state`, `name`, `services`) tell their
/// changes. An object of the app's own is looked at whenever one of the phone's objects changes, which is what
/// `observe(\.manager?.isScanning)` needs; its own properties tell nothing. The handler is called where the property
/// changes: in the app's call, or on the manager's queue before the delegate is told. A value that is set again is no
/// change. Not modelled: observing by text (`addObserver(_:forKeyPath:)`), which needs the runtime of Objective-C.
/// Source: Apple, “Using Key-Value Observing in Swift”.
public protocol _KeyValueCodingAndObserving: NSObject {}

extension _KeyValueCodingAndObserving {
  /// Tells a handler of each change of a property, as long as the result is retained.
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let observation = NSKeyValueObservation()
    let own = (self as? any KeyValueObserved)?.observers ?? VirtualPhone.current?.observers
    var last = self[keyPath: keyPath]
    func tell(_ object: Self, _ value: Value, _ before: Value?) {
      changeHandler(
        object,
        NSKeyValueObservedChange(
          kind: .setting, newValue: options.contains(.new) ? value : nil,
          oldValue: options.contains(.old) ? before : nil, indexes: nil, isPrior: false))
    }
    observation.observers = own
    observation.look = { [weak self] in
      guard let self else { return }
      let (value, before) = (self[keyPath: keyPath], last)
      guard value as? AnyHashable != before as? AnyHashable else { return }
      last = value
      tell(self, value, before)
    }
    own?.add(observation)
    if options.contains(.initial) { tell(self, last, nil) }
    return observation
  }
}

extension NSObject: _KeyValueCodingAndObserving {}
