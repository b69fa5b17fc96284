import AppSeam
import CoreBluetooth
import Expectations
import Network
import SimKernel
import Testing

@Suite("A browser")
struct BrowserTests {
  private static func browse(
    _ phone: SeamPhone, _ descriptor: NWBrowser.Descriptor = .bonjour(type: "_talk._tcp", domain: nil),
    peerToPeer: Bool = false
  ) -> (browser: WatchedBrowser, asked: [NetworkEffect]) {
    let parameters = NWParameters()
    parameters.includePeerToPeer = peerToPeer
    let watched = phone.phone.whileCurrent {
      WatchedBrowser(NWBrowser(for: descriptor, using: parameters), phone.queue)
    }
    return (watched, phone.act { watched.browser.start(queue: phone.queue) })
  }

  @Test("It is ready, and asks for its type; nothing is told before something is found")
  func ready() {
    let phone = SeamPhone()
    let (watched, asked) = Self.browse(phone)
    equal(asked, [.browse(type: "_talk._tcp", peerToPeer: false)])
    expect(watched.events == ["ready"] && watched.browser.browseResults.isEmpty)
    equal(Self.browse(SeamPhone(), peerToPeer: true).asked, [.browse(type: "_talk._tcp", peerToPeer: true)])
  }

  @Test("A result is a service of the local link with its interfaces")
  func added() throws {
    let phone = SeamPhone()
    let (watched, _) = Self.browse(phone, peerToPeer: true)
    phone.tell(SeamPhone.found())
    equal(watched.events, ["ready", "1 of added Keynote"])
    let result = try required(watched.browser.browseResults.first)
    equal(result.endpoint, SeamPhone.service)
    expect(result.interfaces.map(\.name) == ["en0", "awdl0"] && result.interfaces.map(\.type) == [.wifi, .wifi])
    equal(result.metadata, .none)
  }

  @Test("A service that is gone is removed; all results come with each call")
  func removed() {
    let phone = SeamPhone()
    let (watched, _) = Self.browse(phone)
    phone.tell(SeamPhone.found(), SeamPhone.found("Other", as: 1), .lost(EndpointID(0)))
    equal(watched.events, ["ready", "1 of added Keynote", "2 of added Other", "1 of removed Keynote"])
  }

  @Test("Other interfaces are a change with its flags")
  func changed() {
    let phone = SeamPhone()
    let (watched, _) = Self.browse(phone, peerToPeer: true)
    phone.tell(
      SeamPhone.found(on: [.peerToPeer]), .changed(EndpointID(0), interfaces: [.infrastructure, .peerToPeer]),
      .changed(EndpointID(0), interfaces: [.infrastructure]))
    equal(
      watched.events.suffix(2), ["1 of changed Keynote interfaceAdded", "1 of changed Keynote interfaceRemoved"])
  }

  @Test("Without peer to peer, what is found on AWDL alone is no result")
  func infrastructureOnly() {
    let phone = SeamPhone()
    let (wide, _) = Self.browse(phone, peerToPeer: true)
    let (narrow, _) = Self.browse(phone)
    phone.tell(SeamPhone.found(on: [.peerToPeer]))
    expect(wide.browser.browseResults.count == 1 && narrow.browser.browseResults.isEmpty)
    phone.tell(.changed(EndpointID(0), interfaces: [.infrastructure, .peerToPeer]))
    equal(narrow.browser.browseResults.first?.interfaces.map(\.name), ["en0"])
  }

  @Test("A second browser of a type has what is found at once; the search ends with the last of them")
  func second() {
    let phone = SeamPhone()
    let (first, _) = Self.browse(phone)
    phone.tell(SeamPhone.found())
    let (other, asked) = Self.browse(phone)
    expect(asked == [] && other.events == ["ready", "1 of added Keynote"])
    equal(phone.act { first.browser.cancel() }, [])
    equal(phone.act { other.browser.cancel() }, [.stopBrowsing(type: "_talk._tcp")])
  }

  @Test("One more browser with peer to peer keeps AWDL awake for ten seconds")
  func wakes() {
    let phone = SeamPhone()
    _ = Self.browse(phone, peerToPeer: true)
    equal(Self.browse(phone, peerToPeer: true).asked, [.prime(.seconds(10))])
    equal(Self.browse(phone).asked, [])
  }

  @Test("A browser with peer to peer after one without begins the search again")
  func widened() {
    let phone = SeamPhone()
    let (narrow, _) = Self.browse(phone)
    phone.tell(SeamPhone.found(on: [.infrastructure]))
    equal(
      Self.browse(phone, peerToPeer: true).asked,
      [.stopBrowsing(type: "_talk._tcp"), .browse(type: "_talk._tcp", peerToPeer: true)])
    equal(narrow.events.last, "0 of removed Keynote")
    phone.tell(SeamPhone.found(as: 1))
    equal(narrow.events.last, "1 of added Keynote")
  }

