package dev.switchback.android

/** The links that came before the app made its [Switchback], and where the others go. It is for the main thread. */
internal object ReturnedLinks {
    private const val MOST = 8
    private val waiting = ArrayDeque<String>()
    private var receiver: ((String) -> Unit)? = null

    fun take(link: String) {
        val receiver = receiver
        if (receiver != null) return receiver(link)
        // Any app can send them.
        if (waiting.size == MOST) waiting.removeFirst()
        waiting.addLast(link)
    }

    /** Hands in all links from now on, and those that wait. */
    fun send(receiver: (String) -> Unit) {
        this.receiver = receiver
        while (waiting.isNotEmpty()) receiver(waiting.removeFirst())
    }
}
