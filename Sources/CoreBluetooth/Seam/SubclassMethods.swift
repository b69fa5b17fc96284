import CCoreBluetooth

/// One method of a delegate, without the object: a structure with one stored function, whose arguments are passed as
/// those of a method are.
protocol DelegateMethod {
  associatedtype Form
  var call: Form { get }
}

/// Optional methods that a class adds below the class that conforms to a delegate's protocol.
///
/// Objective-C finds a method by its name in the object's class. Swift fixes the methods of a conformance in the class
/// that declares it: what a subclass adds is not among them, and the protocol's default is called. A default asks here,
/// and calls what it gets. The methods are found by the names in the program's symbols; not modelled: generic classes,
/// classes within functions, and methods that the optimiser has removed because nothing calls them.
enum SubclassMethods {
  private enum Finding {
    case nothing
    case method(UnsafeRawPointer)
    /// A method that was meant, perhaps, as it is written.
    case nearly(String)
    case unreadable
  }

  private struct Key: Hashable {
    var type: ObjectIdentifier
    var form: ObjectIdentifier
    var method: String
  }

  private static let lock = NSLock()
  nonisolated(unsafe) private static var findings: [Key: Finding] = [:]
  nonisolated(unsafe) private static var classes: [ObjectIdentifier: ClassMethods?] = [:]

  /// The method of a delegate's class that its conformance does not have; nil: there is none.
  /// - Parameters:
  ///   - method: as Swift writes it: `peripheral(_:didDiscoverServices:)`.
  ///   - conforms: whether a class has the conformance.
  static func find<Method: DelegateMethod>(
    _: Method.Type, _ method: String, of delegate: AnyObject, conforms: (AnyClass) -> Bool
  ) -> Method? {
    let type: AnyClass = Swift.type(of: delegate)
    let key = Key(type: ObjectIdentifier(type), form: ObjectIdentifier(Method.self), method: method)
    let (finding, isNew) = lock.withLock {
      if let known = findings[key] { return (known, false) }
      let found = look(method, String(reflecting: Method.Form.self), in: type, conforms)
      findings[key] = found
      return (found, true)
    }
    switch finding {
    case .nothing: return nil
    case .method(let code):
      precondition(MemoryLayout<Method>.size == 2 * MemoryLayout<UnsafeRawPointer>.size)
      // A function of Swift is its code and what it keeps, which is passed where a method expects its object.
      return unsafeBitCast((code, delegate), to: Method.self)
    case .nearly(let written):
      VirtualPhone.current?.remark(
        .misuse, .nearlyDelegateMethod,
        "\(type) has \(written), which is not called; CoreBluetooth calls"
          + " \(ClassMethods.Method.written(method, String(reflecting: Method.Form.self)))")
    case .unreadable:
      if isNew {
        VirtualPhone.current?.remark(
          .limit, .noSymbols,
          "whether \(type) adds \(method) to its superclass is not known, because the program's symbols were stripped")
      }
    }
    return nil
  }

  private static func look(
    _ method: String, _ form: String, in type: AnyClass, _ conforms: (AnyClass) -> Bool
  ) -> Finding {
    var nearly: String?
    var next: AnyClass? = type
    while let own = next, conforms(own) {
      next = _getSuperclass(own)
      let isInherited = next.map(conforms) ?? false
      guard let methods = methods(of: own) else { return isInherited ? .unreadable : .nothing }
      for known in methods.all where known.base == method.methodName {
        if known.name == method, known.form == form {
          if isInherited { return .method(known.code) }
        } else if known.isNearly(method, form) {
          nearly = nearly ?? known.written
        }
      }
    }
    return nearly.map(Finding.nearly) ?? .nothing
  }

  /// Those of a class are read once. The lock is held.
  private static func methods(of type: AnyClass) -> ClassMethods? {
    if let known = classes[ObjectIdentifier(type)] { return known }
    let read = ClassMethods(of: type)
    classes[ObjectIdentifier(type)] = .some(read)
    return read
  }
}
