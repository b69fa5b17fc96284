package lobby

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch

/** Puts fragments together (wire.md 3.9 to 3.19): one per link, in whose scope its time limits run. */
class Reassembler(
    private val scope: CoroutineScope, private val now: () -> Long, private val refuse: (String) -> Unit,
) {
    private class Partial(val bodies: Array<ByteArray?>) {
        var octets = 0
        var limit: Job? = null
    }

    private class Completed(val id: Int, val bodies: Array<ByteArray?>, val at: Long)

    /** By packetID, the one begun first in front. */
    private val partials = LinkedHashMap<Int, Partial>()
    private val completed = ArrayDeque<Completed>()

    /** The packet that this value completes. */
    fun take(value: ByteArray): ByteArray? {
        if (value.size < HEADER) return refused("a value of ${value.size} octets")
        val (high, low, index, count) = value.take(HEADER).map { it.toInt() and 0xFF }
        val id = high shl 8 or low
        val body = value.copyOfRange(HEADER, value.size)
        if (index >= count) return drop(id, "fragment $index of $count")
        if (id !in partials && isRepeat(id, index, count, body)) return null
        val partial = partials.getOrPut(id) { Partial(arrayOfNulls(count)) }
        if (partial.bodies.size != count) return drop(id, "packet $id changed its count")
        partial.bodies[index]?.let { known ->
            return if (known.contentEquals(body)) null else drop(id, "packet $id has two fragments $index")
        }
        partial.bodies[index] = body
        partial.octets += body.size
        partial.limit?.cancel()
        if (partial.bodies.all { it != null }) return complete(id, partial)
        partial.limit = scope.launch {
            delay(PATIENCE_MILLISECONDS)
            drop(id, "packet $id never came whole")
        }
        while (partials.size > MOST_PARTIALS || partials.values.sumOf { it.octets } > MOST_OCTETS) {
            drop(partials.keys.first(), "too much that is unfinished")
        }
        return null
    }

    private fun complete(id: Int, partial: Partial): ByteArray {
        partials.remove(id)
        completed.addLast(Completed(id, partial.bodies, now()))
        if (completed.size > MOST_COMPLETED) completed.removeFirst()
        return partial.bodies.fold(ByteArray(0)) { octets, body -> octets + body!! }
    }

    private fun isRepeat(id: Int, index: Int, count: Int, body: ByteArray) = completed.any {
        it.id == id && it.bodies.size == count && now() - it.at < PATIENCE_MILLISECONDS * 1_000_000 &&
            it.bodies[index].contentEquals(body)
    }

    private fun drop(id: Int, reason: String): ByteArray? {
        partials.remove(id)?.limit?.cancel()
        return refused(reason)
    }

    private fun refused(reason: String): ByteArray? {
        refuse(reason)
        return null
    }

    private companion object {
        const val HEADER = 4
        const val PATIENCE_MILLISECONDS = 5_000L
        const val MOST_PARTIALS = 16
        const val MOST_OCTETS = 262_144
        const val MOST_COMPLETED = 16
    }
}
