package com.juul.kable

import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.channelFlow
import kotlinx.coroutines.launch

/** The flows of `observe` that are collected. */
internal class Observers(private val peripheral: BenchPeripheral) {
    private class Observer(
        val characteristic: Characteristic, val onSubscription: suspend () -> Unit, val take: (ByteArray) -> Unit,
    ) {
        /** Null until it is on in this connection. */
        var found: FoundCharacteristic? = null
    }

    private val observers = ArrayList<Observer>()

    fun observe(characteristic: Characteristic, onSubscription: suspend () -> Unit): Flow<ByteArray> = channelFlow {
        val observer = Observer(characteristic, onSubscription) { trySend(it) }
        observers.add(observer)
        try {
            if (peripheral.state.value is State.Connected) {
                try {
                    start(observer)
                } catch (lost: NotConnectedException) {
                    // The next connection starts it.
                }
            }
            awaitCancellation()
        } finally {
            stop(observer)
        }
    }.buffer(Channel.UNLIMITED)

    /** Starts what was collected before the connection; what fails here, `connect` throws. */
    suspend fun onConnected() {
        while (true) start(observers.firstOrNull { it.found == null } ?: return)
    }

    fun onDisconnected() = observers.forEach { it.found = null }

    fun notified(handle: Long, octets: ByteArray) =
        observers.toList().filter { it.found?.handle == handle }.forEach { it.take(octets) }

    private suspend fun start(observer: Observer) {
        val found = peripheral.servicesOrThrow().obtain(observer.characteristic, NOTIFY or INDICATE)
        val isFirst = observers.none { it.found === found }
        observer.found = found
        if (isFirst) peripheral.configure(found, true)
        observer.onSubscription()
    }

    private fun stop(observer: Observer) {
        observers.remove(observer)
        val found = observer.found ?: return
        if (observers.any { it.found === found } || peripheral.connection == null) return
        peripheral.scope.launch {
            try {
                peripheral.configure(found, false)
            } catch (refused: java.io.IOException) {
                // There is nobody left who could be told.
            }
        }
    }
}
