import CoreBluetooth
import Foundation

/// A peripheral with what the seam by type cannot say: two characteristics of one type, descriptors, an included
/// service, values that the app answers.
final class Archive: NSObject, CBPeripheralManagerDelegate {
  static var shelf: CBUUID { CBUUID(string: "6E400001-B5A3-F393-E0A9-E50E24DCCA9E") }
  static var box: CBUUID { CBUUID(string: "6E400002-B5A3-F393-E0A9-E50E24DCCA9E") }
  static var label: CBUUID { CBUUID(string: "6E400003-B5A3-F393-E0A9-E50E24DCCA9E") }
  static var secret: CBUUID { CBUUID(string: "6E400004-B5A3-F393-E0A9-E50E24DCCA9E") }
  static var annex: CBUUID { CBUUID(string: "6E400005-B5A3-F393-E0A9-E50E24DCCA9E") }
  var manager: CBPeripheralManager!
  var contents = Data(repeating: 7, count: 400)
  /// Nil: requests are never answered.
  var answer: CBATTError.Code? = .success
  private(set) var log: [String] = []
  private(set) var parts: [[Int]] = []
  private(set) var service: CBMutableService!
  private(set) var first: CBMutableCharacteristic!
  private(set) var second: CBMutableCharacteristic!
  private(set) var psm: CBL2CAPPSM?
  private(set) var end: ChannelEnd?
  private(set) var central: CBCentral?

  override init() {
    super.init()
    manager = CBPeripheralManager(delegate: self, queue: .main)
  }

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    guard peripheral.state == .poweredOn else { return }
    let annex = CBMutableService(type: Self.annex, primary: false)
    annex.characteristics = [
      CBMutableCharacteristic(type: Self.label, properties: .read, value: Data("annex".utf8), permissions: .readable)
    ]
    first = CBMutableCharacteristic(
      type: Self.box, properties: [.read, .write, .notify], value: nil, permissions: [.readable, .writeable])
    second = CBMutableCharacteristic(
      type: Self.box, properties: [.read, .indicate], value: nil, permissions: [.readable])
    second.descriptors = [
      CBMutableDescriptor(type: CBUUID(string: CBUUIDCharacteristicUserDescriptionString), value: "second")
    ]
    let fixed = CBMutableCharacteristic(
      type: Self.label, properties: .read, value: Data("shelf".utf8), permissions: .readable)
    let secret = CBMutableCharacteristic(
      type: Self.secret, properties: .read, value: Data("hidden".utf8), permissions: .readEncryptionRequired)
    service = CBMutableService(type: Self.shelf, primary: true)
    service.includedServices = [annex]
    service.characteristics = [first, second, fixed, secret]
    manager.publishL2CAPChannel(withEncryption: true)
    manager.add(annex)
    manager.add(service)
    manager.startAdvertising([
      CBAdvertisementDataLocalNameKey: "Archive", CBAdvertisementDataServiceUUIDsKey: [Self.shelf],
    ])
  }

  func peripheralManager(_ peripheral: CBPeripheralManager, didPublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?)
  {
    psm = error == nil ? PSM : nil
  }

  func peripheralManager(_ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
    end = channel.map { ChannelEnd($0) }
  }

  func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
    log.append("added \(service.isPrimary) \(error == nil)")
  }

  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
    log.append("\(request.characteristic === first ? "first" : "second") from \(request.offset)")
    guard let answer else { return }
    request.value = request.offset <= contents.count ? contents.subdata(in: request.offset..<contents.count) : nil
    peripheral.respond(to: request, withResult: request.offset <= contents.count ? answer : .invalidOffset)
  }

  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
    parts.append(requests.map(\.offset))
    if answer == .success {
      contents = requests.reduce(Data()) { $0 + ($1.value ?? Data()) }
    }
    if let answer { peripheral.respond(to: requests[0], withResult: answer) }
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
  ) {
    log.append("subscribed \(characteristic === first ? "first" : "second")")
    self.central = central
  }
}

