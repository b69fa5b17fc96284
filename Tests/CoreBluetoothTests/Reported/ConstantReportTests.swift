import CoreBluetooth
import Expectations
import Foundation
import Testing

@Suite("Values of types and keys, as others report it")
struct ConstantReportTests {
  @Test("A long UUID that only looks like a short one is another UUID")
  func notShort() {
    expect(CBUUID(string: "00006783-0000-0000-0000-000000000000") != CBUUID(string: "6783"))
    equal(CBUUID(string: "00006783-0000-1000-8000-00805F9B34FB"), CBUUID(string: "6783"))
  }

  @Test("A short UUID has a text of four characters and two octets")
  func short() {
    expect(CBUUID(string: "180F").uuidString.count == 4 && CBUUID(string: "180F").data.count == 2)
  }

  @Test("A UUID of Foundation, its text and its octets make equal objects")
  func threeWays() {
    let uuid = UUID(uuidString: "12345678-9ABC-DEF0-1234-56789ABCDEF0")!
    let octets = withUnsafeBytes(of: uuid.uuid) { Data($0) }
    expect(CBUUID(nsuuid: uuid) == CBUUID(string: uuid.uuidString) && CBUUID(nsuuid: uuid) == CBUUID(data: octets))
    equal(CBUUID(nsuuid: uuid).data, octets)
  }

  @Test("Codes of ATT have the numbers of the specification, without gaps")
  func attributeCodes() {
    let codes: [CBATTError.Code] = [
      .success, .invalidHandle, .readNotPermitted, .writeNotPermitted, .invalidPdu, .insufficientAuthentication,
      .requestNotSupported, .invalidOffset, .insufficientAuthorization, .prepareQueueFull, .attributeNotFound,
      .attributeNotLong, .insufficientEncryptionKeySize, .invalidAttributeValueLength, .unlikelyError,
      .insufficientEncryption, .unsupportedGroupType, .insufficientResources,
    ]
    equal(codes.map(\.rawValue), Array(0...17))
  }

  @Test("Codes of CBError have Apple's numbers, without gaps")
  func codes() {
    let codes: [CBError.Code] = [
      .unknown, .invalidParameters, .invalidHandle, .notConnected, .outOfSpace, .operationCancelled,
      .connectionTimeout, .peripheralDisconnected, .uuidNotAllowed, .alreadyAdvertising, .connectionFailed,
      .connectionLimitReached, .unknownDevice, .operationNotSupported, .peerRemovedPairingInformation,
      .encryptionTimedOut, .tooManyLEPairedDevices, .leGattExceededBackgroundNotificationLimit,
      .leGattNearBackgroundNotificationLimit,
    ]
    equal(codes.map(\.rawValue), Array(0...18))
  }

  @Test("Properties have the bits of the specification, and Apple's two beyond them")
  func properties() {
    let all: [CBCharacteristicProperties] = [
      .broadcast, .read, .writeWithoutResponse, .write, .notify, .indicate, .authenticatedSignedWrites,
      .extendedProperties, .notifyEncryptionRequired, .indicateEncryptionRequired,
    ]
    equal(all.map(\.rawValue), (0..<10).map { 1 << $0 })
  }

  @Test("Permissions have Apple's four bits")
  func permissions() {
    let all: [CBAttributePermissions] = [.readable, .writeable, .readEncryptionRequired, .writeEncryptionRequired]
    equal(all.map(\.rawValue), [1, 2, 4, 8])
  }

  @Test("States, authorizations and latencies have Apple's numbers")
  func states() {
    let states: [CBManagerState] = [.unknown, .resetting, .unsupported, .unauthorized, .poweredOff, .poweredOn]
    equal(states.map(\.rawValue), Array(0...5))
    let authorizations: [CBManagerAuthorization] = [.notDetermined, .restricted, .denied, .allowedAlways]
    equal(authorizations.map(\.rawValue), Array(0...3))
    let links: [CBPeripheralState] = [.disconnected, .connecting, .connected, .disconnecting]
    equal(links.map(\.rawValue), Array(0...3))
    let latencies: [CBPeripheralManagerConnectionLatency] = [.low, .medium, .high]
    equal(latencies.map(\.rawValue), Array(0...2))
  }

  @Test("Keys of advertisements have the texts that logs show")
  func advertisementKeys() {
    let keys = [
      CBAdvertisementDataLocalNameKey, CBAdvertisementDataServiceUUIDsKey, CBAdvertisementDataTxPowerLevelKey,
      CBAdvertisementDataManufacturerDataKey, CBAdvertisementDataIsConnectable, CBAdvertisementDataServiceDataKey,
    ]
    let ends = ["LocalName", "ServiceUUIDs", "TxPowerLevel", "ManufacturerData", "IsConnectable", "ServiceData"]
    equal(keys, ends.map { "kCBAdvData" + $0 })
  }

  @Test("Descriptors that Apple names have their assigned numbers")
  func descriptors() {
    let all = [
      CBUUIDCharacteristicExtendedPropertiesString, CBUUIDCharacteristicUserDescriptionString,
      CBUUIDClientCharacteristicConfigurationString, CBUUIDServerCharacteristicConfigurationString,
      CBUUIDCharacteristicFormatString, CBUUIDCharacteristicAggregateFormatString,
    ]
    equal(all, ["2900", "2901", "2902", "2903", "2904", "2905"])
  }

  @Test("The characteristic that tells a PSM has the UUID that Apple names")
  func psm() {
    equal(CBUUID(string: CBUUIDL2CAPPSMCharacteristicString).uuidString, "ABDD3056-28FA-441D-A470-55A75A52553A")
  }
}
