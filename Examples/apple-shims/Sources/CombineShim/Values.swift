import Foundation
import OpenCombine
import OpenCombineFoundation

extension Publisher where Failure == Never {
  /// The values, for `for await`; they wait for whoever is slower.
  public var values: AsyncStream<Output> {
    AsyncStream { continuation in
      let subscription = sink(
        receiveCompletion: { _ in continuation.finish() }, receiveValue: { continuation.yield($0) })
      continuation.onTermination = { _ in subscription.cancel() }
    }
  }
}

extension Publisher {
  /// The values, for `for try await`; they wait for whoever is slower.
  public var values: AsyncThrowingStream<Output, any Error> {
    AsyncThrowingStream { continuation in
      let subscription = sink(
        receiveCompletion: { completion in
          if case .failure(let error) = completion {
            continuation.finish(throwing: error)
          } else {
            continuation.finish()
          }
        }, receiveValue: { continuation.yield($0) })
      continuation.onTermination = { _ in subscription.cancel() }
    }
  }
}

extension NSObjectProtocol where Self: NSObject {
  /// A property's value now, and each other value that it gets; of objects of CoreBluetooth, which tell their changes
  /// by a notification. Values that are set again are left out.
  public func publisher<Value>(for keyPath: KeyPath<Self, Value>) -> AnyPublisher<Value, Never> {
    NotificationCenter.default.ocombine.publisher(
      for: Notification.Name("CoreBluetooth.keyValueChanged"), object: self
    )
    .compactMap { [weak self] _ in self?[keyPath: keyPath] }
    .prepend(self[keyPath: keyPath])
    .removeDuplicates { $0 as? AnyHashable == $1 as? AnyHashable }
    .eraseToAnyPublisher()
  }
}
