/// How the settings of an app stand in the hello of the IUT protocol: one member, an object.
package struct HelloSettings: Sendable {
  /// The name of the member.
  package let key: StaticString
  /// Writes the object's value.
  package let write: @Sendable (AppConfiguration, inout JSONText) -> Void
  package let read: @Sendable (MessageMembers, inout AppConfiguration) throws(MessageProblem) -> Void

  package init(
    key: StaticString, write: @escaping @Sendable (AppConfiguration, inout JSONText) -> Void,
    read: @escaping @Sendable (MessageMembers, inout AppConfiguration) throws(MessageProblem) -> Void
  ) {
    self.key = key
    self.write = write
    self.read = read
  }
}
