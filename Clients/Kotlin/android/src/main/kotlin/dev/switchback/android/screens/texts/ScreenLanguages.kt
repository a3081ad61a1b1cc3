// Made from Public/strings and Clients/texts by Clients/texts/write. Change those, and run it again.

package dev.switchback.android

/** The languages of the texts, by their tags (BCP 47). */
internal object ScreenLanguages {
    val tags: List<String> = listOf(
        "da",
        "de",
        "en",
        "fi",
        "fo",
        "kl",
        "nb",
        "nl",
        "nn",
        "sv",
        "sv-FI",
    )

    /** The languages that an app has to ask for, as the server has to be told to offer them. */
    val optInTags: Set<String> = setOf("fo", "kl")
}
