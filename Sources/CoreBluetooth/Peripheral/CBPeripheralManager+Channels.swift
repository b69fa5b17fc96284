import AppSeam

extension CBPeripheralManager {
  func publishChannel(_ encryptionRequired: Bool) {
    guard isReady(for: "publishL2CAPChannel(withEncryption:)", with: ["\(encryptionRequired)"]), let phone else {
      return
    }
    phone.locked {
      waitsForChannel = true
      phone.ask(.channel(.publish(isEncrypted: encryptionRequired)))
    }
  }

  func unpublishChannel(_ PSM: CBL2CAPPSM) {
    guard isReady(for: "unpublishL2CAPChannel(_:)", with: ["PSM \(PSM)"]), let phone else { return }
    phone.locked {
      guard publishedPSMs.contains(PSM) else {
        phone.remark(.misuse, .channelUnknown, "unpublishL2CAPChannel of PSM \(PSM), which is not published")
        let error = CBError.with(.invalidParameters)
        call { [weak self] in
          guard let self else { return }
          tell(
            "peripheralManager(_:didUnpublishL2CAPChannel:error:)", with: ["PSM \(PSM)", CallText.of(error)]
          ) {
            $0.peripheralManager(self, didUnpublishL2CAPChannel: PSM, error: error)
          }
        }
        return
      }
      for open in phone.channels where open.manager === self && open.channel.psm == PSM {
        phone.ask(.channel(.close(open.id)))
      }
      phone.ask(.channel(.unpublish(psm: PSM)))
    }
  }

  func channelPublished(_ psm: CBL2CAPPSM, isRefused: Bool) {
    waitsForChannel = false
    if !isRefused { publishedPSMs.append(psm) }
    let error = isRefused ? CBError.with(.operationNotSupported) : nil
    call { [weak self] in
      guard let self else { return }
      tell("peripheralManager(_:didPublishL2CAPChannel:error:)", with: ["PSM \(psm)", CallText.of(error)]) {
        $0.peripheralManager(self, didPublishL2CAPChannel: psm, error: error)
      }
    }
  }

  func channelUnpublished(_ psm: CBL2CAPPSM) {
    publishedPSMs.removeAll { $0 == psm }
    call { [weak self] in
      guard let self else { return }
      tell("peripheralManager(_:didUnpublishL2CAPChannel:error:)", with: ["PSM \(psm)", "nil"]) {
        $0.peripheralManager(self, didUnpublishL2CAPChannel: psm, error: nil)
      }
    }
  }

  func channelOpened(_ channel: CBL2CAPChannel) {
    call { [weak self] in
      guard let self else { return }
      tell("peripheralManager(_:didOpen:error:)", channel.peer, with: [CallText.of(channel), "nil"]) {
        $0.peripheralManager(self, didOpen: channel, error: nil)
      }
    }
  }
}
