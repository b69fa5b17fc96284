import AppSeam
import BluetoothWire

/// Publishes services, advertises, and answers centrals.
///
/// Source: Apple, `CBPeripheralManager`. Every call of the delegate comes on the queue that was given, or on the main
/// one. There may be several on one phone; what they advertise is advertised together.
open class CBPeripheralManager: CBManager {
  /// Whoever is told; not retained.
  open weak var delegate: (any CBPeripheralManagerDelegate)?
  var advertising = Advertising.off { didSet { if advertising != oldValue { changed() } } }
  var advertised: AdvertisementRequest?
  /// `updateValue` returned false, and nobody was told yet that there is room.
  var owesReady = false
  /// It was called again since, which is remarked once.
  var isRefusalRemarked = false
  /// Requests that wait for the app.
  var requests: [WaitingRequest] = []
  private var centrals: [CBCentral] = []
  var waitsForChannel = false
  var publishedPSMs: [CBL2CAPPSM] = []

  /// `paused`: Bluetooth went off; advertising goes on when it is back.
  enum Advertising: Hashable { case off, starting, on, paused }

  struct WaitingRequest {
    var request: RequestID
    var link: LinkID
    /// Nil: a write.
    var read: AttributeKey?
    /// The stack wants an answer.
    var needsAnswer: Bool
  }

  /// A manager without a delegate, on the main queue.
  public convenience init() { self.init(delegate: nil, queue: nil, options: nil) }

  /// A manager on the current virtual phone; its state comes by `peripheralManagerDidUpdateState`.
  ///
  /// - Parameter queue: Where the delegate is called; nil: the main queue.
  public init(
    delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil
  ) {
    self.delegate = delegate
    super.init(
      queue: queue, restoreIdentifier: options?[CBPeripheralManagerOptionRestoreIdentifierKey] as? String)
    phone?.locked {
      phone?.servers.append(WeakReference(value: self))
      restore()
    }
    let state = phone?.state ?? .unsupported
    call { [weak self] in
      guard let self else { return }
      shownState = state
      // A delegate may be set later.
      if delegate != nil { tellDelegateOfState() }
    }
  }

  deinit {
    guard let phone else { return }
    phone.locked {
      for entry in phone.local.entries where entry.manager == nil || entry.manager === self {
        phone.local.remove(entry.key)
        phone.ask(.gatt(.unpublish(entry.key)))
      }
      for psm in publishedPSMs { phone.ask(.channel(.unpublish(psm: psm))) }
      phone.refreshAdvertising(startedBy: nil)
    }
  }

  /// Whether the manager advertises.
  open var isAdvertising: Bool { phone?.locked { advertising == .on } ?? false }

  // MARK: Commands

  /// Publishes a service; `peripheralManager(_:didAdd:error:)` follows. It cannot be changed after that.
  ///
  /// A service that is published already raises an exception; included services have to be published before.
  open func add(_ service: CBMutableService) { publish(service) }

  /// Takes a service back; centrals that know it are told.
  open func remove(_ service: CBMutableService) { takeBack(service) }

  /// Takes all services of this manager back.
  open func removeAllServices() { takeAllBack() }

  /// Advertises a name and services; `peripheralManagerDidStartAdvertising` follows.
  ///
  /// Only `CBAdvertisementDataLocalNameKey` and `CBAdvertisementDataServiceUUIDsKey` are used; the phone below decides
  /// what fits. Advertising that is on already is refused with `alreadyAdvertising`.
  open func startAdvertising(_ advertisementData: [String: Any]?) { beginAdvertising(advertisementData) }

  /// Advertises no more.
  open func stopAdvertising() { endAdvertising() }

  /// Sends a value to the centrals that have subscribed, or to some of them.
  ///
  /// What is longer than a central's `maximumUpdateValueLength` is cut. Centrals that have not subscribed are ignored.
  ///
  /// - Returns: false when there is no room; nothing was sent then, and `peripheralManagerIsReady` follows.
  @discardableResult
  open func updateValue(
    _ value: Data, for characteristic: CBMutableCharacteristic, onSubscribedCentrals centrals: [CBCentral]?
  ) -> Bool {
    update(value, characteristic, centrals)
  }

  /// Answers a read or write; exactly once for each call of the delegate, and for writes with the first request.
  ///
  /// A successful read sends `request.value`, which begins at the offset that was asked for.
  open func respond(to request: CBATTRequest, withResult result: CBATTError.Code) { answer(request, result) }

