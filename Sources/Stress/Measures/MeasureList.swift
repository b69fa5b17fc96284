package import Conformance

/// The measures of all runs in which some protocols are spoken, and the place of each: made once for many runs.
package struct MeasureList: Sendable {
  package let protocols: [AppProtocol]
  /// In the order of reports; the general ones first.
  let measures: [RunMeasure]
  /// The places of what is measured of each kind of thing, by the index of its protocol.
  private let kinds: [[Kind]]
  /// The places of what an app's own meters take.
  private let figures: [[Int]]

  struct Kind {
    var lag: Int
    var spread: Int
  }

  /// - Parameter protocols: what may be spoken in the runs.
  package init(_ protocols: [AppProtocol]) {
    self.protocols = protocols
    let all = RunMeasure.all(protocols)
    measures = all
    let places = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.name, $0) })
    kinds = protocols.map { app in
      app.milestones.kinds.map {
        Kind(lag: places[RunMeasure.lag($0).name]!, spread: places[RunMeasure.spread($0).name]!)
      }
    }
    figures = protocols.map { app in app.milestones.figures.map { places[$0.name]! } }
  }

  /// - Parameters:
  ///   - figure: index in the protocol's milestones.
  ///   - app: index of the protocol.
  func place(of figure: Int, app: Int) -> Int { figures[app][figure] }

  /// - Parameters:
  ///   - kind: index in the protocol's milestones.
  ///   - app: index of the protocol.
  func places(of kind: Int, app: Int) -> Kind { kinds[app][kind] }
}
