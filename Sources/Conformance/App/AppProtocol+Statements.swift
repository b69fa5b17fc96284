import AppSeam
import Bench

/// Statements as descriptions and hellos write them: a list of words.
extension AppProtocol {
  /// Lists every feature.
  static let allFeatures = "all"
  /// Before the name of an item that is given up.
  static let givingUp = "no-"

  /// Every word that a statement may hold.
  var statementWords: [String] {
    [Self.allFeatures] + ics.map(\.name) + ics.filter { $0.standing != .peculiarity }.map { Self.givingUp + $0.name }
  }

  /// What words claim; unknown ones say nothing.
  func statement(of words: [String]) -> ICS {
    let listed = ics.filter { item in
      words.contains(item.name) || item.standing == .feature && words.contains(Self.allFeatures)
    }
    return ordered(ICS(listed, without: ics.filter { words.contains(Self.givingUp + $0.name) }))
  }

  /// The names of all reports of this protocol.
  public var reportNames: [String] { app.reports.names }

  /// A statement that claims all there is, peculiarities excepted.
  public var everything: ICS { ICS(ics.filter { $0.standing != .peculiarity }) }

  /// The same statement with its items in this protocol's order, the assumed ones included and those of other protocols
  /// left out.
  public func ordered(_ statement: ICS) -> ICS {
    ICS(
      ics.filter { $0.standing == .assumed || statement.claims($0) },
      without: ics.filter(statement.givenUp.contains))
  }
}

extension ICS {
  /// In words; assumed items are said only when they are given up.
  var words: [String] {
    items.filter { $0.standing != .assumed }.map(\.name) + givenUp.map { AppProtocol.givingUp + $0.name }
  }
}
