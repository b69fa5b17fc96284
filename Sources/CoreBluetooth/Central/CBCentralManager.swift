import AppSeam
import BluetoothWire

/// Finds peripherals and connects to them.
///
/// Source: Apple, `CBCentralManager`. Every call of the delegate comes on the queue that was given, or on the main one.
/// There may be several on one phone: each has its own scan, and its own objects for the same peripherals.
open class CBCentralManager: CBManager {
  /// What the hardware may support.
  public struct Feature: OptionSet, Hashable, Sendable {
    /// The sum of the bits.
    public let rawValue: UInt
    /// A set by the sum of its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Extended scanning and connecting. Not modelled.
    public static let extendedScanAndConnect = Feature(rawValue: 1)
  }

  /// Whoever is told; not retained.
  open weak var delegate: (any CBCentralManagerDelegate)?
  var scan: ScanWish? { didSet { if (scan == nil) != (oldValue == nil) { changed() } } }
  /// What was reported of each peripheral in this scan.
  var reported: [BluetoothAddress: HeardAdvertiser] = [:]
  private var objects: [(address: BluetoothAddress, peripheral: WeakReference<CBPeripheral>)] = []
  var wantedEvents: ConnectionEventWish?
  /// Peripherals that reconnect by themselves.
  var reconnecting: [BluetoothAddress] = []
  /// The end of a connection that the delegate is told of at present, for its longer method.
  var toldEnd: (timestamp: CFAbsoluteTime, isReconnecting: Bool)?
  /// Restored peripherals, kept until the app has had them.
  private var restored: [CBPeripheral] = []

  /// A manager without a delegate, on the main queue.
  public convenience init() { self.init(delegate: nil, queue: nil, options: nil) }

  /// A manager on the current virtual phone; its state comes by `centralManagerDidUpdateState`.
  ///
  /// - Parameter queue: Where the delegate is called; nil: the main queue.
  public init(
    delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil
  ) {
    self.delegate = delegate
    super.init(
      queue: queue, restoreIdentifier: options?[CBCentralManagerOptionRestoreIdentifierKey] as? String)
    phone?.locked {
      phone?.centrals.append(WeakReference(value: self))
      restore()
    }
    tellState()
  }

  deinit {
    if let phone { phone.locked { phone.managerGone(number) } }
  }

  /// Whether a scan is on.
  open var isScanning: Bool { phone?.locked { scan != nil } ?? false }

  /// Whether the hardware supports all of these features: none of them.
  open class func supports(_ features: Feature) -> Bool { features.isEmpty }

  // MARK: Commands

