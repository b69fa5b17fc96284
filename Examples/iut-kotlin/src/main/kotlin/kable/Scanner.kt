package com.juul.kable

import kotlin.uuid.Uuid
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.awaitClose
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.callbackFlow

/** What a report of the scan has: name, services and signal strength; data of services and manufacturers it has not. */
data class Advertisement(val identifier: String, val name: String?, val uuids: List<Uuid>, val rssi: Int) {
    val address: String get() = identifier
}

interface Scanner {
    /** The scan runs while this is collected. Bluetooth that is switched off ends it without a word. */
    val advertisements: Flow<Advertisement>
}

sealed interface Filter {
    data class Service(val uuid: Uuid) : Filter
    data class Address(val address: String) : Filter
    sealed interface Name : Filter {
        data class Exact(val exact: String) : Name
        data class Prefix(val prefix: String) : Name
    }
}

class FilterPredicateBuilder {
    var services: List<Uuid> = emptyList()
    var name: Filter.Name? = null
    var address: String? = null
}

class FiltersBuilder {
    internal val predicates = ArrayList<FilterPredicateBuilder>()

    /** All of one `match` have to fit, and one `match` of all. */
    fun match(builder: FilterPredicateBuilder.() -> Unit) {
        predicates.add(FilterPredicateBuilder().apply(builder))
    }
}

class ScannerBuilder {
    internal var predicates: List<FilterPredicateBuilder> = emptyList()

    fun filters(builder: FiltersBuilder.() -> Unit) {
        predicates = FiltersBuilder().apply(builder).predicates
    }
}

fun Scanner(builder: ScannerBuilder.() -> Unit = {}): Scanner = BenchScanner(ScannerBuilder().apply(builder).predicates)

private class BenchScanner(private val predicates: List<FilterPredicateBuilder>) : Scanner {
    override val advertisements = callbackFlow {
        val scan = Central.Scan(services()) { if (fits(it)) trySend(it) }
        Central.current.begin(scan)
        awaitClose { Central.current.end(scan) }
    }.buffer(Channel.UNLIMITED)

    /** What the platform filters by; nothing when one `match` has no service. */
    private fun services(): List<Uuid> =
        if (predicates.any { it.services.isEmpty() }) emptyList() else predicates.flatMap { it.services }

    private fun fits(found: Advertisement) = predicates.isEmpty() || predicates.any { wanted ->
        val name = wanted.name
        found.uuids.containsAll(wanted.services) && (wanted.address ?: found.address) == found.address && when (name) {
            null -> true
            is Filter.Name.Exact -> found.name == name.exact
            is Filter.Name.Prefix -> found.name?.startsWith(name.prefix) == true
        }
    }
}
