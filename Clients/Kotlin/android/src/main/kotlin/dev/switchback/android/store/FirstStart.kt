package dev.switchback.android

import dev.switchback.SecretStore
import java.io.IOException
import java.security.GeneralSecurityException

/**
 * What an earlier install left behind. Android removes files and keys together with an app, but a phone maker's copy to
 * another phone brings files without keys, and some work profiles keep keys without files.
 */
internal object FirstStart {
    /** The name of the blob that says that this install has started before. */
    const val MARKER: String = "installed"

    /** What the store says about the marker. */
    enum class Marker { PRESENT, ABSENT, UNREADABLE }

    /** What has to be deleted: names of blobs and of keys. */
    data class Leftovers(val blobs: List<String>, val keys: List<String>)

    /**
     * Nothing is deleted unless the marker is known to be absent. Keys of others are none of ours: ours begin with
     * [prefix].
     */
    fun leftovers(marker: Marker, blobs: List<String>, keys: List<String>, prefix: String): Leftovers = when (marker) {
        Marker.PRESENT, Marker.UNREADABLE -> Leftovers(emptyList(), emptyList())
        Marker.ABSENT -> Leftovers(blobs, keys.filter { it.startsWith(prefix) })
    }

    /** Deletes what is left, then writes the marker. What fails now is tried again at the next start. */
    fun clean(store: SecretStore, keys: StoreKeys, lock: StoreLock, prefix: String) {
        try {
            // Another process that starts for the first time too must not delete what this one stores next.
            lock.hold {
                val blobs = store.names()
                val marker = marker(store, blobs)
                if (marker != Marker.ABSENT) return@hold
                val left = leftovers(marker, blobs, keys.names(), prefix)
                left.blobs.forEach(store::delete)
                left.keys.forEach(keys::remove)
                store.replace(MARKER, byteArrayOf(1))
            }
        } catch (_: IOException) {
            // The store cannot be read or written now.
        } catch (_: GeneralSecurityException) {
            // Nor can the Keystore.
        }
    }

    /** A marker whose key is lost came with a copy of another phone: it is none of this install. */
    private fun marker(store: SecretStore, blobs: List<String>): Marker = try {
        if (MARKER in blobs && store.read(MARKER) != null) Marker.PRESENT else Marker.ABSENT
    } catch (_: IOException) {
        Marker.UNREADABLE
    }
}
