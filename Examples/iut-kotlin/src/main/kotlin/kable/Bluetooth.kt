package com.juul.kable

import bench.Platform
import bench.longUuid
import bench.seamUuid
import kotlin.uuid.Uuid
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.map

object Bluetooth {
    /** `Bluetooth.BaseUuid + 0x180D`: the UUID of an assigned number (Core v5.4, Vol 3, Part B, 2.5.1). */
    object BaseUuid {
        operator fun plus(shortUuid: Int): Uuid = Uuid.parse(longUuid("%04x".format(shortUuid)))
    }

    sealed class Availability {
        data object Available : Availability()
        data class Unavailable(val reason: Reason?) : Availability()
    }

    enum class Reason { Off }

    /** The input `radioPower`. */
    val availability: Flow<Availability> = Platform.current.radio.map {
        if (it) Availability.Available else Availability.Unavailable(Reason.Off)
    }
}

fun uuidFrom(uuid: String): Uuid = Uuid.parse(uuid)

internal val Uuid.seam: String get() = seamUuid(toString())

internal fun uuidOf(text: String): Uuid = Uuid.parse(longUuid(text))
