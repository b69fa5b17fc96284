package lobby

import android.content.Context
import bench.serve
import bench.text
import calls.Calls

fun main() = serve("iut-kotlin 2", emptyList()) { hello, platform ->
    when (hello.text("role")) {
        "host" -> LobbyHost(hello, platform, Context())::handle
        "calls" -> Calls(platform)::handle
        else -> LobbyClient(hello, platform)::handle
    }
}
