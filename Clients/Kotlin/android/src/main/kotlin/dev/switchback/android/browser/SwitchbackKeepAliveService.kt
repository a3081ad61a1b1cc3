package dev.switchback.android

import android.app.Service
import android.content.Intent
import android.os.Binder
import android.os.IBinder

/**
 * A browser binds to it while it shows a login's tab, so that Android does not end the app behind it. It does nothing,
 * and takes nothing from whoever binds.
 */
public class SwitchbackKeepAliveService : Service() {
    override fun onBind(intent: Intent?): IBinder = Binder()
}
