package dev.switchback.android

import java.io.File
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

/** Which language of the texts a user gets. */
class LanguageChoiceTests {
    /** The user's languages, those that the app asks for, and the tag. */
    private val rows = listOf(
        Triple(listOf("da-DK"), setOf(), "da"), Triple(listOf("sv-FI"), setOf(), "sv-FI"),
        Triple(listOf("sv-Latn-FI"), setOf(), "sv-FI"), Triple(listOf("sv_SE"), setOf(), "sv"),
        Triple(listOf("no"), setOf(), "nb"), Triple(listOf("nb-NO"), setOf(), "nb"), Triple(listOf("NN"), setOf(), "nn"),
        Triple(listOf("fr-FR", "de-AT"), setOf(), "de"), Triple(listOf("fr"), setOf(), "en"),
        Triple(listOf(), setOf(), "en"), Triple(listOf("", "-", "fi"), setOf(), "fi"),
        Triple(listOf("kl-GL", "en-GB"), setOf(), "en"), Triple(listOf("kl-GL"), setOf(), "da"),
        Triple(listOf("kl-GL", "en-GB"), setOf("kl"), "kl"), Triple(listOf("fo"), setOf("kl"), "da"),
    )

    @Test
    fun `a user gets the first language that there is`() {
        for ((wanted, optIn, tag) in rows) assertEquals("$wanted $optIn", tag, LanguageChoice.tag(wanted, optIn))
    }

    @Test
    fun `each language has resources of its own`() {
        val folders = File(System.getProperty("switchback.top") ?: ".", "Clients/Kotlin/android/src/main/res").list()
        for (tag in ScreenLanguages.tags) {
            val name = "values-" + tag.replace("-", "-r")
            assertTrue(tag, (if (tag == "en") "values" else name) in folders.orEmpty())
        }
    }
}
