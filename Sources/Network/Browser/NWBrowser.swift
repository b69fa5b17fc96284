import AppSeam
import CoreBluetooth
import SimKernel

/// Finds services of other devices.
///
/// Source: Apple, `NWBrowser`. A browser with peer to peer that is started while another one of its type looks keeps
/// AWDL awake for ten seconds, so that a search over sleeping interfaces is a quick one. Services of the own phone are
/// not found: a connection to them would not use the network.
public final class NWBrowser: @unchecked Sendable, CustomDebugStringConvertible {
  /// What a browser is doing.
  public enum State: Equatable, Sendable {
    /// It was not started.
    case setup
    /// It looks for services.
    case ready
    /// It is over, and not by the app.
    case failed(NWError)
    /// The app has ended it; nothing more is told.
    case cancelled
    /// It cannot look now.
    case waiting(NWError)
  }

  /// What it looks for.
  public let descriptor: Descriptor
  /// How it uses the network.
  public let parameters: NWParameters
  /// The state as the app was told last.
  public private(set) var state = State.setup
  /// The queue of handlers; nil before the start.
  public private(set) var queue: DispatchQueue?
  /// What is found, as the app was told last.
  public private(set) var browseResults: Set<Result> = []

  /// Is called after each change of the state; the last call is that of `cancelled`.
  @preconcurrency public var stateUpdateHandler: (@Sendable (State) -> Void)?
  /// Is called with all results, and what changed since the last call.
  @preconcurrency public var browseResultsChangedHandler: (@Sendable (Set<Result>, Set<Result.Change>) -> Void)?

  /// For how long one more browser keeps Wi-Fi from peer to peer awake.
  private static let wakeTime = SimDuration.seconds(10)
  private let network: PhoneNetwork?
  private var isOver = false
  private var isTelling = false
  /// As the app was told last, in the order in which they were found.
  private var shown: [Result] = []

  /// A browser; nothing happens before `start(queue:)`.
  public init(for descriptor: Descriptor, using parameters: NWParameters) {
    self.descriptor = descriptor
    self.parameters = parameters
    network = PhoneNetwork.current(for: "a browser")
  }

  /// Begins to look, and names the queue of all handlers. A second call is ignored.
  public func start(queue: DispatchQueue) {
    note("start(queue:)")
    guard let network else { return }
    if self.queue != nil || isOver {
      network.phone.remark(
        .misuse, isOver ? .startedAfterCancel : .startedTwice,
        "a browser is started again, or after its end; the call is ignored")
      return
    }
    self.queue = queue
    network.phone.know(queue)
    guard let type = descriptor.type else {
      network.remarkOnce(.limit, .browserKind, "application services are not modelled; nothing is found")
      return show(.ready)
    }
    guard Self.isServiceType(type) else {
      isOver = true
      return show(.failed(.dns(DNSServiceErrorType(kDNSServiceErr_BadParam))))
    }
    network.browsers.append(self)
    show(.ready)
    // One more browser of a type says that the app wants to find it soon.
    if parameters.includePeerToPeer, network.searches.contains(where: { $0.type == type && $0.peerToPeer }) {
      network.ask(.prime(Self.wakeTime))
    }
    network.search(type, peerToPeer: parameters.includePeerToPeer, for: self)
    resultsChanged()
  }

  /// Ends the browser. Further calls are ignored.
  public func cancel() {
    note("cancel()")
    guard !isOver else { return }
    isOver = true
    network?.browsers.removeAll { $0 === self }
    if let type = descriptor.type { network?.giveUp(type, for: self) }
    show(.cancelled)
  }

  /// What it looks for.
  public var debugDescription: String { "[B \(descriptor.type ?? "application service")]" }

  var type: String? { isOver ? nil : descriptor.type }

  // MARK: Results

  /// The results as they are now, in the order in which they were found.
  private var results: [Result] {
    guard let network, let type else { return [] }
    let allowed = parameters.allowedInterfaces
    return network.services.filter { $0.isThere && $0.type == type }.compactMap { service in
      let interfaces = service.interfaces.filter { allowed.contains($0) }
      guard !interfaces.isEmpty else { return nil }
      var metadata = Result.Metadata.none
      if case .bonjourWithTXTRecord = descriptor { metadata = .bonjour(service.txtRecord) }
      return Result(
        endpoint: .service(name: service.name, type: type, domain: ServiceNames.local, interface: nil),
        interfaces: interfaces.map { NWInterface($0) }, metadata: metadata)
    }
  }

  /// What is found changed; several changes of one instant are told together.
  func resultsChanged() {
    guard let network, let queue, !isTelling, results != shown else { return }
    isTelling = true
    network.phone.call(on: queue) { [self] in
      isTelling = false
      let (old, new) = (shown, results)
      guard !isOver, old != new else { return }
      shown = new
      browseResults = Set(new)
      var changes: [Result.Change] = []
      for result in old where !new.contains(where: { $0.endpoint == result.endpoint }) {
        changes.append(Result.Change(between: result, nil))
      }
      for result in new {
        let before = old.first { $0.endpoint == result.endpoint }
        if before != result { changes.append(Result.Change(between: before, result)) }
      }
      network.noteCallback("NWBrowser.browseResultsChangedHandler", new.map(\.debugDescription))
      browseResultsChangedHandler?(browseResults, Set(changes))
    }
  }

  // MARK: The app

  private func show(_ next: State) {
    guard let network, let queue else {
      state = next
      return
    }
    network.phone.call(on: queue) { [self] in
      if state == .cancelled || state == next { return }
      state = next
      network.noteCallback("NWBrowser.stateUpdateHandler", [next.text])
      stateUpdateHandler?(next)
      if next == .cancelled {
        stateUpdateHandler = nil
        browseResultsChangedHandler = nil
      }
    }
  }

  private func note(_ method: String) { network?.note("NWBrowser." + method, [debugDescription]) }

  /// `_name._tcp` or `_name._udp`, the name of 1 … 15 letters, digits and hyphens (RFC 6335, 5.1).
  private static func isServiceType(_ type: String) -> Bool {
    guard type.hasPrefix("_"), type.hasSuffix("._tcp") || type.hasSuffix("._udp") else { return false }
    return ServiceNames.isName(type.dropFirst().dropLast(5))
  }
}

extension NWBrowser.State {
  /// As the trace shows it.
  fileprivate var text: String {
    switch self {
    case .setup: "setup"
    case .ready: "ready"
    case .failed(let error): "failed(\(error.debugDescription))"
    case .cancelled: "cancelled"
    case .waiting(let error): "waiting(\(error.debugDescription))"
    }
  }
}
