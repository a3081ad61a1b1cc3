package dev.switchback.android

import android.content.Context
import android.content.Intent
import android.content.pm.PackageInfo
import android.content.pm.PackageManager
import android.content.pm.verify.domain.DomainVerificationManager
import android.net.Uri
import android.os.Build
import dev.switchback.HttpEngine
import dev.switchback.HttpRequest
import java.io.IOException
import java.security.MessageDigest
import org.xmlpull.v1.XmlPullParser
import org.xmlpull.v1.XmlPullParserException

/** Reads what the app and the phone are, for `diagnose()`. */
internal class PhoneReader(private val context: Context, private val http: HttpEngine) {
    private val manager: PackageManager get() = context.packageManager

    /** Whether one of the packages is installed. Null if there is none to ask for. */
    fun isInstalled(packages: List<String>): Boolean? =
        if (packages.isEmpty()) null else packages.any { info(it, 0) != null }

    /** The host of the app's links: `switchbackHost` of its manifest placeholders. */
    val returnHost: String?
        get() {
            val name = context.packageName
            val values = attempt { manager.getApplicationInfo(name, PackageManager.GET_META_DATA) }?.metaData
            return values?.getString("dev.switchback.RETURN_HOST")?.takeIf { it.isNotEmpty() }
        }

    suspend fun facts(browsers: PhoneBrowsers, packagesOfApps: List<String>, hasHardwareKey: Boolean?): PhoneFacts {
        val name = context.packageName
        val host = returnHost
        val states = if (Build.VERSION.SDK_INT >= 31) {
            context.getSystemService(DomainVerificationManager::class.java)
                ?.let { attempt { it.getDomainVerificationUserState(name) } }
        } else {
            null
        }
        return PhoneFacts(
            packageName = name, certificates = certificates(name), returnHost = host,
            takesReturnLinks = host == null || takesLinks(name, host),
            domainStates = if (Build.VERSION.SDK_INT >= 31) states?.hostToStateMap else null,
            isLinkHandlingAllowed = if (Build.VERSION.SDK_INT >= 31) states?.isLinkHandlingAllowed else null,
            assetLinks = host?.let { site(it) }, browsers = browsers, packagesOfApps = packagesOfApps,
            queriedPackages = if (Build.VERSION.SDK_INT >= 30) queries(name) else null,
            permissions = info(name, PackageManager.GET_PERMISSIONS)?.requestedPermissions?.toSet().orEmpty(),
            hasHardwareKey = hasHardwareKey,
        )
    }

    private fun takesLinks(name: String, host: String): Boolean {
        val link = Intent(Intent.ACTION_VIEW, Uri.parse("https://$host${returnPath()}")).setPackage(name)
            .addCategory(Intent.CATEGORY_BROWSABLE)
        return manager.resolveActivity(link, 0) != null
    }

    private fun returnPath(): String {
        val values = attempt { manager.getApplicationInfo(context.packageName, PackageManager.GET_META_DATA) }?.metaData
        return values?.getString("dev.switchback.RETURN_PATH") ?: "/"
    }

    private suspend fun site(host: String): String? =
        try {
            val response = http.send(HttpRequest("GET", "https://$host/.well-known/assetlinks.json"))
            if (response.status == 200) String(response.body) else null
        } catch (_: IOException) {
            null
        }

    @Suppress("DEPRECATION")
    private fun certificates(name: String): List<String> {
        val signatures = if (Build.VERSION.SDK_INT >= 28) {
            val signing = info(name, PackageManager.GET_SIGNING_CERTIFICATES)?.signingInfo
            if (signing?.hasMultipleSigners() == true) signing.apkContentsSigners else signing?.signingCertificateHistory
        } else {
            info(name, PackageManager.GET_SIGNATURES)?.signatures
        }
        return signatures.orEmpty().filterNotNull().map { one ->
            MessageDigest.getInstance("SHA-256").digest(one.toByteArray()).joinToString("") { "%02X".format(it) }
        }
    }

    /** The packages in the `<queries>` of the app's own manifest. Null if it cannot be read. */
    private fun queries(name: String): Set<String>? =
        try {
            context.assets.openXmlResourceParser("AndroidManifest.xml").use { parser ->
                var isOwn = false
                var isInQueries = false
                val names = mutableSetOf<String>()
                while (parser.next() != XmlPullParser.END_DOCUMENT) {
                    when {
                        parser.name == "manifest" -> isOwn = isOwn || parser.getAttributeValue(null, "package") == name
                        parser.name == "queries" -> isInQueries = parser.eventType == XmlPullParser.START_TAG
                        isInQueries && parser.name == "package" -> {
                            parser.getAttributeValue("http://schemas.android.com/apk/res/android", "name")?.let(names::add)
                        }
                    }
                }
                names.takeIf { isOwn }
            }
        } catch (_: IOException) {
            null
        } catch (_: XmlPullParserException) {
            null
        }

    private fun info(name: String, flags: Int): PackageInfo? = attempt { manager.getPackageInfo(name, flags) }

    private fun <T> attempt(read: () -> T): T? =
        try {
            read()
        } catch (_: PackageManager.NameNotFoundException) {
            null
        }
}
