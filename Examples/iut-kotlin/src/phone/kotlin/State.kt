package com.juul.kable

import kotlinx.coroutines.CoroutineScope

sealed class State {
    sealed class Connecting : State() {
        data object Bluetooth : Connecting()
        data object Services : Connecting()
        data object Observes : Connecting()
    }

    /** The scope ends with the connection. */
    data class Connected(val scope: CoroutineScope) : State()

    data object Disconnecting : State()

    data class Disconnected(val status: Status? = null) : State() {
        sealed class Status {
            data object PeripheralDisconnected : Status()
            data object CentralDisconnected : Status()
            data object Failed : Status()
            data object Timeout : Status()
            data object LinkManagerProtocolTimeout : Status()
            data object Cancelled : Status()
            data class Unknown(val status: Int) : Status()

            internal companion object {
                /** By the error code of HCI (Core v5.4, Vol 1, Part F, 1.3), which Android passes on as its status. */
                fun of(reason: Int): Status = when (reason) {
                    0x08 -> Timeout
                    0x13 -> PeripheralDisconnected
                    0x16 -> CentralDisconnected
                    0x22 -> LinkManagerProtocolTimeout
                    0x3E -> Failed
                    else -> Unknown(reason)
                }
            }
        }
    }
}
