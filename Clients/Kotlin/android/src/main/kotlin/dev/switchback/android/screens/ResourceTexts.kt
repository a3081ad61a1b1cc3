package dev.switchback.android

import android.content.Context
import android.content.res.Configuration
import java.util.Locale

/**
 * The texts of the screens in the resources. An app replaces one by a string of the same name, such as
 * `switchback_paused_text`, in its own.
 */
internal class ResourceTexts(context: Context, optIn: Set<String> = emptySet()) : ScreenTexts {
    private val resources = run {
        val locales = context.resources.configuration.locales
        val tag = LanguageChoice.tag(List(locales.size()) { locales[it].toLanguageTag() }, optIn)
        val configuration = Configuration(context.resources.configuration)
        configuration.setLocale(Locale.forLanguageTag(tag))
        context.createConfigurationContext(configuration).resources
    }

    override fun get(text: ScreenText): String = resources.getString(text.resource)
}
