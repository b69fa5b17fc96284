import bench.serve
import bench.text
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch

/** The engine of README.md. */
fun main() = serve("my-host 1", listOf("roles")) { hello, platform ->
    { input ->
        if (input.text("name") == "launched") {
            platform.scope.launch {
                delay(1_000)
                platform.ask("phase", mapOf("phase" to "LOBBY"))
            }
        }
    }
}