  @Test("cancel ends the search; cancelled is the last call, and results are not told any more")
  func cancel() {
    let phone = SeamPhone()
    let (watched, _) = Self.browse(phone)
    phone.tell(SeamPhone.found())
    equal(phone.act { watched.browser.cancel() }, [.stopBrowsing(type: "_talk._tcp")])
    phone.tell(.lost(EndpointID(0)))
    equal(watched.events.last, "cancelled")
    equal(phone.act { watched.browser.cancel() }, [])
    phone.act { watched.browser.start(queue: phone.queue) }
    equal(phone.remarks, ["misuse network.started-after-cancel"])
  }

  @Test("A second start is ignored")
  func startTwice() {
    let phone = SeamPhone()
    let (watched, _) = Self.browse(phone)
    equal(phone.act { watched.browser.start(queue: phone.queue) }, [])
    equal(phone.remarks, ["misuse network.started-twice"])
  }

  @Test(
    "A type that is none fails with BadParam",
    arguments: ["talk._tcp", "_talk", "_talk._sctp", "_sixteen-letters-x._tcp", "_t lk._tcp", "_._tcp"])
  func wrongType(type: String) {
    let phone = SeamPhone()
    let (watched, asked) = Self.browse(phone, .bonjour(type: type, domain: nil))
    equal(asked, [])
    equal(watched.browser.state, .failed(.dns(DNSServiceErrorType(kDNSServiceErr_BadParam))))
  }

  @Test("A full stop at the end of a type is none of it")
  func fullStop() {
    equal(
      Self.browse(SeamPhone(), .bonjour(type: "_talk._tcp.", domain: "local.")).asked,
      [.browse(type: "_talk._tcp", peerToPeer: false)])
  }

  @Test("With TXT records, each result has its service's, which may be empty and may change")
  func records() {
    let phone = SeamPhone()
    let (watched, _) = Self.browse(phone, .bonjourWithTXTRecord(type: "_talk._tcp", domain: nil))
    phone.tell(SeamPhone.found(), SeamPhone.found("Other", as: 1, record: Array("\u{3}v=1".utf8)))
    func record(_ name: String) -> NWBrowser.Result.Metadata? {
      watched.browser.browseResults.first { $0.endpoint.debugDescription.hasPrefix(name) }?.metadata
    }
    equal(record("Keynote"), .bonjour(NWTXTRecord()))
    equal(record("Other"), .bonjour(NWTXTRecord(["v": "1"])))
    let events = watched.events.count
    phone.tell(.recordChanged(EndpointID(0), record: Array("\u{3}v=2\u{4}busy".utf8)))
    var changed = NWTXTRecord(["v": "2"])
    changed.setEntry(.none, for: "busy")
    expect(record("Keynote") == .bonjour(changed) && record("Other") == .bonjour(NWTXTRecord(["v": "1"])))
    equal(watched.events.count, events + 1)
  }

  @Test("Without TXT records, a record that changes is no change")
  func withoutRecords() {
    let phone = SeamPhone()
    let (watched, _) = Self.browse(phone)
    phone.tell(SeamPhone.found(record: [1, 0x61]))
    let events = watched.events
    phone.tell(.recordChanged(EndpointID(0), record: [1, 0x62]))
    expect(watched.events == events && watched.browser.browseResults.first?.metadata == NWBrowser.Result.Metadata.none)
  }

  @Test("Application services are not modelled: nothing is found, and a remark says so")
  func applications() {
    let phone = SeamPhone()
    let (watched, asked) = Self.browse(phone, .applicationService(name: "talk"))
    expect(asked == [] && watched.events == ["ready"])
    equal(phone.remarks, ["limit browser.kind"])
  }

  @Test("Results are equal where endpoint, interfaces and metadata are; changes are named by both")
  func equality() throws {
    let phone = SeamPhone()
    let (watched, _) = Self.browse(phone)
    phone.tell(SeamPhone.found())
    let result = try required(watched.browser.browseResults.first)
    equal(watched.browser.browseResults, [result])
    expect(NWBrowser.Result.Change.added(result) != .removed(result))
  }
}

/// A browser, and what its app was told.
private final class WatchedBrowser: @unchecked Sendable {
  let browser: NWBrowser
  private(set) var events: [String] = []

  init(_ browser: NWBrowser, _ queue: DispatchQueue) {
    self.browser = browser
    browser.stateUpdateHandler = { [self] state in
      dispatchPrecondition(condition: .onQueue(queue))
      events.append("\(state)")
    }
    browser.browseResultsChangedHandler = { [self] results, changes in
      dispatchPrecondition(condition: .onQueue(queue))
      let texts = changes.map { Self.text(of: $0) }.sorted()
      events.append("\(results.count) of " + texts.joined(separator: ", "))
    }
  }

  private static func text(of change: NWBrowser.Result.Change) -> String {
    func name(_ result: NWBrowser.Result) -> String {
      if case .service(let name, _, _, _) = result.endpoint { name } else { "" }
    }
    switch change {
    case .identical: return "identical"
    case .added(let result): return "added \(name(result))"
    case .removed(let result): return "removed \(name(result))"
    case .changed(_, let result, let flags):
      let words =
        (flags.contains(.interfaceAdded) ? ["interfaceAdded"] : [])
        + (flags.contains(.interfaceRemoved) ? ["interfaceRemoved"] : [])
        + (flags.contains(.metadataChanged) ? ["metadataChanged"] : [])
      return "changed \(name(result)) " + words.joined(separator: " ")
    }
  }
}