  /// Asks for a connection latency on the link with a central: an interval of 15 ms, 30 to 60 ms, or 240 to 300 ms. It
  /// is a wish; nobody is told what came of it.
  open func setDesiredConnectionLatency(_ latency: CBPeripheralManagerConnectionLatency, for central: CBCentral) {
    wish(latency, central)
  }

  /// Listens for L2CAP channels on a PSM of the system's choice; `didPublishL2CAPChannel` follows.
  open func publishL2CAPChannel(withEncryption encryptionRequired: Bool) { publishChannel(encryptionRequired) }

  /// Listens no more, and closes the channels that were opened on the PSM; `didUnpublishL2CAPChannel` follows.
  open func unpublishL2CAPChannel(_ PSM: CBL2CAPPSM) { unpublishChannel(PSM) }

  // MARK: What the phone tells

  func power(_ isOn: Bool) {
    if !isOn, advertising != .off { advertising = .paused }
    owesReady = false
    requests = []
    if isOn, advertising == .paused { phone?.refreshAdvertising(startedBy: nil) }
    let state = phone?.state ?? .unsupported
    call { [weak self] in
      guard let self else { return }
      shownState = state
      if !isOn { forgetSubscribers() }
      tellDelegateOfState()
    }
  }

  private func tellDelegateOfState() {
    tell("peripheralManagerDidUpdateState(_:)", with: ["\(shownState)"]) { $0.peripheralManagerDidUpdateState(self) }
  }

  private func forgetSubscribers() {
    guard let phone else { return }
    for entry in phone.locked({ phone.local.entries.filter { $0.manager === self } }) {
      for case let characteristic as CBMutableCharacteristic in entry.service.characteristics ?? [] {
        characteristic.subscribers = []
      }
    }
  }

  /// Calls the delegate; one that is gone is remarked.
  func tell(
    _ method: String, _ peer: CBPeer? = nil, with arguments: @autoclosure () -> [String] = [],
    _ body: (any CBPeripheralManagerDelegate) -> Void
  ) {
    if let delegate {
      phone?.note(.callback(method: method, peer: peer.map { CallText.of($0) }, arguments: arguments()))
      body(delegate)
    } else {
      phone?.remark(.note, .delegateGone, "a peripheral manager without a delegate had something to tell")
    }
  }

  /// The one object for a central.
  func central(_ address: BluetoothAddress) -> CBCentral {
    if let known = centrals.first(where: { $0.address == address }) { return known }
    let made = CBCentral(address: address, phone: phone!)
    centrals.append(made)
    return made
  }

  // MARK: Restoration

  private func restore() {
    guard let phone, let restoreIdentifier,
      let kept = phone.memory.servers.first(where: { $0.identifier == restoreIdentifier })
    else { return }
    publishedPSMs = kept.publishedPSMs
    var services: [CBMutableService] = []
    for record in kept.services { services.append(restoredService(record, included: services)) }
    var state: [String: Any] = [CBPeripheralManagerRestoredStateServicesKey: services]
    if kept.isAdvertising {
      let request = AdvertisementRequest(localName: kept.localName ?? "", serviceUUIDs: kept.advertised)
      var data: [String: Any] = [CBAdvertisementDataServiceUUIDsKey: kept.advertised.map { CBUUID($0) }]
      if let name = kept.localName { data[CBAdvertisementDataLocalNameKey] = name }
      state[CBPeripheralManagerRestoredStateAdvertisementDataKey] = data
      advertised = request
      advertising = phone.memory.below == nil ? .starting : .on
      phone.refreshAdvertising(startedBy: self)
    }
    let box = UncheckedBox(value: state)
    call { [weak self] in
      guard let self else { return }
      tell("peripheralManager(_:willRestoreState:)", with: [CallText.count(services, "service")]) {
        $0.peripheralManager(self, willRestoreState: box.value)
      }
    }
  }

  /// What is kept of it for a later launch; nil without a restore identifier.
  var kept: PhoneMemory.Server? {
    guard let phone, let restoreIdentifier else { return nil }
    var kept = PhoneMemory.Server(
      identifier: restoreIdentifier,
      services: phone.local.entries.filter { $0.manager === self }.map(\.record),
      localName: advertised?.localName, advertised: advertised?.serviceUUIDs ?? [],
      isAdvertising: advertising != .off)
    kept.publishedPSMs = publishedPSMs
    return kept
  }
}
