import AppSeam
import CoreBluetooth

/// Tells an app which interfaces its device has, and when that changes.
///
/// Source: Apple, `NWPathMonitor`. Peer-to-peer interfaces are no path of the device: where AWDL alone has a link, the
/// path is unsatisfied.
public final class NWPathMonitor: @unchecked Sendable {
  private let network: PhoneNetwork?
  private let requiredType: NWInterface.InterfaceType?
  private let prohibitedTypes: [NWInterface.InterfaceType]
  private var told: NWPath?
  private var isCancelled = false

  /// Is called with the path after the start, and after each change.
  @preconcurrency public var pathUpdateHandler: (@Sendable (NWPath) -> Void)?
  /// The queue on which it is called; nil before the start.
  public private(set) var queue: DispatchQueue?

  /// A monitor of all interfaces.
  public convenience init() { self.init(required: nil, prohibited: []) }
  /// A monitor of one type of interface.
  public convenience init(requiredInterfaceType: NWInterface.InterfaceType) {
    self.init(required: requiredInterfaceType, prohibited: [])
  }
  /// A monitor of all but some types of interface.
  public convenience init(prohibitedInterfaceTypes: [NWInterface.InterfaceType]) {
    self.init(required: nil, prohibited: prohibitedInterfaceTypes)
  }

  private init(required: NWInterface.InterfaceType?, prohibited: [NWInterface.InterfaceType]) {
    network = PhoneNetwork.current(for: "a path monitor")
    requiredType = required
    prohibitedTypes = prohibited
  }

  /// The path as it is now.
  public var currentPath: NWPath { NWPath(links ?? []) }

  /// Begins; a second call is ignored.
  public func start(queue: DispatchQueue) {
    network?.note("NWPathMonitor.start(queue:)")
    guard self.queue == nil, !isCancelled else {
      network?.phone.remark(.misuse, .startedTwice, "a path monitor is started again; the call is ignored")
      return
    }
    self.queue = queue
    guard let network else { return }
    network.phone.know(queue)
    network.monitors.append(self)
    pathChanged()
    // A phone without a network is told of none.
    if links == nil { queue.asyncAfter(deadline: .now() + .milliseconds(1)) { [self] in pathChanged(isKnown: true) } }
  }

  /// Ends it; a cancelled monitor cannot be started again.
  public func cancel() {
    network?.note("NWPathMonitor.cancel()")
    isCancelled = true
    pathUpdateHandler = nil
    network?.monitors.removeAll { $0 === self }
  }

  /// Those that the monitor looks at; nil: the phone was not told yet.
  private var links: [NetworkInterface]? {
    guard let network else { return [] }
    return network.phone.locked { network.phone.network.links }?.filter {
      let type = NWInterface($0).type
      return $0 == .infrastructure && (requiredType == nil || requiredType == type) && !prohibitedTypes.contains(type)
    }
  }

  func pathChanged(isKnown: Bool = false) {
    guard let queue, let network, !isCancelled, isKnown || links != nil else { return }
    let path = NWPath(links ?? [])
    if path == told { return }
    told = path
    network.phone.call(on: queue) { [self] in
      guard let pathUpdateHandler else { return }
      network.noteCallback("NWPathMonitor.pathUpdateHandler", [path.debugDescription])
      pathUpdateHandler(path)
    }
  }
}
