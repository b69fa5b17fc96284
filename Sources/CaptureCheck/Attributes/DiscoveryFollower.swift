import BluetoothWire

/// A request of one side that its server has not answered yet. ATT allows one at a time (Core v5.4, Vol 3, Part F,
/// 3.3.2).
struct PendingRequest {
  /// 0: none, or one that tells nothing about attributes.
  var opcode: UInt8 = 0
  /// The attribute type or group type that it asks for.
  var type = BluetoothUUID(0)
  /// The value of Find By Type Value, where that is a UUID.
  var value: BluetoothUUID?
  /// Client Rx MTU of Exchange MTU.
  var mtu = 0
}

/// Learns what handles mean from requests and their answers.
///
/// Spec: Core v5.4, Vol 3, Part F, 3.4.3 and 3.4.4; Part G, 4.4 to 4.7. Malformed PDUs teach nothing.
enum DiscoveryFollower {
  /// What `request` asks for; Exchange MTU is the channel's own business.
  static func pending(_ request: ArraySlice<UInt8>) -> PendingRequest {
    let fields = OctetFields(request)
    var pending = PendingRequest(opcode: fields.u8(0))
    switch pending.opcode {
    case 0x02 where fields.count == 3: pending.mtu = Int(fields.u16(1))
    case 0x04 where fields.count == 5: break
    case 0x06 where fields.count >= 7:
      pending.type = BluetoothUUID(fields.u16(5))
      pending.value = uuid(request.dropFirst(7))
    case 0x08, 0x10:
      guard fields.count >= 7, let type = uuid(request.dropFirst(5)) else { return PendingRequest() }
      pending.type = type
    default: return PendingRequest()
    }
    return pending
  }

  /// - Parameter request: what the answer answers; another answer than that to its request teaches nothing.
  static func learn(_ response: ArraySlice<UInt8>, to request: PendingRequest, _ map: AttributeMap) {
    let fields = OctetFields(response)
    guard request.opcode + 1 == fields.u8(0) else { return }
    switch request.opcode {
    case 0x04: findInformation(response, fields, map)
    case 0x06: findByTypeValue(fields, request, map)
    case 0x08: readByType(response, fields, request.type, map)
    case 0x10: readByGroupType(response, fields, request.type, map)
    default: break
    }
  }

  private static func findInformation(_ response: ArraySlice<UInt8>, _ fields: OctetFields, _ map: AttributeMap) {
    guard fields.count >= 2, fields.u8(1) == 1 || fields.u8(1) == 2 else { return }
    let size = fields.u8(1) == 1 ? 4 : 18
    for offset in stride(from: 2, through: fields.count - size, by: size) {
      let handle = fields.u16(offset)
      guard let type = uuid(response.dropFirst(offset + 2).prefix(size - 2)) else { continue }
      switch type.short {
      case 0x2800, 0x2801, 0x2802: break
      case 0x2803: map.listedDeclaration = handle
      default:
        if map.characteristic(value: handle) != nil { continue }
        if map.listedDeclaration != 0, handle == map.listedDeclaration &+ 1 {
          map.learn(
            AttributeMap.Characteristic(
              uuid: type, properties: [], declaration: map.listedDeclaration, value: handle))
        } else {
          map.learn(descriptor: type, at: handle)
        }
      }
    }
  }

  private static func findByTypeValue(_ fields: OctetFields, _ request: PendingRequest, _ map: AttributeMap) {
    guard request.type.short == 0x2800, let service = request.value else { return }
    for offset in stride(from: 1, through: fields.count - 4, by: 4) {
      map.learn(AttributeMap.Service(uuid: service, start: fields.u16(offset), end: fields.u16(offset + 2)))
    }
  }

  private static func readByType(
    _ response: ArraySlice<UInt8>, _ fields: OctetFields, _ type: BluetoothUUID, _ map: AttributeMap
  ) {
    guard fields.count >= 2 else { return }
    let size = Int(fields.u8(1))
    guard size >= 2 else { return }
    for offset in stride(from: 2, through: fields.count - size, by: size) {
      let handle = fields.u16(offset)
      switch type.short {
      case 0x2803:
        guard size >= 7, let value = uuid(response.dropFirst(offset + 5).prefix(size - 5)) else { return }
        map.learn(
          AttributeMap.Characteristic(
            uuid: value, properties: GATT.Properties(rawValue: fields.u8(offset + 2)), declaration: handle,
            value: fields.u16(offset + 3)))
      case 0x2802:
        guard size == 8, let service = uuid(response.dropFirst(offset + 6).prefix(2)) else { return }
        map.learnIncluded(
          AttributeMap.Service(uuid: service, start: fields.u16(offset + 2), end: fields.u16(offset + 4)))
      case 0x2800, 0x2801: break
      case .some(0x2900...0x29FF): map.learn(descriptor: type, at: handle)
      default:
        map.learn(AttributeMap.Characteristic(uuid: type, properties: [], declaration: handle &- 1, value: handle))
      }
    }
  }

  private static func readByGroupType(
    _ response: ArraySlice<UInt8>, _ fields: OctetFields, _ type: BluetoothUUID, _ map: AttributeMap
  ) {
    guard fields.count >= 2, type.short == 0x2800 || type.short == 0x2801 else { return }
    let size = Int(fields.u8(1))
    guard size == 6 || size == 20 else { return }
    for offset in stride(from: 2, through: fields.count - size, by: size) {
      guard let service = uuid(response.dropFirst(offset + 4).prefix(size - 4)) else { return }
      map.learn(AttributeMap.Service(uuid: service, start: fields.u16(offset), end: fields.u16(offset + 2)))
    }
  }

  /// Service Changed says which handles mean something else now. Spec: Core v5.4, Vol 3, Part G, 7.1.
  static func forgetChanged(_ indication: ArraySlice<UInt8>, _ map: AttributeMap) {
    let fields = OctetFields(indication)
    guard fields.count == 7, map.characteristic(value: fields.u16(1))?.uuid == .serviceChanged else { return }
    let start = fields.u16(3)
    let end = fields.u16(5)
    if start <= end { map.forget(start...end) }
  }

  /// Attribute types have 16 or 128 bits only (Vol 3, Part F, 3.2.1).
  private static func uuid(_ octets: ArraySlice<UInt8>) -> BluetoothUUID? {
    octets.count == 2 || octets.count == 16 ? try? BluetoothUUID(decoding: octets) : nil
  }
}
