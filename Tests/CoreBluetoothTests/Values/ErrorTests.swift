import CoreBluetooth
import Foundation
import GuideApps
import Testing

@Suite("Errors and raw values")
struct ErrorTests {
  @Test("CBError is caught by its code, cast, and read as an NSError")
  func bluetooth() {
    let error: any Error = CBError(.connectionTimeout)
    do { throw error } catch CBError.connectionTimeout {} catch { Issue.record("not matched") }
    #expect((error as? CBError)?.code == .connectionTimeout)
    #expect((error as NSError).domain == CBErrorDomain)
    #expect((error as NSError).code == 6)
    #expect((error as? CBATTError) == nil)
  }

  @Test("CBATTError is caught by its code, cast, and read as an NSError")
  func attribute() {
    let error: any Error = CBATTError(.invalidOffset, userInfo: [NSLocalizedDescriptionKey: "text"])
    do { throw error } catch CBATTError.invalidOffset {} catch { Issue.record("not matched") }
    #expect((error as? CBATTError)?.code == .invalidOffset)
    #expect((error as NSError).domain == CBATTErrorDomain)
    #expect(error.localizedDescription == "text")
  }

  @Test("Codes of errors are Apple's and ATT's")
  func codes() {
    #expect(CBError.Code.notConnected.rawValue == 3)
    #expect(CBError.Code.peripheralDisconnected.rawValue == 7)
    #expect(CBError.Code.alreadyAdvertising.rawValue == 9)
    #expect(CBError.Code.operationNotSupported.rawValue == 13)
    #expect(CBATTError.Code.insufficientAuthentication.rawValue == 5)
    #expect(CBATTError.Code.invalidAttributeValueLength.rawValue == 13)
    #expect(CBATTError.Code.insufficientResources.rawValue == 17)
  }

  @Test("Codes of applications and profiles are codes like others, and a switch has a default for them")
  func openCodes() throws {
    for number in [0x80, 0x9F, 0xE0, 0xFF] {
      let code = try #require(CBATTError.Code(rawValue: number))
      let error: any Error = CBATTError(code, userInfo: [:])
      #expect((error as? CBATTError)?.code == code)
      #expect((error as NSError).code == number && (error as NSError).domain == CBATTErrorDomain)
      #expect(kind(code) == "application" && ErrorTexts.text(of: error) == "code \(number)")
    }
    #expect(kind(.invalidHandle) == "handle" && ErrorTexts.text(of: CBATTError(.invalidHandle)) == "no such attribute")
    #expect(CBError.Code(rawValue: 99)?.rawValue == 99)
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
    #expect(CBManagerState.unknown.rawValue == 0)
    #expect(CBManagerState.poweredOff.rawValue == 4)
    #expect(CBManagerState.poweredOn.rawValue == 5)
    #expect(CBManagerAuthorization.allowedAlways.rawValue == 3)
    #expect(CBPeripheralState.disconnecting.rawValue == 3)
    #expect(CBCharacteristicWriteType.withoutResponse.rawValue == 1)
    #expect(CBPeripheralManagerConnectionLatency.high.rawValue == 2)
    #expect(CBCentralManagerState.poweredOn.rawValue == 5)
    #expect(CBPeripheralManagerState.poweredOff.rawValue == 4)
    // Old code gives each of them a description: one type would have three.
    let types: [Any.Type] = [CBManagerState.self, CBCentralManagerState.self, CBPeripheralManagerState.self]
    #expect(types[0] != types[1] && types[0] != types[2] && types[1] != types[2])
  }

  @Test("Bits of properties and permissions are Apple's")
  func bits() {
    let properties: CBCharacteristicProperties = [.read, .write, .notify]
    #expect(properties.rawValue == 0x1A)
    #expect(CBCharacteristicProperties.indicateEncryptionRequired.rawValue == 0x200)
    #expect(CBAttributePermissions([.readable, .writeEncryptionRequired]).rawValue == 0x09)
  }

  @Test("Keys of dictionaries have the texts that logs of phones show")
  func keys() {
    #expect(CBAdvertisementDataLocalNameKey == "kCBAdvDataLocalName")
    #expect(CBAdvertisementDataOverflowServiceUUIDsKey == "kCBAdvDataHashedServiceUUIDs")
    #expect(CBCentralManagerScanOptionAllowDuplicatesKey == "kCBScanOptionAllowDuplicates")
  }
}
