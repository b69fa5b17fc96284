/// What services, characteristics and descriptors have in common: a UUID. Source: Apple, `CBAttribute`.
open class CBAttribute: NSObject {
  private let type: CBUUID

  package init(type: CBUUID) {
    self.type = type
    super.init()
  }

  /// The type of the attribute.
  open var uuid: CBUUID { type }

  /// From the UUID, so that a set of attributes has the same order in each run.
  open override var hash: Int { type.hash }
}
