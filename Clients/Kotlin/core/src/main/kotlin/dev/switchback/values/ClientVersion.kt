package dev.switchback

/** This library's version, and what it says of itself in `User-Agent`. */
internal object ClientVersion {
    /** The version of the next release, which all client libraries share. */
    const val number = "0.1.0"

    /** What it says on a Java virtual machine of which the app has said nothing. */
    val userAgent: String = userAgent(virtualMachine, null, null)

    /** Such as `linux 6.1`. */
    val virtualMachine: String
        get() = "${System.getProperty("os.name").orEmpty().lowercase()} ${System.getProperty("os.version").orEmpty()}"

    /**
     * `switchback-kotlin/0.1.0 (android 15; com.example.shop 4.2)`. The server reads this form only, and takes the
     * versions of apps from it. What is not known is `unknown`.
     */
    fun userAgent(system: String, app: String?, version: String?): String {
        val words = system.split(" ")
        val name = "${clean(words.first(), 16)} ${clean(words.drop(1).joinToString("_"), 32)}"
        return "switchback-kotlin/$number ($name; ${clean(app, 128)} ${clean(version, 32)})"
    }

    /** Characters other than letters, digits and a few marks become `_`, and a mark at the beginning goes. */
    private fun clean(text: String?, limit: Int): String {
        fun isSafe(one: Char) = one in 'A'..'Z' || one in 'a'..'z' || one in '0'..'9' || one in MARKS
        val word = text.orEmpty().map { if (isSafe(it)) it else '_' }
        return word.dropWhile { it in MARKS }.take(limit).joinToString("").ifEmpty { "unknown" }
    }

    private const val MARKS = ".-_+"
}
