package import AppSeam
import BluetoothWire
package import Judging
import Platform
import SimKernel

/// The members of `input` and `effect` lines: `name`, then the associated values in their order.
extension JSONText {
  private mutating func name(_ word: StaticString, link: LinkID? = nil) {
    key("name")
    value(word)
    if let link { member("link", link.rawValue) }
  }

  private mutating func value(
    _ word: StaticString, _ link: LinkID, _ characteristic: BluetoothUUID, _ octets: [UInt8]?
  ) {
    name(word, link: link)
    member("characteristic", characteristic.description)
    key("octets")
    if let octets { hexadecimal(octets) } else { null() }
  }

  package mutating func input(_ input: AppInput) {
    switch input {
    case .launched: name("launched")
    case .radioPower(let isOn):
      name("radioPower")
      member("on", isOn)
    case .background(let isSuspended):
      name("background")
      member("suspended", isSuspended)
    case .advertisingStarted(let hasStarted):
      name("advertisingStarted")
      member("started", hasStarted)
    case .discovered(let advertisement):
      name("discovered")
      member("address", advertisement.address.description)
      member("localName", advertisement.localName)
      member("services", advertisement.serviceUUIDs.map(\.description))
      member("rssi", advertisement.rssi)
    case .connectFailed(let address, let reason):
      name("connectFailed")
      member("address", address.description)
      member("reason", reason.rawValue)
    case .timer(let timer):
      name("timer")
      member("timer", timer.rawValue)
    case .user(let action):
      name("user")
      fields(of: action.statement, key: "action")
    case .gatt(let word): fields(of: word)
    case .gap(let word): fields(of: word)
    case .channel(let word): fields(of: word)
    case .network(let word): self.input(word)
    default: linkInput(input)
    }
  }

  private mutating func linkInput(_ input: AppInput) {
    switch input {
    case .connected(let link, let address):
      name("connected", link: link)
      member("address", address.description)
    case .disconnected(let link, let reason):
      name("disconnected", link: link)
      member("reason", reason.rawValue)
    case .attMTU(let link, let attMTU):
      name("attMTU", link: link)
      member("attMTU", attMTU)
    case .servicesDiscovered(let link, let service, let characteristics):
      name("servicesDiscovered", link: link)
      member("service", service.description)
      self.characteristics(characteristics)
    case .subscribed(let link, let characteristic, let isOn):
      name("subscribed", link: link)
      member("characteristic", characteristic.description)
      member("on", isOn)
    case .valueReceived(let link, let characteristic, let octets):
      value("valueReceived", link, characteristic, octets)
    case .valueRead(let link, let characteristic, let octets): value("valueRead", link, characteristic, octets)
    case .submitted(let link, let characteristic, let isAccepted):
      name("submitted", link: link)
      member("characteristic", characteristic.description)
      member("accepted", isAccepted)
    case .readyToSend(let link): name("readyToSend", link: link)
    case .writeCompleted(let link, let characteristic, let error):
      name("writeCompleted", link: link)
      member("characteristic", characteristic.description)
      member("error", error)
    default: break
    }
  }

  mutating func effect(_ effect: AppEffect) {
    switch effect {
    case .publish(let service):
      name("publish")
      member("service", service.uuid.description)
      characteristics(service.characteristics)
    case .advertise(let request):
      name("advertise")
      member("localName", request.localName)
      member("services", request.serviceUUIDs.map(\.description))
    case .stopAdvertising: name("stopAdvertising")
    case .scan(let services):
      name("scan")
      member("services", services.map(\.description))
    case .stopScanning: name("stopScanning")
    case .connect(let address):
      name("connect")
      member("address", address.description)
    case .cancelConnect(let address):
      name("cancelConnect")
      member("address", address.description)
    case .setValue(let characteristic, let octets):
      name("setValue")
      member("characteristic", characteristic.description)
      member("octets", octets: octets)
    case .setTimer(let timer, let instant):
      name("setTimer")
      member("timer", timer.rawValue)
      member("at", instant.nanoseconds)
    case .cancelTimer(let timer):
      name("cancelTimer")
      member("timer", timer.rawValue)
    case .gatt(let word): fields(of: word)
    case .gap(let word): fields(of: word)
    case .channel(let word): fields(of: word)
    case .network(let word): self.effect(word)
    case .keep(let octets):
      name("keep")
      member("octets", octets: octets)
    case .keepMore(let octets):
      name("keepMore")
      member("octets", octets: octets)
    case .report(let report): fields(of: report.statement)
    default: linkEffect(effect)
    }
  }

  private mutating func linkEffect(_ effect: AppEffect) {
    switch effect {
    case .disconnect(let link): name("disconnect", link: link)
    case .exchangeMTU(let link, let attMTU):
      name("exchangeMTU", link: link)
      member("attMTU", attMTU)
    case .discover(let link, let service):
      name("discover", link: link)
      member("service", service.description)
    case .subscribe(let link, let characteristic, let isOn):
      name("subscribe", link: link)
      member("characteristic", characteristic.description)
      member("on", isOn)
    case .read(let link, let characteristic):
      name("read", link: link)
      member("characteristic", characteristic.description)
    case .write(let link, let characteristic, let octets): value("write", link, characteristic, octets)
    case .writeWithoutResponse(let link, let characteristic, let octets):
      value("writeWithoutResponse", link, characteristic, octets)
    case .notify(let link, let characteristic, let octets): value("notify", link, characteristic, octets)
    default: break
    }
  }

  private mutating func characteristics(_ characteristics: [ServiceDefinition.Characteristic]) {
    objects("characteristics", characteristics) { json, characteristic in
      json.member("uuid", characteristic.uuid.description)
      json.member("properties", characteristic.properties.rawValue)
      if characteristic.instance > 0 { json.member("instance", characteristic.instance) }
    }
  }

  mutating func fault(_ fault: FaultEvent) {
    switch fault {
    case .vanish: name("vanish")
    case .appear: name("appear")
    case .radioOff: name("radioOff")
    case .radioOn: name("radioOn")
    case .kill: name("kill")
    case .reclaim: name("reclaim")
    case .relaunch: name("relaunch")
    case .background: name("background")
    case .foreground: name("foreground")
    case .screenOff: name("screenOff")
    case .screenOn: name("screenOn")
    case .disconnect(let link): name("disconnect", link: link)
    case .move(let x, let y, let z):
      name("move")
      member("x", x)
      member("y", y)
      member("z", z)
    case .network(let fault): networkFault(fault)
    case .forgetBonds(let peer):
      name("forgetBonds")
      if let peer { member("with", peer) }
    case .failure(let operation, let link, let asker, let code):
      name("failure")
      member("operation", operation.rawValue)
      if let link { member("link", link.rawValue) }
      member("by", asker.rawValue)
      member("code", Int(code))
    case .message(let fault, let link, let characteristic, let octets):
      value("message", link, characteristic, octets)
      member("fault", fault.rawValue)
    }
  }
}
