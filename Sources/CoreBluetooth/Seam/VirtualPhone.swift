public import AppSeam
import BluetoothWire
public import SimKernel

/// One simulated phone below the classes of CoreBluetooth: the app engine of a device whose app uses them.
///
/// It takes the inputs of the seam, turns them into calls of delegates, and collects as effects what the app asks for.
/// A call that the app makes outside of `handle` is kept, and handed out by the next `handle` or `takeEffects`.
/// One phone is used by one thread at a time below; the app may call from any queue.
public final class VirtualPhone: AppEngine, @unchecked Sendable {
  /// Guards everything of the phone; app code never runs while it is held, except `deinit` of the app's objects.
  private let lock = NSRecursiveLock()
  /// What the phone was made with.
  public let settings: Settings

  /// Runs a body that tells the app something, and returns when the app's queues are idle.
  ///
  /// The default drains the queues of the phone's managers by `sync`; a bench with virtual dispatch replaces it.
  public var settle: (SimInstant, @escaping () -> Void) -> Void = { _, body in body() }
  /// Makes the app when the phone is launched; what it returns lives as long as the phone.
  public var launch: (() -> AnyObject?)?
  /// Sees every remark when it is made, on the thread of the call; it must not wait for a queue of the app.
  public var onRemark: ((CBRemark) -> Void)?
  /// Inputs that are not CoreBluetooth's: timers, users, the network, background. Called before the app's queues run.
  public var onOtherInput: ((AppInput, SimInstant) -> Void)?

  var app: AnyObject?
  private(set) var isEnded = false
  var now = SimInstant.zero
  var isPoweredOn = true
  var isInBackground = false
  /// Who observes objects of the app's own, by way of which they see those of the phone.
  let observers = KeyValueObservers()
  private var lockDepth = 0
  private var changedObjects: [any KeyValueObserved] = []
  private var effects: [AppEffect] = []
  private var heldRemarks: [CBRemark] = []
  private var managerCount = 0
  private var callCount = 0
  private(set) var queues: [DispatchQueue] = []

  var centrals: [WeakReference<CBCentralManager>] = []
  var servers: [WeakReference<CBPeripheralManager>] = []
  var links: [PhoneLink] = []
  var attempts: [ConnectionAttempt] = []
  var book = PeerBook()
  var pending: [PendingAnswer] = []
  var local = LocalAttributes()
  var channels: [OpenChannel] = []
  /// What stays of the network between inputs (VirtualPhone+Network.swift).
  package var network = PhoneNetworkSlot()
  var memory: PhoneMemory
  var lastScan: ScanRequest?
  var lastAdvertisement: AdvertisementRequest?

  /// A phone; `memory` is what one of an earlier launch kept, and restores managers that ask for it.
  public init(_ settings: Settings, memory: PhoneMemory = PhoneMemory()) {
    self.settings = settings
    self.memory = memory
    for peer in memory.peers { book.meet(peer.address, name: peer.name) }
    if let below = memory.below { takeOver(below) }
    settle = { [unowned self] _, body in QueueSettling.run(body, phone: self) }
  }

  // MARK: The seam

  /// Tells the app, and returns what it asks for.
  public func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    feed(input, at: now)
    return takeEffects()
  }

  /// What the app has asked for and no `handle` has handed out yet.
  public func takeEffects() -> [AppEffect] {
    locked {
      let taken = effects
      effects = []
      return taken
    }
  }

  package func feed(_ input: AppInput, at now: SimInstant) {
    inside(now) { self.take(input) }
  }

  private func inside(_ now: SimInstant, _ body: @escaping () -> Void) {
    locked { self.now = now }
    settle(now) { [self] in whileCurrent(body) }
  }

  /// The app is killed: its object is released, and whatever of it lives on is told nothing and can ask for nothing.
  public func end() {
    let killed = locked {
      isEnded = true
      let killed = (app, network)
      app = nil
      network = PhoneNetworkSlot()
      launch = nil
      effects = []
      pending = []
      attempts = []
      links = []
      channels = []
      for entry in local.entries { local.remove(entry.key) }
      return killed
    }
    // Here, where the lock is free, the app may be deinitialised.
    withExtendedLifetime(killed) {}
  }

  // MARK: For the classes

  /// Runs a body while nothing else of the phone changes; no code of the app may run in it.
  @discardableResult
  package func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    lockDepth += 1
    defer {
      lockDepth -= 1
      let told = lockDepth == 0 && !changedObjects.isEmpty ? takeChanged() : []
      lock.unlock()
      if !told.isEmpty { tell(told) }
    }
    return try body()
  }

  /// Observers of an object are told when nobody holds the lock any more.
  func changed(_ object: any KeyValueObserved) {
    locked { if !isEnded, !changedObjects.contains(where: { $0 === object }) { changedObjects.append(object) } }
  }

  private func tell(_ changed: [any KeyValueObserved]) {
    for object in changed { object.tellObservers() }
    observers.look()
  }

  private func takeChanged() -> [any KeyValueObserved] {
    let taken = changedObjects
    changedObjects = []
    return taken
  }

  package func ask(_ effect: AppEffect) { locked { if !isEnded { effects.append(effect) } } }

  /// Among what nobody has taken yet.
  func ask(_ effect: AppEffect, at place: Int) { locked { if !isEnded { effects.insert(effect, at: place) } } }
  var effectCount: Int { locked { effects.count } }

  func nextManagerNumber() -> Int {
    locked {
      managerCount += 1
      return managerCount - 1
    }
  }

  /// A queue that is waited for when the app settles.
  package func know(_ queue: DispatchQueue) {
    locked {
      let isKnown = queues.contains { $0 === queue || QueueSettling.isMain($0) && QueueSettling.isMain(queue) }
      if !isKnown { queues.append(queue) }
    }
    if !QueueSettling.isMain(queue) { Self.mark(queue, self) }
  }

  func give(up queue: DispatchQueue) { locked { queues.removeAll { $0 === queue } } }

  func callPlaced() { locked { callCount += 1 } }
  /// Grows with every call that was put into a queue.
  var callsPlaced: Int { locked { callCount } }

  // MARK: Remarks

  /// Every remark since the last call of this method, in order.
  public func takeRemarks() -> [CBRemark] {
    locked {
      let taken = heldRemarks
      heldRemarks = []
      return taken
    }
  }

  package func remark(_ kind: CBRemark.Kind, _ name: CBRemark.Name, _ text: String) {
    let remark = locked {
      let remark = CBRemark(kind, name, text, at: now)
      heldRemarks.append(remark)
      ask(.report(AppReport(CallWord.remark(kind: kind.rawValue, id: name.rawValue, text: text))))
      return remark
    }
    onRemark?(remark)
  }
}

/// A reference that does not keep its object.
struct WeakReference<Value: AnyObject> {
  weak var value: Value?
}
