// Words of Apple's Foundation and of Objective-C that Linux lacks, for files that import CoreBluetooth.

/// Seconds since the beginning of 2001, UTC.
public typealias CFAbsoluteTime = Double
/// Seconds.
public typealias CFTimeInterval = Double

/// Nanoseconds in a second.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000
/// Nanoseconds in a millisecond.
public let NSEC_PER_MSEC: UInt64 = 1_000_000
/// Nanoseconds in a microsecond.
public let NSEC_PER_USEC: UInt64 = 1_000
/// Microseconds in a second.
public let USEC_PER_SEC: UInt64 = 1_000_000
/// Milliseconds in a second.
public let MSEC_PER_SEC: UInt64 = 1_000

/// A code of Apple's frameworks in C; 0 means that all is well.
public typealias OSStatus = Int32
/// A queue that runs one item after the other, as every queue of `DispatchQueue(label:)` does.
public typealias DispatchSerialQueue = DispatchQueue

/// Now; in a room, by the phone's clock.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

/// Runs a body. There is no pool to drain, because Swift on Linux releases objects at once.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

/// Locks an object, as `@synchronized` does; a thread may lock it again. Always 0.
@discardableResult
public func objc_sync_enter(_ object: Any) -> Int32 {
  SynchronizedObjects.enter(ObjectIdentifier(object as AnyObject))
  return 0
}

/// Unlocks an object. 0, or −1 where it is not locked.
@discardableResult
public func objc_sync_exit(_ object: Any) -> Int32 {
  SynchronizedObjects.exit(ObjectIdentifier(object as AnyObject)) ? 0 : -1
}

/// The locks of objects that are locked now.
private enum SynchronizedObjects {
  private final class Entry {
    let lock = NSRecursiveLock()
    var users = 0
  }

  private static let guardian = NSLock()
  nonisolated(unsafe) private static var entries: [ObjectIdentifier: Entry] = [:]

  static func enter(_ object: ObjectIdentifier) {
    let entry = guardian.withLock {
      let entry = entries[object] ?? Entry()
      entries[object] = entry
      entry.users += 1
      return UncheckedBox(value: entry)
    }
    entry.value.lock.lock()
  }

  static func exit(_ object: ObjectIdentifier) -> Bool {
    guardian.withLock {
      guard let entry = entries[object] else { return false }
      entry.users -= 1
      if entry.users == 0 { entries[object] = nil }
      entry.lock.unlock()
      return true
    }
  }
}