/// One end of a channel: what it has to say goes out as there is space, what comes is kept.
final class ChannelEnd: NSObject, StreamDelegate {
  let channel: CBL2CAPChannel
  private(set) var heard: [UInt8] = []
  private(set) var isOver = false
  private var unsaid: [UInt8] = []

  init(_ channel: CBL2CAPChannel) {
    self.channel = channel
    super.init()
    for stream in [channel.inputStream, channel.outputStream] as [Stream?] {
      stream?.delegate = self
      stream?.open()
    }
  }

  func say(_ octets: [UInt8]) {
    unsaid += octets
    speak()
  }

  private func speak() {
    while !unsaid.isEmpty, channel.outputStream.hasSpaceAvailable {
      unsaid.removeFirst(max(0, channel.outputStream.write(unsaid, maxLength: unsaid.count)))
    }
  }

  func stream(_ stream: Stream, handle eventCode: Stream.Event) {
    switch eventCode {
    case .hasSpaceAvailable: speak()
    case .endEncountered: isOver = true
    case .hasBytesAvailable:
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while channel.inputStream.hasBytesAvailable {
        heard += buffer[..<channel.inputStream.read(&buffer, maxLength: buffer.count)]
      }
    default: break
    }
  }
}

/// A central that finds everything there is, and writes down what it is told.
final class Visitor: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
  var manager: CBCentralManager!
  private(set) var peer: CBPeripheral?
  private(set) var log: [String] = []
  private(set) var boxes: [CBCharacteristic] = []
  private(set) var values: [(characteristic: CBCharacteristic, value: Data)] = []
  private(set) var signal: Int?
  private(set) var end: ChannelEnd?
  private(set) var isRefused = false
  private(set) var errors: [CBATTError.Code] = []

  override init() {
    super.init()
    manager = CBCentralManager(delegate: self, queue: .main)
  }

  func characteristic(_ uuid: CBUUID) -> CBCharacteristic? {
    for service in peer?.services ?? [] {
      if let found = service.characteristics?.first(where: { $0.uuid == uuid }) { return found }
    }
    return nil
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    if central.state == .poweredOn { central.scanForPeripherals(withServices: [Archive.shelf]) }
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    guard peer == nil else { return }
    peer = peripheral
    peripheral.delegate = self
    central.stopScan()
    central.connect(peripheral)
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    peripheral.discoverServices(nil)
  }

  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    log.append("services \(peripheral.services?.count ?? 0)")
    for service in peripheral.services ?? [] {
      peripheral.discoverIncludedServices(nil, for: service)
      peripheral.discoverCharacteristics(nil, for: service)
    }
  }

  func peripheral(_ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?) {
    log.append("included \((service.includedServices ?? []).map(\.uuid) == [Archive.annex])")
  }

  func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?) {
    boxes = service.characteristics?.filter { $0.uuid == Archive.box } ?? []
    log.append("characteristics \(service.characteristics?.count ?? 0)")
    if boxes.count == 2 { peripheral.discoverDescriptors(for: boxes[1]) }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: (any Error)?
  ) {
    log.append("descriptors \(characteristic.descriptors?.count ?? 0)")
    for descriptor in characteristic.descriptors ?? [] { peripheral.readValue(for: descriptor) }
  }

  func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?) {
    if let text = descriptor.value as? String { log.append("description \(text)") }
  }

  func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?) {
    if let error = error as? CBATTError {
      errors.append(error.code)
    } else {
      values.append((characteristic, characteristic.value ?? Data()))
    }
  }

  func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?) {
    if let error = error as? CBATTError { errors.append(error.code) }
    log.append("written \(error == nil)")
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic, error: (any Error)?
  ) {
    log.append("notifies \(characteristic.isNotifying)")
  }

  func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
    end = channel.map { ChannelEnd($0) }
    isRefused = error != nil
  }

  func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
    signal = RSSI.intValue
  }

  func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
    log.append("modified \(invalidatedServices.map(\.uuid) == [Archive.shelf])")
  }
}
