/// Which clauses an implementation is judged by.
public struct JudgedClauses: Hashable, Sendable, Codable {
  /// The documents that it follows; nil: all there are.
  public var documents: [String]?
  /// Not by what the bench's makers have decided.
  public var onlyPublished: Bool

  public init(documents: [String]? = nil, onlyPublished: Bool = false) {
    self.documents = documents
    self.onlyPublished = onlyPublished
  }

  /// Why a clause is not judged; nil when it is.
  func exempt(_ clause: ClauseText) -> String? {
    let origin = clause.origin
    if onlyPublished, origin.isDecision { return "\(clause.id) is a decision of the bench" }
    guard let documents, !origin.documents.isEmpty, !origin.documents.contains(where: documents.contains) else {
      return nil
    }
    return
      "\(clause.id) is of the \(origin.documents.joined(separator: " and the ")), which the profile does not follow"
  }
}
