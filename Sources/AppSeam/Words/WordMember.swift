/// What the field of a word is called among the members of a line, which has members of its own.
package enum WordMember {
  /// - Parameter isAction: whether the word is what a user does, which has an input around it.
  package static func name(of field: StaticString, isAction: Bool) -> StaticString {
    switch field.description {
    case "name": "name_"
    case "sequence": "sequence_"
    case "instant": "instant_"
    case "device": "device_"
    case "at" where isAction: "at_"
    case "action" where isAction: "action_"
    default: field
    }
  }
}
