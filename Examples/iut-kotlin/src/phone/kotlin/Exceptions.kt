package com.juul.kable

import java.io.IOException

open class NotConnectedException(message: String? = null, cause: Throwable? = null) : IOException(message, cause)

/** An attribute request that the server, or the platform, refused. */
class GattStatusException(message: String?, cause: Throwable? = null, val status: Int) : IOException(message, cause)
