package dev.switchback.android

import android.content.ComponentName
import android.content.Context
import android.content.Intent
import android.net.Uri
import androidx.browser.customtabs.CustomTabsClient
import androidx.browser.customtabs.CustomTabsServiceConnection
import androidx.browser.customtabs.CustomTabsSession

/** The browsers of the phone, and a connection to the one that logins use, so that it is warm when a tab opens. */
internal class BrowserConnection(private val context: Context) {
    /** Whether the system could not verify the host of a callback, so that logins use Custom Tabs from now on. */
    var authTabFails = false
    private var boundTo: String? = null
    private var session: CustomTabsSession? = null
    private var connection: CustomTabsServiceConnection? = null

    /** Asks the phone for its browsers. */
    fun browsers(): PhoneBrowsers {
        val manager = context.packageManager
        val page = Intent(Intent.ACTION_VIEW, Uri.parse("https://example.com")).addCategory(Intent.CATEGORY_BROWSABLE)
        val default = manager.resolveActivity(page, 0)?.activityInfo?.packageName
        val services = manager.queryIntentServices(Intent("android.support.customtabs.action.CustomTabsService"), 0)
        val names = services.mapNotNull { it.serviceInfo?.packageName }.distinct()
        return PhoneBrowsers(
            names.map { name ->
                InstalledBrowser(
                    name, CustomTabsClient.isAuthTabSupported(context, name),
                    CustomTabsClient.isEphemeralBrowsingSupported(context, name),
                )
            },
            default,
        )
    }

    /** Begins to warm a browser up. Another one that was warm is let go. */
    fun warmUp(packageName: String?) {
        if (packageName == null || packageName == boundTo) return
        close()
        val made = object : CustomTabsServiceConnection() {
            override fun onCustomTabsServiceConnected(name: ComponentName, client: CustomTabsClient) {
                client.warmup(0)
                session = client.newSession(null)
            }

            override fun onServiceDisconnected(name: ComponentName?) {
                session = null
            }
        }
        val isBound = try {
            CustomTabsClient.bindCustomTabsService(context, packageName, made)
        } catch (_: SecurityException) {
            false
        }
        if (isBound) {
            boundTo = packageName
            connection = made
        }
    }

    /** The session with this browser, for a tab. Null if it is not connected. */
    fun session(packageName: String?): CustomTabsSession? = session.takeIf { packageName == boundTo }

    /** Lets the browser go, when no login is under way. */
    fun close() {
        connection?.let { context.unbindService(it) }
        connection = null
        session = null
        boundTo = null
    }
}
