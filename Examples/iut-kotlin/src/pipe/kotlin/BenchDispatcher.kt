package bench

import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Delay
import kotlinx.coroutines.DisposableHandle
import kotlinx.coroutines.Runnable

/**
 * A dispatcher whose clock is the bench's: a file to copy.
 *
 * `delay` and `withTimeout` become the effect `setTimer`, and their end is the input `timer`. Everything runs on the
 * one thread that reads the pipe, in the order in which it became ready, so that every run is the same.
 */
class BenchDispatcher(private val ask: (String, Map<String, Any?>) -> Unit) : CoroutineDispatcher(), Delay {
    /** Nanoseconds since the start of the run. */
    var now = 0L
    private val ready = ArrayDeque<Runnable>()
    private val timers = HashMap<Long, () -> Unit>()
    private var newest = 0L

    override fun dispatch(context: CoroutineContext, block: Runnable) {
        ready.addLast(block)
    }

    override fun scheduleResumeAfterDelay(timeMillis: Long, continuation: CancellableContinuation<Unit>) {
        val number = set(timeMillis) { with(continuation) { resumeUndispatched(Unit) } }
        continuation.invokeOnCancellation { cancel(number) }
    }

    override fun invokeOnTimeout(timeMillis: Long, block: Runnable, context: CoroutineContext): DisposableHandle {
        val number = set(timeMillis) { block.run() }
        return DisposableHandle { cancel(number) }
    }

    private fun set(milliseconds: Long, action: () -> Unit): Long {
        newest += 1
        timers[newest] = action
        ask("setTimer", mapOf("timer" to newest, "at" to now + milliseconds.coerceIn(0, LONGEST) * 1_000_000))
        return newest
    }

    private fun cancel(number: Long) {
        if (timers.remove(number) != null) ask("cancelTimer", mapOf("timer" to number))
    }

    /** The bench says that a timer is due. */
    fun expire(number: Long) {
        timers.remove(number)?.invoke()
    }

    /** Lets all coroutines go on until each of them waits. */
    fun runUntilIdle() {
        while (true) (ready.removeFirstOrNull() ?: return).run()
    }

    private companion object {
        /** A day; longer than any case, and in nanoseconds still below 2^53. */
        const val LONGEST = 86_400_000L
    }
}
