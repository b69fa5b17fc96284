package bench

/** Text that is not one JSON value. */
class NotJson(message: String) : Exception(message)

/** JSON as maps in the order of their keys, lists, texts, Longs, Doubles, Booleans and null. A file to copy. */
object Json {
    fun read(text: String): Any? = Reader(text).whole()

    @Suppress("UNCHECKED_CAST")
    fun objectOf(text: String): Map<String, Any?> =
        read(text) as? Map<String, Any?> ?: throw NotJson("no object")

    fun write(value: Any?): String = StringBuilder().also { write(value, it) }.toString()

    private fun write(value: Any?, out: StringBuilder) {
        when (value) {
            is String -> quote(value, out)
            is Map<*, *> -> {
                var separator = '{'
                for ((key, member) in value) {
                    out.append(separator)
                    quote(key as String, out)
                    out.append(':')
                    write(member, out)
                    separator = ','
                }
                out.append(if (separator == '{') "{}" else "}")
            }
            is List<*> -> {
                out.append('[')
                value.forEachIndexed { index, item ->
                    if (index > 0) out.append(',')
                    write(item, out)
                }
                out.append(']')
            }
            else -> out.append(value)
        }
    }

    /** Only quote, backslash and controls are escaped (wire.md 4.7). */
    private fun quote(text: String, out: StringBuilder) {
        out.append('"')
        for (sign in text) {
            when (sign) {
                '"', '\\' -> out.append('\\').append(sign)
                '\b' -> out.append("\\b")
                '\t' -> out.append("\\t")
                '\n' -> out.append("\\n")
                '\u000C' -> out.append("\\f")
                '\r' -> out.append("\\r")
                else -> if (sign < ' ') out.append("\\u%04x".format(sign.code)) else out.append(sign)
            }
        }
        out.append('"')
    }

    private class Reader(private val text: String) {
        private var at = 0

        fun whole(): Any? {
            val value = value(0)
            if (peek() != null) fail("something follows")
            return value
        }

        private fun fail(what: String): Nothing = throw NotJson("$what at character $at")

        /** The next sign that is not white space. */
        private fun peek(): Char? {
            while (at < text.length && text[at] in " \t\r\n") at += 1
            return text.getOrNull(at)
        }

        private fun take(sign: Char): Boolean {
            if (peek() != sign) return false
            at += 1
            return true
        }

        private fun value(depth: Int): Any? {
            if (depth > MOST_NESTED) fail("too deep")
            val first = peek() ?: fail("no value")
            return when {
                first == '"' -> string()
                first == '{' -> members(depth)
                first == '[' -> items(depth)
                first == '-' || first.isDigit() -> number()
                word("true") -> true
                word("false") -> false
                word("null") -> null
                else -> fail("no value")
            }
        }

        private fun word(word: String): Boolean = text.startsWith(word, at).also { if (it) at += word.length }

        private fun members(depth: Int): Map<String, Any?> {
            at += 1
            val result = LinkedHashMap<String, Any?>()
            if (take('}')) return result
            do {
                if (peek() != '"') fail("no key")
                val key = string()
                if (!take(':')) fail("no colon")
                result[key] = value(depth + 1)
            } while (take(','))
            if (!take('}')) fail("no comma")
            return result
        }

        private fun items(depth: Int): List<Any?> {
            at += 1
            val result = ArrayList<Any?>()
            if (take(']')) return result
            do result.add(value(depth + 1)) while (take(','))
            if (!take(']')) fail("no comma")
            return result
        }

        private fun string(): String {
            at += 1
            val result = StringBuilder()
            while (true) {
                val sign = text.getOrNull(at++) ?: fail("a text without end")
                when {
                    sign == '"' -> return result.toString()
                    sign < ' ' -> fail("a control in a text")
                    sign == '\\' -> result.append(escaped())
                    else -> result.append(sign)
                }
            }
        }

        private fun escaped(): Char = when (val sign = text.getOrNull(at++)) {
            '"', '\\', '/' -> sign
            'b' -> '\b'
            'f' -> '\u000C'
            'n' -> '\n'
            'r' -> '\r'
            't' -> '\t'
            'u' -> {
                at += 4
                val digits = text.substring((at - 4).coerceAtMost(text.length), at.coerceAtMost(text.length))
                if (!HEX.matches(digits)) fail("no escape")
                digits.toInt(16).toChar()
            }
            else -> fail("no escape")
        }

        private fun number(): Any {
            val found = NUMBER.matchAt(text, at)?.value ?: fail("no number")
            at += found.length
            return found.toLongOrNull() ?: found.toDouble()
        }
    }

    private const val MOST_NESTED = 512
    private val HEX = Regex("[0-9a-fA-F]{4}")
    private val NUMBER = Regex("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?")
}

// Members of an object; a wrong type is reported as what it is.

fun Map<String, Any?>.text(key: String): String = this[key] as? String ?: throw NotJson("no text $key")
fun Map<String, Any?>.long(key: String): Long = this[key] as? Long ?: throw NotJson("no whole number $key")
fun Map<String, Any?>.flag(key: String): Boolean = this[key] as? Boolean ?: throw NotJson("no boolean $key")

@Suppress("UNCHECKED_CAST")
fun Map<String, Any?>.members(key: String): Map<String, Any?> =
    this[key] as? Map<String, Any?> ?: throw NotJson("no object $key")

@Suppress("UNCHECKED_CAST")
fun Map<String, Any?>.texts(key: String): List<String> =
    (this[key] as? List<Any?>)?.takeIf { list -> list.all { it is String } } as List<String>?
        ?: throw NotJson("no texts $key")

/** A list of objects. */
@Suppress("UNCHECKED_CAST")
fun Map<String, Any?>.records(key: String): List<Map<String, Any?>> =
    (this[key] as? List<Any?>)?.takeIf { list -> list.all { it is Map<*, *> } } as List<Map<String, Any?>>?
        ?: throw NotJson("no objects $key")
