package dev.switchback

import java.lang.management.ManagementFactory
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import kotlin.concurrent.thread
import kotlin.system.exitProcess

/**
 * A program that plays the cases for `Clients/mutants`: it reads numbers of mutants, one a line, turns each on, and
 * says whether the cases notice. The mutated sources have `chosenMutant`; those that are not mutated do not.
 */
object MutantPlayer {
    /** All cases take some seconds. What computes or waits for so long hangs. */
    private val COMPUTES = TimeUnit.SECONDS.toNanos(20)
    private val WAITS = TimeUnit.MINUTES.toNanos(3)

    /** Who plays the cases: a reducer of a session shows in the client, too. */
    private val players = mapOf(
        "login" to listOf("dev.switchback.LoginCasePlayer"),
        "session" to listOf(
            "dev.switchback.session.SessionCasePlayer", "dev.switchback.session.SessionClientCasePlayer",
        ),
    )

    /** The cases for a reducer. Those that noticed a mutant come first, because they may notice the next one. */
    private val cases = HashMap<String, MutableList<BehaviourCase>>()

    private fun differs(reducer: String): Boolean {
        val rows = cases.getOrPut(reducer) { BehaviourCase.all(reducer).toMutableList() }
        return players.getValue(reducer).any { name ->
            val companion = Class.forName(name).getField("Companion").get(null)
            val methods = companion.javaClass.methods.filter { !it.isSynthetic }
            val leftOut = methods.singleOrNull { it.name.startsWith("leftOut") }
            val differences = methods.single { it.name.startsWith("differences") }
            val noticed = rows.firstOrNull { row ->
                try {
                    val isPlayed = leftOut?.invoke(companion, row) == null
                    isPlayed && (differences.invoke(companion, row) as List<*>).isNotEmpty()
                } catch (_: Throwable) {
                    true
                }
            }
            noticed?.let {
                rows.remove(it)
                rows.add(0, it)
            } != null
        }
    }

    /** Whether the cases notice; null if they hang. Other programs may need the processor, so its time counts. */
    private fun isNoticed(reducer: String): Boolean? {
        val played = CompletableFuture<Boolean>()
        val thread = thread(isDaemon = true) {
            played.complete(runCatching { differs(reducer) }.getOrDefault(true))
        }
        val processor = ManagementFactory.getThreadMXBean()
        val end = System.nanoTime() + WAITS
        while (true) {
            try {
                return played.get(1, TimeUnit.SECONDS)
            } catch (_: TimeoutException) {
                if (processor.getThreadCpuTime(thread.id) > COMPUTES || System.nanoTime() > end) return null
            }
        }
    }

    @JvmStatic
    fun main(arguments: Array<String>) {
        val choose = Class.forName("dev.switchback.MutantsKt").getMethod("setChosenMutant", Int::class.java)
        for (line in generateSequence(::readLine)) {
            val (number, reducer) = line.split(" ")
            choose.invoke(null, number.toInt())
            val isNoticed = isNoticed(reducer)
            println("$number ${if (isNoticed == false) "survives" else "dies"}")
            System.out.flush()
            // A mutant that hangs keeps its thread, and would see the next one.
            if (isNoticed == null) exitProcess(3)
        }
    }
}
