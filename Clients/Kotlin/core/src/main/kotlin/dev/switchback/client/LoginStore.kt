package dev.switchback

import kotlinx.coroutines.withContext

/** The logins in the app's store, each under a name of its own, and how each was opened. */
internal class LoginStore(private val store: SecretStore) {
    /** How a login was opened: in which host, and in what. It has no link and no secret. */
    data class Opened(val host: String, val chosen: String?)

    /** Returns false if it could not be stored. */
    suspend fun save(login: SavedLogin): Boolean = attempt { store.replace(LOGIN + login.id, login.toBytes()) }

    suspend fun save(id: String, opened: Opened): Boolean = attempt {
        val json = JsonValue.of("host" to JsonValue.of(opened.host), "in" to opened.chosen?.let { JsonValue.of(it) })
        store.replace(OPENED + id, json.toBytes())
    }

    /** If this fails, the record stays. The next start asks the server, which no longer has the login. */
    suspend fun forget(id: String): Boolean = attempt {
        store.delete(LOGIN + id)
        store.delete(OPENED + id)
    }

    /** The logins that can be read, the newest first. Null if the store cannot be read now. */
    suspend fun all(): List<SavedLogin>? = withContext(LibraryThreads.blocking) {
        // One that a later version has written stays where it is.
        runCatching {
            store.names().filter { it.startsWith(LOGIN) }.mapNotNull { store.read(it)?.let(SavedLogin::read) }
                .sortedByDescending { it.startedAt }
        }.getOrNull()
    }

    suspend fun opened(id: String): Opened? = withContext(LibraryThreads.blocking) {
        val json = runCatching { store.read(OPENED + id) }.getOrNull()?.let { JsonValue.parse(it) }
        json?.get("host")?.string?.let { Opened(it, json["in"]?.string) }
    }

    private suspend fun attempt(work: () -> Unit): Boolean =
        withContext(LibraryThreads.blocking) { runCatching(work).isSuccess }

    private companion object {
        const val LOGIN = "login-"
        const val OPENED = "opened-"
    }
}
