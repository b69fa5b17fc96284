extension ATT {
  /// Every PDU of the Attribute Protocol, as its fields. Spec: Core v5.4, Vol 3, Part F, 3.4.
  ///
  /// A value that this type holds need not make sense: handle 0, an inverted range and reserved flags decode, because
  /// a server answers each of them with an error of its own.
  public enum PDU: Hashable, Sendable {
    /// `ATT_ERROR_RSP`, 3.4.1.1.
    case errorResponse(request: Opcode, handle: Handle, code: ErrorCode)
    /// `ATT_EXCHANGE_MTU_REQ`, 3.4.2.1.
    case exchangeMTURequest(clientRxMTU: UInt16)
    /// `ATT_EXCHANGE_MTU_RSP`, 3.4.2.2.
    case exchangeMTUResponse(serverRxMTU: UInt16)
    /// `ATT_FIND_INFORMATION_REQ`, 3.4.3.1.
    case findInformationRequest(HandleRange)
    /// `ATT_FIND_INFORMATION_RSP`, 3.4.3.2; all types are of one width.
    case findInformationResponse([Information])
    /// `ATT_FIND_BY_TYPE_VALUE_REQ`, 3.4.3.3.
    case findByTypeValueRequest(HandleRange, type: UInt16, value: [UInt8])
    /// `ATT_FIND_BY_TYPE_VALUE_RSP`, 3.4.3.4: found handle and group end handle.
    case findByTypeValueResponse([HandleRange])
    /// `ATT_READ_BY_TYPE_REQ`, 3.4.4.1.
    case readByTypeRequest(HandleRange, type: AttributeType)
    /// `ATT_READ_BY_TYPE_RSP`, 3.4.4.2; all values are of one length, at most 253 octets.
    case readByTypeResponse([HandleValue])
    /// `ATT_READ_REQ`, 3.4.4.3.
    case readRequest(Handle)
    /// `ATT_READ_RSP`, 3.4.4.4.
    case readResponse([UInt8])
    /// `ATT_READ_BLOB_REQ`, 3.4.4.5.
    case readBlobRequest(Handle, offset: UInt16)
    /// `ATT_READ_BLOB_RSP`, 3.4.4.6.
    case readBlobResponse([UInt8])
    /// `ATT_READ_MULTIPLE_REQ`, 3.4.4.7; two handles or more.
    case readMultipleRequest([Handle])
    /// `ATT_READ_MULTIPLE_RSP`, 3.4.4.8; the values without their borders.
    case readMultipleResponse([UInt8])
    /// `ATT_READ_BY_GROUP_TYPE_REQ`, 3.4.4.9.
    case readByGroupTypeRequest(HandleRange, type: AttributeType)
    /// `ATT_READ_BY_GROUP_TYPE_RSP`, 3.4.4.10; all values are of one length, at most 251 octets.
    case readByGroupTypeResponse([Group])
    /// `ATT_READ_MULTIPLE_VARIABLE_REQ`, 3.4.4.11; two handles or more.
    case readMultipleVariableRequest([Handle])
    /// `ATT_READ_MULTIPLE_VARIABLE_RSP`, 3.4.4.12.
    case readMultipleVariableResponse([VariableValue])
    /// `ATT_WRITE_REQ`, 3.4.5.1.
    case writeRequest(Handle, value: [UInt8])
    /// `ATT_WRITE_RSP`, 3.4.5.2.
    case writeResponse
    /// `ATT_WRITE_CMD`, 3.4.5.3.
    case writeCommand(Handle, value: [UInt8])
    /// `ATT_SIGNED_WRITE_CMD`, 3.4.5.4; the last 12 octets are the authentication signature, which is not checked here.
    case signedWriteCommand(Handle, valueAndSignature: [UInt8])
    /// `ATT_PREPARE_WRITE_REQ`, 3.4.6.1.
    case prepareWriteRequest(Handle, offset: UInt16, value: [UInt8])
    /// `ATT_PREPARE_WRITE_RSP`, 3.4.6.2: what the server put into its queue.
    case prepareWriteResponse(Handle, offset: UInt16, value: [UInt8])
    /// `ATT_EXECUTE_WRITE_REQ`, 3.4.6.3: 0 cancels, 1 writes.
    case executeWriteRequest(flags: UInt8)
    /// `ATT_EXECUTE_WRITE_RSP`, 3.4.6.4.
    case executeWriteResponse
    /// `ATT_HANDLE_VALUE_NTF`, 3.4.7.1.
    case handleValueNotification(Handle, value: [UInt8])
    /// `ATT_HANDLE_VALUE_IND`, 3.4.7.2.
    case handleValueIndication(Handle, value: [UInt8])
    /// `ATT_HANDLE_VALUE_CFM`, 3.4.7.3.
    case handleValueConfirmation
    /// `ATT_MULTIPLE_HANDLE_VALUE_NTF`, 3.4.7.4; the tuples as they came.
    case multipleHandleValueNotification([UInt8])
    /// An opcode that Part F does not define.
    case other(Opcode, parameters: [UInt8])
  }

  /// Handles from `start` to `end`, both included; also a found handle with its group end handle.
  public struct HandleRange: Hashable, Sendable {
    public var start: Handle
    public var end: Handle

    public init(start: Handle, end: Handle) {
      self.start = start
      self.end = end
    }

    /// Start 0 or start after end: a server answers Invalid Handle.
    public var isValid: Bool { start != 0 && start <= end }
  }

  /// An attribute type as a PDU carries it: its width on the wire is part of it.
  ///
  /// Spec: Core v5.4, Vol 3, Part F, 3.2.1. A 16-bit UUID and its 128-bit form are two values here, one `uuid`.
  public enum AttributeType: Hashable, Sendable {
    case short(UInt16)
    case long(BluetoothUUID)

    /// The shortest form of `uuid`.
    public init(_ uuid: BluetoothUUID) { self = uuid.short.map(Self.short) ?? .long(uuid) }

    public var uuid: BluetoothUUID {
      switch self {
      case .short(let value): BluetoothUUID(value)
      case .long(let value): value
      }
    }
  }

  /// One entry of `ATT_FIND_INFORMATION_RSP`.
  public struct Information: Hashable, Sendable {
    public var handle: Handle
    public var type: AttributeType

    public init(handle: Handle, type: AttributeType) {
      self.handle = handle
      self.type = type
    }
  }

  /// One entry of `ATT_READ_BY_TYPE_RSP`.
  public struct HandleValue: Hashable, Sendable {
    public var handle: Handle
    public var value: [UInt8]

    public init(handle: Handle, value: [UInt8]) {
      self.handle = handle
      self.value = value
    }
  }

  /// One entry of `ATT_READ_BY_GROUP_TYPE_RSP`.
  public struct Group: Hashable, Sendable {
    public var handle: Handle
    public var end: Handle
    public var value: [UInt8]

    public init(handle: Handle, end: Handle, value: [UInt8]) {
      self.handle = handle
      self.end = end
      self.value = value
    }
  }

  /// One entry of `ATT_READ_MULTIPLE_VARIABLE_RSP`; only the last value may be shorter than its length says.
  public struct VariableValue: Hashable, Sendable {
    public var length: UInt16
    public var value: [UInt8]

    public init(length: UInt16, value: [UInt8]) {
      self.length = length
      self.value = value
    }
  }
}
