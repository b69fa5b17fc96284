import AppSeam
import Foundation

/// A service that the seam has told of.
struct KnownService {
  var id: EndpointID
  var type: String
  var name: String
  var interfaces: [NetworkInterface]
  /// Its TXT record.
  var record: [UInt8]
  var txtRecord: NWTXTRecord { NWTXTRecord(Data(record)) }
  /// False: nobody looks for its type any more; where it was is still known.
  var isThere = true
}

/// A type that the phone looks for, for one or several of the app's objects: the seam has one search for each type.
struct ServiceSearch {
  var type: String
  var peerToPeer: Bool
  var users: [ObjectIdentifier]
}

extension PhoneNetwork {
  // MARK: Searches

  /// Looks for services of a type until every user has given up.
  func search(_ type: String, peerToPeer: Bool, for user: AnyObject) {
    let user = ObjectIdentifier(user)
    guard let place = searches.firstIndex(where: { $0.type == type }) else {
      searches.append(ServiceSearch(type: type, peerToPeer: peerToPeer, users: [user]))
      return ask(.browse(type: type, peerToPeer: peerToPeer))
    }
    if !searches[place].users.contains(user) { searches[place].users.append(user) }
    guard peerToPeer, !searches[place].peerToPeer else { return }
    searches[place].peerToPeer = true
    ask(.stopBrowsing(type: type))
    forgetAll(of: type)
    ask(.browse(type: type, peerToPeer: true))
    tellBrowsers(of: type)
  }

  func giveUp(_ type: String, for user: AnyObject) {
    let user = ObjectIdentifier(user)
    guard let place = searches.firstIndex(where: { $0.type == type && $0.users.contains(user) }) else { return }
    searches[place].users.removeAll { $0 == user }
    guard searches[place].users.isEmpty else { return }
    searches.remove(at: place)
    forgetAll(of: type)
    ask(.stopBrowsing(type: type))
  }

  private func forgetAll(of type: String) {
    for place in services.indices where services[place].type == type { services[place].isThere = false }
  }

  func service(_ name: String, _ type: String) -> KnownService? {
    let known = services.filter { $0.name == name && $0.type == type }
    return known.last(where: \.isThere) ?? known.last
  }

  // MARK: What the seam tells

  func found(_ id: EndpointID, _ type: String, _ name: String, _ interfaces: [NetworkInterface], _ record: [UInt8]) {
    services.removeAll { !$0.isThere && $0.name == name && $0.type == type }
    services.append(KnownService(id: id, type: type, name: name, interfaces: interfaces, record: record))
    tellBrowsers(of: type)
    for connection in open { connection.serviceChanged(name, type) }
  }

  func changed(_ id: EndpointID, _ interfaces: [NetworkInterface]) {
    guard let place = services.firstIndex(where: { $0.id == id }) else { return }
    services[place].interfaces = interfaces
    let service = services[place]
    tellBrowsers(of: service.type)
    for connection in open { connection.serviceChanged(service.name, service.type) }
  }

  func recordChanged(_ id: EndpointID, _ record: [UInt8]) {
    guard let place = services.firstIndex(where: { $0.id == id }) else { return }
    services[place].record = record
    tellBrowsers(of: services[place].type)
  }

  func lost(_ id: EndpointID) {
    guard let place = services.firstIndex(where: { $0.id == id }) else { return }
    let service = services.remove(at: place)
    tellBrowsers(of: service.type)
  }

  private func tellBrowsers(of type: String) {
    for browser in browsers where browser.type == type { browser.resultsChanged() }
  }
}

/// Names of DNS-SD as apps write them.
package enum ServiceNames {
  /// The domain of services of the local link.
  static let local = "local."
  /// What a service without a name is called: the name of the phone.
  static let phone = "iPhone"

  /// `_name._tcp`, without the full stop at the end that a type may have.
  static func type(_ type: String) -> String { type.hasSuffix(".") ? String(type.dropLast()) : type }

  /// 1 to 15 letters, digits and hyphens (RFC 6335, 5.1).
  package static func isName(_ name: some StringProtocol) -> Bool {
    (1...15).contains(name.utf8.count)
      && name.utf8.allSatisfy { octet in
        octet == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(octet)
          || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(octet)
      }
  }
}
