package dev.switchback

import java.util.concurrent.Callable
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import kotlin.system.exitProcess

/**
 * A program that plays the cases for `Clients/mutants`: it reads numbers of mutants, one a line, turns each on, and
 * says whether the cases notice. The mutated sources have `chosenMutant`; those that are not mutated do not.
 */
object MutantPlayer {
    /** A case takes no second. One that takes this long hangs. */
    private const val SECONDS = 60L

    /** Who plays the cases: a reducer of a session shows in the client, too. */
    private val players = mapOf(
        "login" to listOf("dev.switchback.LoginCasePlayer"),
        "session" to listOf(
            "dev.switchback.session.SessionCasePlayer", "dev.switchback.session.SessionClientCasePlayer",
        ),
    )

    private fun differs(reducer: String): Boolean {
        val cases = BehaviourCase.all(reducer)
        return players.getValue(reducer).any { name ->
            val companion = Class.forName(name).getField("Companion").get(null)
            val methods = companion.javaClass.methods.filter { !it.isSynthetic }
            val leftOut = methods.singleOrNull { it.name.startsWith("leftOut") }
            val differences = methods.single { it.name.startsWith("differences") }
            cases.filter { leftOut?.invoke(companion, it) == null }.any { row ->
                try {
                    (differences.invoke(companion, row) as List<*>).isNotEmpty()
                } catch (_: Throwable) {
                    true
                }
            }
        }
    }

    @JvmStatic
    fun main(arguments: Array<String>) {
        val choose = Class.forName("dev.switchback.MutantsKt").getMethod("setChosenMutant", Int::class.java)
        val threads = Executors.newCachedThreadPool { work -> Thread(work).apply { isDaemon = true } }
        for (line in generateSequence(::readLine)) {
            val (number, reducer) = line.split(" ")
            choose.invoke(null, number.toInt())
            val played = threads.submit(Callable { differs(reducer) })
            val isNoticed = runCatching { played.get(SECONDS, TimeUnit.SECONDS) }.getOrNull()
            println("$number ${if (isNoticed == false) "survives" else "dies"}")
            System.out.flush()
            // A mutant that hangs keeps its thread, and would see the next one.
            if (isNoticed == null) exitProcess(3)
        }
    }
}
