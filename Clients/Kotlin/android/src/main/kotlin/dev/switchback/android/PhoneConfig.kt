package dev.switchback.android

import android.content.Context
import android.os.Build
import android.os.SystemClock
import dev.switchback.Clock
import dev.switchback.SwitchbackConfig

/** What the phone knows, for a configuration that leaves it out. */
internal object PhoneConfig {
    /** Fills in what [config] leaves out, and returns it. */
    fun fill(config: SwitchbackConfig, application: Context): SwitchbackConfig = config.apply {
        if (store == null) store = AndroidSecretStore(application)
        if (clock === Clock.System) clock = PhoneClock
        system = "android ${Build.VERSION.RELEASE}"
        appId = application.packageName
        appVersion = application.packageManager.getPackageInfo(application.packageName, 0).versionName
        val locales = application.resources.configuration.locales
        languages = { List(locales.size()) { locales[it].toLanguageTag() } }
        callbacks = MainThread.dispatcher
    }

    private object PhoneClock : Clock {
        override fun monotonicMillis(): Long = SystemClock.elapsedRealtime()

        override fun wallMillis(): Long = System.currentTimeMillis()
    }
}
