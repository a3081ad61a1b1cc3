package dev.switchback.android

import android.app.job.JobInfo
import android.app.job.JobParameters
import android.app.job.JobScheduler
import android.app.job.JobService
import android.content.ComponentName
import android.content.Context
import android.os.PersistableBundle
import dev.switchback.SessionClient
import dev.switchback.SwitchbackConfig
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch

/**
 * Tells the server of a sign-out when there is a network again. The system starts it, also when the app was killed.
 * After a restart of the phone the next start of the app does it.
 */
public class SwitchbackSignOutService : JobService() {
    private var scope: CoroutineScope? = null

    override fun onStartJob(params: JobParameters): Boolean {
        val server = params.extras.getString(SERVER) ?: return false
        val app = params.extras.getString(APP) ?: return false
        val name = params.extras.getString(NAME) ?: return false
        val running = CoroutineScope(SupervisorJob() + Dispatchers.IO).also { scope = it }
        running.launch {
            // What a session owes is sent as soon as there is a client for it.
            val config = PhoneConfig.fill(SwitchbackConfig(server, app), applicationContext)
            val session = SessionClient(config, KeystoreDeviceKeys(applicationContext), name)
            val outcome = session.use { OwedSignOut(it::owesSignOut, ::delay).run() }
            jobFinished(params, outcome == OwedSignOut.Outcome.AGAIN)
        }
        return true
    }

    /** The network is gone again. The job comes back. */
    override fun onStopJob(params: JobParameters): Boolean {
        scope?.cancel()
        return true
    }

    internal companion object {
        private const val SERVER = "server"
        private const val APP = "app"
        private const val NAME = "name"

        /** The app's own jobs have other numbers: the name of the library in ASCII, shortened. */
        private const val FIRST_JOB = 0x53776200

        /** Asks the system to start the job when there is a network. Nothing in it is secret. */
        fun schedule(context: Context, server: String, app: String, name: String) {
            val extras = PersistableBundle()
            extras.putString(SERVER, server)
            extras.putString(APP, app)
            extras.putString(NAME, name)
            val service = ComponentName(context, SwitchbackSignOutService::class.java)
            // A session of each name has a job of its own.
            val job = JobInfo.Builder(FIRST_JOB + (name.hashCode() and 0xff), service)
                .setRequiredNetworkType(JobInfo.NETWORK_TYPE_ANY).setExtras(extras).build()
            (context.getSystemService(Context.JOB_SCHEDULER_SERVICE) as? JobScheduler)?.schedule(job)
        }
    }
}

/**
 * The same as [Switchback.signOut], for a client of the app's own that keeps its session in an [AndroidSecretStore].
 *
 * @param name the client's
 */
public suspend fun SessionClient.signOut(
    context: Context, server: String, app: String, name: String = "session",
): Boolean {
    val told = signOut()
    if (!told) SwitchbackSignOutService.schedule(context.applicationContext, server, app, name)
    return told
}
