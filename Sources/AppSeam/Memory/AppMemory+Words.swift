import BluetoothWire

extension AppMemory: AppStatement {
  public static let words = [AppMemory()]

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.word("memory")
    try visitor.field("version", &version)
    try visitor.records("peers", &peers)
    try visitor.records("centrals", &centrals)
    try visitor.records("servers", &servers)
    try visitor.records("links", &links)
    try visitor.field("attempts", &attempts)
    try visitor.records("scans", &scans)
    try visitor.records("advertisements", &advertisements)
    try visitor.field("nextNumber", &nextNumber)
  }
}

extension AppMemory.KnownDevice: WordRecord {
  public static let empty = Self(address: "", name: nil)

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("address", &address)
    try visitor.field("name", &name)
  }
}

extension AppMemory.Central: WordRecord {
  public static let empty = Self(
    identifier: "", peers: [], found: [], scans: false, services: [], solicited: [], allowsDuplicates: false)

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("identifier", &identifier)
    try visitor.field("peers", &peers)
    try visitor.records("found", &found)
    try visitor.field("scans", &scans)
    try visitor.field("services", &services)
    try visitor.field("solicited", &solicited)
    try visitor.field("allowsDuplicates", &allowsDuplicates)
  }
}

extension AppMemory.FoundDevice: WordRecord {
  public static let empty = Self(address: "", isKnown: false, services: [])

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("address", &address)
    try visitor.field("known", &isKnown)
    try visitor.records("services", &services)
  }
}

extension AppMemory.KeptService: WordRecord {
  public static let empty = Self(found: FoundService.empty, isKnown: false, characteristics: [])

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try found.visit(&visitor)
    try visitor.field("known", &isKnown)
    try visitor.records("characteristics", &characteristics)
  }
}

extension AppMemory.KeptCharacteristic: WordRecord {
  public static let empty = Self(
    found: FoundCharacteristic.empty, isNotifying: false, isKnown: false, descriptors: [])

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try found.visit(&visitor)
    try visitor.field("notifies", &isNotifying)
    try visitor.field("known", &isKnown)
    try visitor.records("descriptors", &descriptors)
  }
}

extension AppMemory.Server: WordRecord {
  public static let empty = Self(
    identifier: "", services: [], published: [], localName: nil, advertised: [], isAdvertising: false)

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("identifier", &identifier)
    try visitor.records("services", &services)
    try visitor.records("published", &published)
    try visitor.field("localName", &localName)
    try visitor.field("advertised", &advertised)
    try visitor.field("advertises", &isAdvertising)
  }
}

extension AppMemory.PublishedPSM: WordRecord {
  public static let empty = Self(psm: 0)

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("psm", &psm)
  }
}

extension AppMemory.Link: WordRecord {
  public static let empty = Self(
    id: LinkID(0), address: "", isOutgoing: false, attMTU: 23, holders: [], subscriptions: [], services: [])

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("link", &id)
    try visitor.field("address", &address)
    try visitor.field("outgoing", &isOutgoing)
    try visitor.field("attMTU", &attMTU)
    try visitor.field("holders", &holders)
    try visitor.records("subscriptions", &subscriptions)
    try visitor.field("services", &services)
  }
}

extension AttributeKey: WordRecord {
  public static let empty = AttributeKey(0)

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("attribute", &rawValue)
  }
}

extension ScanRequest: WordRecord {
  public static let empty = ScanRequest(services: [])

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("services", &services)
    try visitor.field("solicited", &solicited)
    try visitor.field("everyPacket", &everyPacket)
  }
}

extension AdvertisementRequest: WordRecord {
  public static let empty = AdvertisementRequest(localName: "", serviceUUIDs: [])

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("localName", &localName)
    try visitor.field("services", &serviceUUIDs)
  }
}
