/// A family of PDUs, a case for each, whose forms are declared once.
///
/// `declare` names the code and the fields of the case; reading, writing, codes and lengths follow from it. What is
/// read begins as the blank of its code.
protocol FormedPDU {
  /// What tells the PDUs of the family from each other; it goes out first.
  associatedtype Code: Hashable & FormCode
  /// One value of each case that has a code of its own; its fields hold anything.
  static var blanks: [Self] { get }
  func declare(_ form: inout PDUForm<Self>)
}

/// What is in front of the fields.
protocol FormCode {
  func appendHead(to octets: inout [UInt8])
}

extension FormCode where Self: WireValue {
  func appendHead(to octets: inout [UInt8]) { append(to: &octets) }
}

extension UInt8: FormCode {}

/// What a statement is for.
private enum FormUse { case code, writing, reading }

/// The form of one PDU, while it is declared: code and fields, in the order of the wire.
struct PDUForm<PDU: FormedPDU> {
  fileprivate let use: FormUse
  fileprivate var code: PDU.Code?
  fileprivate var octets: [UInt8] = []
  fileprivate var reader = OctetReader([])
  fileprivate var pdu: PDU?
  fileprivate var failure: WireError?

  fileprivate init(_ use: FormUse) { self.use = use }

  /// A PDU without fields.
  mutating func callAsFunction(_ code: PDU.Code) {
    if use == .code { self.code = code }
    if use == .writing { code.appendHead(to: &octets) }
  }

  /// - Parameter make: puts the PDU together, of fields that were read.
  mutating func callAsFunction<each Field: WireValue>(
    _ code: PDU.Code, _ make: (repeat each Field) -> PDU, _ field: repeat each Field
  ) {
    switch use {
    case .code: self.code = code
    case .writing:
      code.appendHead(to: &octets)
      repeat (each field).append(to: &octets)
    case .reading:
      do throws(WireError) {
        pdu = make(repeat try (each Field)(reading: &reader))
      } catch {
        failure = error
      }
    }
  }

  /// A PDU that a family within the family declares.
  mutating func group<Group: FormedPDU>(
    _ group: Group, _ make: (Group) -> PDU
  ) where Group.Code == PDU.Code {
    var form = PDUForm<Group>(use)
    swap(&form.octets, &octets)
    form.reader = reader
    group.declare(&form)
    swap(&form.octets, &octets)
    (code, reader, failure) = (form.code, form.reader, form.failure)
    if use == .reading { pdu = make(form.pdu ?? group) }
  }
}

extension FormedPDU {
  var declaredCode: Code {
    var form = PDUForm<Self>(.code)
    declare(&form)
    guard let code = form.code else { preconditionFailure("a PDU without a form: \(self)") }
    return code
  }

  /// Appends code and fields.
  func appendForm(to octets: inout [UInt8]) {
    var form = PDUForm<Self>(.writing)
    swap(&form.octets, &octets)
    declare(&form)
    swap(&form.octets, &octets)
  }

  /// The fields of `blank`, as they come, up to the end of what may be read.
  static func read(_ blank: Self, _ reader: inout OctetReader) throws(WireError) -> Self {
    var form = PDUForm<Self>(.reading)
    swap(&form.reader, &reader)
    blank.declare(&form)
    swap(&form.reader, &reader)
    if let failure = form.failure { throw failure }
    try reader.finish()
    return form.pdu ?? blank
  }

  /// The blanks by their codes.
  static func blanksByCode() -> [Code: Self] {
    Dictionary(blanks.map { ($0.declaredCode, $0) }) { first, _ in first }
  }
}
