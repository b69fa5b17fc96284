import CoreBluetooth
import Expectations
import Foundation
import GuideApps
import Testing

@Suite("Errors and raw values")
struct ErrorTests {
  @Test("CBError is caught by its code, cast, and read as an NSError")
  func bluetooth() {
    let error: any Error = CBError(.connectionTimeout)
    do { throw error } catch CBError.connectionTimeout {} catch { Issue.record("not matched") }
    equal((error as? CBError)?.code, .connectionTimeout)
    equal((error as NSError).domain, CBErrorDomain)
    equal((error as NSError).code, 6)
    expect((error as? CBATTError) == nil)
  }

  @Test("CBATTError is caught by its code, cast, and read as an NSError")
  func attribute() {
    let error: any Error = CBATTError(.invalidOffset, userInfo: [NSLocalizedDescriptionKey: "text"])
    do { throw error } catch CBATTError.invalidOffset {} catch { Issue.record("not matched") }
    equal((error as? CBATTError)?.code, .invalidOffset)
    equal((error as NSError).domain, CBATTErrorDomain)
    equal(error.localizedDescription, "text")
  }

  @Test("Codes of errors are Apple's and ATT's")
  func codes() {
    equal(CBError.Code.notConnected.rawValue, 3)
    equal(CBError.Code.peripheralDisconnected.rawValue, 7)
    equal(CBError.Code.alreadyAdvertising.rawValue, 9)
    equal(CBError.Code.operationNotSupported.rawValue, 13)
    equal(CBATTError.Code.insufficientAuthentication.rawValue, 5)
    equal(CBATTError.Code.invalidAttributeValueLength.rawValue, 13)
    equal(CBATTError.Code.insufficientResources.rawValue, 17)
  }

  @Test("Codes of applications and profiles are codes like others, and a switch has a default for them")
  func openCodes() throws {
    for number in [0x80, 0x9F, 0xE0, 0xFF] {
      let code = try required(CBATTError.Code(rawValue: number))
      let error: any Error = CBATTError(code, userInfo: [:])
      equal((error as? CBATTError)?.code, code)
      expect((error as NSError).code == number && (error as NSError).domain == CBATTErrorDomain)
      expect(kind(code) == "application" && ErrorTexts.text(of: error) == "code \(number)")
    }
    expect(kind(.invalidHandle) == "handle" && ErrorTexts.text(of: CBATTError(.invalidHandle)) == "no such attribute")
    equal(CBError.Code(rawValue: 99)?.rawValue, 99)
  }

  private func kind(_ code: CBATTError.Code) -> String {
    switch code {
    case .success: "none"
    case .invalidHandle, .invalidOffset, .invalidPdu, .invalidAttributeValueLength: "handle"
    case .readNotPermitted, .writeNotPermitted, .requestNotSupported, .prepareQueueFull, .insufficientResources: "no"
    case .insufficientAuthentication, .insufficientAuthorization, .insufficientEncryption,
      .insufficientEncryptionKeySize:
      "trust"
    case .attributeNotFound, .attributeNotLong, .unsupportedGroupType, .unlikelyError: "other"
    @unknown default: "application"
    }
  }

  @Test("Raw values of states are Apple's")
  func states() {
    equal(CBManagerState.unknown.rawValue, 0)
    equal(CBManagerState.poweredOff.rawValue, 4)
    equal(CBManagerState.poweredOn.rawValue, 5)
    equal(CBManagerAuthorization.allowedAlways.rawValue, 3)
    equal(CBPeripheralState.disconnecting.rawValue, 3)
    equal(CBCharacteristicWriteType.withoutResponse.rawValue, 1)
    equal(CBPeripheralManagerConnectionLatency.high.rawValue, 2)
    equal(CBCentralManagerState.poweredOn.rawValue, 5)
    equal(CBPeripheralManagerState.poweredOff.rawValue, 4)
    // Old code gives each of them a description: one type would have three.
    let types: [Any.Type] = [CBManagerState.self, CBCentralManagerState.self, CBPeripheralManagerState.self]
    expect(types[0] != types[1] && types[0] != types[2] && types[1] != types[2])
  }

  @Test("Bits of properties and permissions are Apple's")
  func bits() {
    let properties: CBCharacteristicProperties = [.read, .write, .notify]
    equal(properties.rawValue, 0x1A)
    equal(CBCharacteristicProperties.indicateEncryptionRequired.rawValue, 0x200)
    equal(CBAttributePermissions([.readable, .writeEncryptionRequired]).rawValue, 0x09)
  }

  @Test("Keys of dictionaries have the texts that logs of phones show")
  func keys() {
    equal(CBAdvertisementDataLocalNameKey, "kCBAdvDataLocalName")
    equal(CBAdvertisementDataOverflowServiceUUIDsKey, "kCBAdvDataHashedServiceUUIDs")
    equal(CBCentralManagerScanOptionAllowDuplicatesKey, "kCBScanOptionAllowDuplicates")
  }
}
