package dev.switchback.android

/** Which of the languages of the texts a user gets. */
internal object LanguageChoice {
    /** What most readers of a language also read. */
    private val neighbours = mapOf("fo" to "da", "kl" to "da", "nn" to "nb")

    /**
     * Returns the tag of the first of these languages that there is, and `en` if there is none. [languages] are BCP 47
     * tags, the user's first one first. A language that few have read, such as `kl`, must be in [optIn].
     */
    fun tag(languages: List<String>, optIn: Set<String> = emptySet()): String {
        val hidden = ScreenLanguages.optInTags - optIn
        val tags = ScreenLanguages.tags.filter { it !in hidden }.associateBy { it.lowercase() }
        val wanted = languages.map(::subtags)
        return wanted.flatMap(::prefixes).firstNotNullOfOrNull { tags[it] }
            ?: wanted.firstNotNullOfOrNull { subtags -> neighbours[subtags.firstOrNull()]?.let { tags[it] } }
            ?: "en"
    }

    /** Returns the subtags that matter: a script has four letters, and no language here has two scripts. */
    private fun subtags(language: String): List<String> {
        val subtags = language.lowercase().split('-', '_').filter { it.isNotEmpty() }.take(8).toMutableList()
        // Norwegian without more is Bokmål.
        if (subtags.firstOrNull() == "no") subtags[0] = "nb"
        if (subtags.size > 1 && subtags[1].length == 4 && subtags[1].all(Char::isLetter)) subtags.removeAt(1)
        return subtags
    }

    /** Returns the tag and each shorter one, the longest first. */
    private fun prefixes(subtags: List<String>): List<String> =
        subtags.indices.reversed().map { subtags.take(it + 1).joinToString("-") }
}
