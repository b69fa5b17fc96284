package lobby

import bench.serve
import bench.text
import calls.Calls

fun main() = serve("iut-kotlin 2", emptyList()) { hello, platform ->
    when (hello.text("role")) {
        "host" -> LobbyHost(hello, platform)::handle
        "calls" -> Calls(platform)::handle
        else -> LobbyClient(hello, platform)::handle
    }
}
