/// All names of remarks, by topic.
extension CBRemark.Name {
  private static func name(_ text: String) -> Self { Self(rawValue: text) }

  // Values.
  static let uuidText = name("uuid.text")
  static let uuidData = name("uuid.data")
  // Managers.
  static let noPhone = name("manager.no-phone")
  static let notPoweredOn = name("manager.not-powered-on")
  static let delegateGone = name("manager.delegate-gone")
  static let nearlyDelegateMethod = name("manager.nearly-a-delegate-method")
  static let noSymbols = name("manager.no-symbols")
  static let queueBlocked = name("manager.queue-blocked")
  static let connectionEvents = name("central.connection-events")
  // Central.
  static let scanTwice = name("central.scan-again")
  static let unfilteredInBackground = name("central.unfiltered-in-background")
  static let foreignPeripheral = name("central.foreign-peripheral")
  static let peripheralNotRetained = name("central.peripheral-not-retained")
  static let connectOption = name("central.connect-option")
  static let cancelIdle = name("central.cancel-idle")
  // Peripheral.
  static let notConnected = name("peripheral.not-connected")
  static let noPeripheralDelegate = name("peripheral.no-delegate")
  static let foreignAttribute = name("peripheral.foreign-attribute")
  static let staleAttribute = name("peripheral.stale-attribute")
  static let notReadable = name("peripheral.not-readable")
  static let notWritable = name("peripheral.not-writable")
  static let notNotifying = name("peripheral.not-notifying")
  static let valueTooLong = name("peripheral.value-too-long")
  static let queueFull = name("peripheral.queue-full")
  static let configurationDescriptor = name("peripheral.configuration-descriptor")
  // Local attributes.
  static let cachedNotReadOnly = name("local.cached-value-not-read-only")
  static let dynamicValueSet = name("local.value-after-publication")
  static let descriptorKind = name("local.descriptor-kind")
  static let propertyNotAllowed = name("local.property-not-allowed")
  static let serviceAddedTwice = name("local.service-added-twice")
  static let uuidNotAllowed = name("local.uuid-not-allowed")
  static let serviceNotAdded = name("local.service-not-added")
  static let includedNotPublished = name("local.included-not-published")
  static let includedStillUsed = name("local.included-service-still-used")
  static let changedAfterPublication = name("local.changed-after-publication")
  // Peripheral manager.
  static let advertisementKey = name("advertising.key")
  static let advertisingTwice = name("advertising.twice")
  static let characteristicNotPublished = name("update.not-published")
  static let updateTruncated = name("update.truncated")
  static let updateNotNotifying = name("update.not-notifying")
  static let foreignCentral = name("update.foreign-central")
  static let updateIgnored = name("update.queue-full")
  static let answeredTwice = name("request.answered-twice")
  static let unanswered = name("request.unanswered")
  static let requestNotHandled = name("request.not-handled")
  static let channelUnknown = name("channel.unknown")
}
