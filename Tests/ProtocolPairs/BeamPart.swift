package import AppSeam
import BeamScribe
import BeamSuite
import Bench
package import Conformance
import Foundation
import Platform
import ProtocolFiles
import SimKernel
import VirtualNetwork

/// What BeamScribe does without a stream, in the words of `beamscribe.yaml`, and its engines as implementations of that
/// file: what they ask of the network, which a file does not have, they show.
package enum BeamPart {
  package static let app: AppProtocol = {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("beamscribe.yaml")
      .path
    do { return try ProtocolFile(path, spellings: ["beamscribe.yaml"]).app } catch { fatalError("\(error)") }
  }()

  package static let wording = Wording(action: action, report: report, asked: asked)

  /// An engine of BeamScribe in Swift, told what it is told in the dialect `network`, as an implementation of the file.
  package static func implementation(
    _ name: String, _ role: AppRole, _ make: @escaping @Sendable (AppConfiguration) -> any AppEngine
  ) -> ImplementationUnderTest {
    ImplementationUnderTest(of: app, name: name, role: role) { given in
      var told = AppProtocol.beamscribe.configuration(
        given.role, .beamNetwork, peerID: given.peerID, displayName: given.displayName)
      (told.device, told.seed) = (given.device, given.seed)
      return RewordedEngine(make(told), wording)
    }
  }

  @Sendable private static func action(_ free: FreeAction) -> AppAction? {
    let value = free.values.first?.value ?? ""
    let action: BeamAction? =
      switch free.what {
      case "start": .startEvent(name: value)
      case "end": .endEvent
      case "speak": .speakFinal(value)
      case "join": .join
      case "join event": .joinEvent(name: value)
      case "leave": .leave
      default: nil
      }
    return action.map { AppAction($0) }
  }

  @Sendable private static func report(_ report: AppReport) -> FreeReport? {
    switch report.beam {
    case .state(let state): free("state", ("state", state))
    case .eventNamed(let name): free("event", ("name", name))
    case .finalShown(let number, let text): free("final", ("number", String(number)), ("text", text))
    default: nil
    }
  }

  @Sendable private static func asked(_ effect: AppEffect) -> AppEffect? {
    guard case .network(let network) = effect else { return effect }
    let shown: FreeReport? =
      switch network {
      case .listen(let request):
        free(
          "listens", ("type", request.type), ("name", request.name),
          ("peer to peer", request.peerToPeer ? "yes" : "no"))
      case .stopListening: free("stops listening")
      case .browse(let type, let peerToPeer):
        free("browses", ("type", type), ("peer to peer", peerToPeer ? "yes" : "no"))
      case .stopBrowsing: free("stops browsing")
      case .prime(let time): free("primes", ("seconds", String(time.nanoseconds / 1_000_000_000)))
      default: nil
      }
    return shown.map { .report(AppReport($0)) }
  }

  private static func free(_ what: String, _ values: (String, String)...) -> FreeReport {
    FreeReport(what, values.map { FreeValue($0.0, $0.1) })
  }
}
