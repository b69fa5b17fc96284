package bench

import kotlin.random.Random
import kotlinx.coroutines.CoroutineExceptionHandler
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.flow.MutableStateFlow

/** What an engine may ask for. A file to copy, with BenchDispatcher.kt and Json.kt. */
class Platform(hello: Map<String, Any?>) {
    private val effects = StringBuilder()
    private var failure: Throwable? = null
    private val dispatcher = BenchDispatcher { name, members -> ask(name, members) }

    /** Where the engine launches its coroutines. An exception that nobody catches ends the program, with its trace. */
    val scope = CoroutineScope(
        dispatcher + SupervisorJob() + CoroutineExceptionHandler { _, error -> failure = failure ?: error },
    )

    /** Draws from the seed of the case. */
    val random = Random(hello.text("seed").toLong())

    /** Nanoseconds since the start of the run. */
    val now: Long get() = dispatcher.now

    /** Whether Bluetooth is switched on. */
    val radio = MutableStateFlow(true)

    /** An effect, or a report of what the screen shows. It is fixed at once. */
    fun ask(name: String, members: Map<String, Any?> = emptyMap()) {
        if (effects.isNotEmpty()) effects.append(',')
        effects.append(Json.write(mapOf("name" to name) + members))
    }

    internal fun answer(input: Map<String, Any?>, handle: (Map<String, Any?>) -> Unit): String {
        dispatcher.now = input.long("at")
        when (input.text("name")) {
            "timer" -> dispatcher.expire(input.long("timer"))
            "radioPower" -> radio.value = input.flag("on")
        }
        if (input["name"] != "timer") handle(input)
        dispatcher.runUntilIdle()
        failure?.let { throw it }
        return """{"at":${dispatcher.now},"effects":[$effects]}""".also { effects.clear() }
    }
}

/**
 * Answers the bench until it closes standard input (Docs/Formats/iut-protocol.md).
 *
 * @param makeEngine gives what handles an input; timers are handled here.
 */
fun serve(
    implementation: String, ics: List<String>,
    makeEngine: (Map<String, Any?>, Platform) -> (Map<String, Any?>) -> Unit,
) {
    val out = System.out
    // Whatever prints belongs to the log; standard output is the pipe.
    System.setOut(System.err)
    val input = System.`in`.bufferedReader()
    val hello = Json.objectOf(input.readLine() ?: return)
    val platform = Platform(hello)
    val handle = makeEngine(hello, platform)
    fun say(line: String) {
        out.write((line + "\n").encodeToByteArray())
        out.flush()
    }
    say(
        Json.write(
            mapOf(
                "name" to "hello", "protocol" to 1, "implementation" to implementation, "ics" to ics,
                // Those of which a good run has none: that they do not come shows something only if they would.
                "reports" to listOf("refused", "violation"),
            ),
        ),
    )
    while (true) say(platform.answer(Json.objectOf(input.readLine() ?: return), handle))
}
