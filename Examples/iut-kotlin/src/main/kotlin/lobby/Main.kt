package lobby

import bench.serve

fun main() = serve("iut-kotlin 1", listOf("roles", "screen", "refusals")) { hello, platform ->
    LobbyClient(hello, platform)::handle
}
