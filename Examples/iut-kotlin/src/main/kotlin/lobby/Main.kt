package lobby

import bench.serve
import bench.text

fun main() = serve("iut-kotlin 2", emptyList()) { hello, platform ->
    if (hello.text("role") == "host") LobbyHost(hello, platform)::handle else LobbyClient(hello, platform)::handle
}
