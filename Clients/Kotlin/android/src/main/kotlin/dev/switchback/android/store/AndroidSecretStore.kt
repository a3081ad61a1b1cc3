package dev.switchback.android

import android.content.Context
import dev.switchback.FileSecretStore
import dev.switchback.SecretStore
import java.io.File

/**
 * Keeps secrets in files of the app that no backup has, encrypted by a key of the Keystore.
 *
 * What cannot be decrypted any more is gone. The app's data on another phone, or of an earlier install, is never used.
 */
public class AndroidSecretStore(context: Context) : SecretStore {
    // Not at once: the Keystore may take long, and an app makes this on its main thread.
    private val sealed: SecretStore by lazy {
        val application = context.applicationContext
        val folder = File(application.noBackupFilesDir, "switchback")
        val (keys, lock) = AndroidKeystore(application) to StoreLock(File(folder, ".lock"))
        SealedSecretStore(FileSecretStore(folder), keys, KeystoreTries(AndroidKeystore.Facts), lock)
            .also { FirstStart.clean(it, keys, lock, AndroidKeystore.PREFIX) }
    }

    override fun read(name: String): ByteArray? = sealed.read(name)

    override fun replace(name: String, bytes: ByteArray): Unit = sealed.replace(name, bytes)

    override fun delete(name: String): Unit = sealed.delete(name)

    override fun names(): List<String> = sealed.names().filter { it != FirstStart.MARKER }
}
