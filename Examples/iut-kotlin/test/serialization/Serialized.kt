import kotlinx.serialization.Serializable
import kotlinx.serialization.json.Json

@Serializable
private data class Join(val id: String, val seat: Int = 1, val names: List<String> = emptyList())

/** An engine may read and write its packets by generated serializers: `compile-sources` has the plugin. */
fun main() {
    val text = Json.encodeToString(Join("p", 2, listOf("a")))
    println(text + " " + (Json.decodeFromString<Join>(text) == Join("p", 2, listOf("a"))))
}
