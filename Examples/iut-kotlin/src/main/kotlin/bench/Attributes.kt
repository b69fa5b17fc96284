package bench

import java.util.HexFormat

private const val BASE = "-0000-1000-8000-00805f9b34fb"
private val HEX = HexFormat.of()

/** A UUID as the seam writes it, in 36 characters, lower case. */
fun longUuid(text: String): String = (if (text.length == 4) "0000$text$BASE" else text).lowercase()

/** A UUID of 36 characters as the seam writes it: four digits when it is one of the assigned numbers. */
fun seamUuid(text: String): String {
    val lower = text.lowercase()
    return if (lower.startsWith("0000") && lower.endsWith(BASE)) lower.substring(4, 8) else lower
}

/** Octets as the seam writes them. */
fun hex(octets: ByteArray): String = HEX.formatHex(octets)

fun Map<String, Any?>.octets(key: String): ByteArray =
    try {
        HEX.parseHex(text(key))
    } catch (error: IllegalArgumentException) {
        throw NotJson("no octets $key")
    }

/** A list of objects. */
@Suppress("UNCHECKED_CAST")
fun Map<String, Any?>.records(key: String): List<Map<String, Any?>> =
    (this[key] as? List<Any?>)?.takeIf { list -> list.all { it is Map<*, *> } } as List<Map<String, Any?>>?
        ?: throw NotJson("no objects $key")
