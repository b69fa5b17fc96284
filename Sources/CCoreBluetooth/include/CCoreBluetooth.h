#ifndef CCOREBLUETOOTH_H
#define CCOREBLUETOOTH_H

// Enumerations that may have any number, which Swift cannot declare by itself; Apple's come from C as well.

/// What managers and peripherals report (`CBError.Code`). Source: Apple, `CBError.Code`.
enum __attribute__((enum_extensibility(open))) CBErrorCode : long {
  /// Something else.
  CBErrorUnknown = 0,
  /// A parameter is wrong.
  CBErrorInvalidParameters = 1,
  /// A handle is wrong.
  CBErrorInvalidHandle = 2,
  /// The peer is not connected.
  CBErrorNotConnected = 3,
  /// No memory is left.
  CBErrorOutOfSpace = 4,
  /// The operation was cancelled.
  CBErrorOperationCancelled = 5,
  /// The connection was lost: the supervision timeout.
  CBErrorConnectionTimeout = 6,
  /// The other end disconnected.
  CBErrorPeripheralDisconnected = 7,
  /// The UUID may not be used.
  CBErrorUUIDNotAllowed = 8,
  /// The manager advertises already.
  CBErrorAlreadyAdvertising = 9,
  /// The connection could not be made.
  CBErrorConnectionFailed = 10,
  /// There is no room for one more connection.
  CBErrorConnectionLimitReached = 11,
  /// The device is not known.
  CBErrorUnknownDevice = 12,
  /// The operation is not supported.
  CBErrorOperationNotSupported = 13,
  /// The peer has lost its bond.
  CBErrorPeerRemovedPairingInformation = 14,
  /// The link could not be encrypted in time.
  CBErrorEncryptionTimedOut = 15,
  /// There is no room for one more bond.
  CBErrorTooManyLEPairedDevices = 16,
  /// Too many notifications in background.
  CBErrorLeGattExceededBackgroundNotificationLimit = 17,
  /// Almost too many notifications in background.
  CBErrorLeGattNearBackgroundNotificationLimit = 18,
};
typedef enum CBErrorCode CBErrorCode;

/// The code of an ATT error response (`CBATTError.Code`). Source: Apple, `CBATTError.Code`; Core v5.4, Vol 3, Part F,
/// 3.4.1.1.
enum __attribute__((enum_extensibility(open))) CBATTErrorCode : long {
  /// No error.
  CBATTErrorSuccess = 0x00,
  /// There is no such attribute.
  CBATTErrorInvalidHandle = 0x01,
  /// The attribute cannot be read.
  CBATTErrorReadNotPermitted = 0x02,
  /// The attribute cannot be written.
  CBATTErrorWriteNotPermitted = 0x03,
  /// The PDU was wrong.
  CBATTErrorInvalidPdu = 0x04,
  /// A bond with authentication is needed.
  CBATTErrorInsufficientAuthentication = 0x05,
  /// The request is not supported.
  CBATTErrorRequestNotSupported = 0x06,
  /// The offset lies after the end of the value.
  CBATTErrorInvalidOffset = 0x07,
  /// The app refuses the request.
  CBATTErrorInsufficientAuthorization = 0x08,
  /// There are too many prepared writes.
  CBATTErrorPrepareQueueFull = 0x09,
  /// There is no such attribute in the range.
  CBATTErrorAttributeNotFound = 0x0A,
  /// The value cannot be read in parts.
  CBATTErrorAttributeNotLong = 0x0B,
  /// The key is too short.
  CBATTErrorInsufficientEncryptionKeySize = 0x0C,
  /// The value has a wrong length.
  CBATTErrorInvalidAttributeValueLength = 0x0D,
  /// Something else.
  CBATTErrorUnlikelyError = 0x0E,
  /// The link has to be encrypted.
  CBATTErrorInsufficientEncryption = 0x0F,
  /// The type is not that of a group.
  CBATTErrorUnsupportedGroupType = 0x10,
  /// The server lacks resources.
  CBATTErrorInsufficientResources = 0x11,
};
typedef enum CBATTErrorCode CBATTErrorCode;

/// An object file of this process that is read for the names of its functions.
struct cb_symbols {
  const void *octets, *table;
  const char *names;
  unsigned long size, bias, count, next, names_size;
};

/// Opens the file that an address belongs to; 0: there is none, or its symbols were stripped.
int cb_symbols_open(struct cb_symbols *file, const void *address);
/// The next function whose name begins so; NULL: there is no other. The name is valid until the file is closed.
const char *cb_symbols_next(struct cb_symbols *file, const char *prefix, const void **code);
void cb_symbols_close(struct cb_symbols *file);

/// A name of Swift's as people write it, every type with its module; freed by the caller. NULL: it is none.
char *cb_symbols_demangle(const char *name);

#endif