  /// Looks for peripherals that advertise one of these services, or for all; replaces the manager's scan before.
  ///
  /// Without `CBCentralManagerScanOptionAllowDuplicatesKey` each peripheral is reported once, and again when its
  /// advertisement has something new; with it, in the foreground, for each packet.
  open func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil) {
    beginScan(serviceUUIDs, options)
  }

  /// Ends the manager's scan.
  open func stopScan() { endScan() }

  /// Connects; that has no time limit. It is cancelled by `cancelPeripheralConnection`, and when nobody retains the
  /// peripheral any more.
  open func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) { beginConnection(peripheral, options) }

  /// Ends a connection, or an attempt; `centralManager(_:didDisconnectPeripheral:error:)` follows, without an error.
  ///
  /// The link stays as long as another manager, or the peer as a central, uses it.
  open func cancelPeripheralConnection(_ peripheral: CBPeripheral) { endConnection(peripheral) }

  /// The peripherals among these identifiers that the phone knows, in the order of the identifiers.
  open func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral] { retrieve(identifiers) }

  /// The peripherals with which the phone has a link, by whomever, and that have one of these services.
  ///
  /// They have to be connected by this app before they are used. Services count that were discovered or advertised.
  open func retrieveConnectedPeripherals(withServices serviceUUIDs: [CBUUID]) -> [CBPeripheral] {
    retrieveConnected(serviceUUIDs)
  }

  /// Tells of connections and disconnections of the phone with these peers, whoever made them; nil: no more.
  ///
  /// Services are compared with what a peer has advertised, because the phone discovers nothing on its own.
  open func registerForConnectionEvents(options: [CBConnectionEventMatchingOption: Any]? = nil) {
    registerForEvents(options)
  }

  private func tellState() {
    let state = phone?.state ?? .unsupported
    call { [weak self] in
      guard let self else { return }
      shownState = state
      // A delegate may be set later.
      if delegate != nil { tellDelegateOfState() }
    }
  }

  // MARK: What the phone tells

  func power(_ isOn: Bool) {
    scan = nil
    reported = [:]
    reconnecting = []
    for (_, object) in objects { object.value?.linkIsGone() }
    let state = phone?.state ?? .unsupported
    call { [weak self] in
      guard let self else { return }
      shownState = state
      if !isOn { for (_, object) in objects { object.value?.ended() } }
      tellDelegateOfState()
    }
  }

  private func tellDelegateOfState() {
    tell("centralManagerDidUpdateState(_:)", with: ["\(shownState)"]) { $0.centralManagerDidUpdateState(self) }
  }

  /// Calls the delegate; one that is gone is remarked.
  func tell(
    _ method: String, _ peer: CBPeer? = nil, with arguments: @autoclosure () -> [String] = [],
    _ body: (any CBCentralManagerDelegate) -> Void
  ) {
    if let delegate {
      phone?.note(.callback(method: method, peer: peer.map { CallText.of($0) }, arguments: arguments()))
      body(delegate)
    } else {
      phone?.remark(.note, .delegateGone, "a central manager without a delegate had something to tell")
    }
  }

  // MARK: Its peripherals

  /// The object for a peripheral, if the app still has it.
  func known(_ address: BluetoothAddress) -> CBPeripheral? {
    objects.first { $0.address == address }?.peripheral.value
  }

  /// The one object for a peripheral.
  func peripheral(_ address: BluetoothAddress) -> CBPeripheral {
    if let known = known(address) { return known }
    let made = CBPeripheral(address: address, manager: self)
    objects.removeAll { $0.peripheral.value == nil }
    objects.append((address, WeakReference(value: made)))
    return made
  }

  // MARK: Restoration

  private func restore() {
    guard let phone, let restoreIdentifier,
      let kept = phone.memory.centrals.first(where: { $0.identifier == restoreIdentifier })
    else { return }
    restored = kept.peers.map { peripheral($0) }
    var state: [String: Any] = [CBCentralManagerRestoredStatePeripheralsKey: restored]
    if let services = kept.scan, !services.isEmpty {
      state[CBCentralManagerRestoredStateScanServicesKey] = services.map { CBUUID($0) }
    }
    let options = kept.scanOptions
    if !options.isEmpty { state[CBCentralManagerRestoredStateScanOptionsKey] = options }
    let box = UncheckedBox(value: state)
    for object in restored { restore(object, kept, phone) }
    if let services = kept.scan {
      scan = ScanWish(services: services, solicited: kept.solicited, allowsDuplicates: kept.allowsDuplicates)
      phone.refreshScan()
    }
    call { [weak self] in
      guard let self else { return }
      tell("centralManager(_:willRestoreState:)", with: [CallText.count(restored, "peripheral")]) {
        $0.centralManager(self, willRestoreState: box.value)
      }
      restored = []
    }
  }

  /// A connection of an earlier launch, or an attempt, which the platform still has or is asked for again.
  private func restore(_ object: CBPeripheral, _ kept: PhoneMemory.Central, _ phone: VirtualPhone) {
    let peer = object.address
    if let below = phone.memory.below, let link = phone.link(with: peer) {
      let isHeld = below.links.contains { $0.id == link.id && $0.holders.contains(kept.identifier) }
      if isHeld {
        link.holders.append(number)
        return object.restore(link, kept.found.first { $0.peer == peer })
      }
    }
    object.shownState = .connecting
    if phone.memory.below?.attempts.contains(peer) == true {
      phone.attempts.append(ConnectionAttempt(manager: number, peer: peer))
    } else {
      phone.connect(peer, for: self)
    }
  }

  /// What is kept of it for a later launch; nil without a restore identifier.
  var kept: PhoneMemory.Central? {
    guard let phone, let restoreIdentifier else { return nil }
    let held = phone.links.filter { $0.holders.contains(number) }.map(\.peer)
    let waited = phone.attempts.filter { $0.manager == number }.map(\.peer)
    var kept = PhoneMemory.Central(
      identifier: restoreIdentifier, peers: held + waited, scan: scan?.services ?? (scan == nil ? nil : []),
      allowsDuplicates: scan?.allowsDuplicates ?? false)
    kept.solicited = scan?.solicited ?? []
    kept.found = held.compactMap { known($0)?.kept }
    return kept
  }
}
