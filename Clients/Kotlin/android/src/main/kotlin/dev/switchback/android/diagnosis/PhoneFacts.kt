package dev.switchback.android

import dev.switchback.JsonValue

/** What the app and the phone are, as far as the app can see: what `diagnose()` compares with the server. */
internal data class PhoneFacts(
    val packageName: String = "",
    /** The SHA-256 of each certificate that signed the app, in hexadecimal digits without colons. */
    val certificates: List<String> = emptyList(),
    /** The host of the app's https links; null if it has none. */
    val returnHost: String? = null,
    /** Whether an activity of the app takes a link of that host. */
    val takesReturnLinks: Boolean = true,
    /** What Android says about each host of the app's links (`DomainVerificationUserState`); null before Android 12. */
    val domainStates: Map<String, Int>? = null,
    /** Whether the app may open links at all; null before Android 12. */
    val isLinkHandlingAllowed: Boolean? = null,
    /** What the host's `assetlinks.json` is. Null if it cannot be read. */
    val assetLinks: String? = null,
    val browsers: PhoneBrowsers = PhoneBrowsers(emptyList()),
    /** The packages of the e-IDs' apps, as the server names them. */
    val packagesOfApps: List<String> = emptyList(),
    /** The packages in the manifest's `<queries>`. Null if it cannot be read, or Android does not ask (before 11). */
    val queriedPackages: Set<String>? = null,
    val permissions: Set<String> = setOf(INTERNET),
    /** Whether this phone keeps keys in hardware. Null if that is not known, or there are no sessions. */
    val hasHardwareKey: Boolean? = null,
) {
    /** Everything that would break a login, the worst first. */
    val diagnoses: List<Diagnosis>
        get() = buildList {
            if (INTERNET !in permissions) add(Diagnosis(Diagnosis.Kind.PermissionMissing, INTERNET))
            if (returnHost != null) addAll(diagnosesOfLinks(returnHost))
            if (BrowserOpening.PREFERRED.none { browsers[it] != null }) {
                val names = browsers.installed.map { it.packageName }.sorted().joinToString(" ").ifEmpty { "none" }
                add(Diagnosis(Diagnosis.Kind.NoSuitableBrowser, names))
            }
            if (queriedPackages != null) {
                (packagesOfApps.toSortedSet() - queriedPackages - packageName).forEach {
                    add(Diagnosis(Diagnosis.Kind.QueryMissing, it))
                }
            }
            if (hasHardwareKey == false) add(Diagnosis(Diagnosis.Kind.NoHardwareKey, "software"))
        }

    private fun diagnosesOfLinks(host: String): List<Diagnosis> = buildList {
        if (!takesReturnLinks) add(Diagnosis(Diagnosis.Kind.ReturnFilterMissing, host))
        if (isLinkHandlingAllowed == false) add(Diagnosis(Diagnosis.Kind.LinkHandlingOff, packageName))
        val state = domainStates?.entries?.firstOrNull { it.key.equals(host, ignoreCase = true) }?.value
        if (domainStates != null && takesReturnLinks && state != VERIFIED && state != SELECTED) {
            add(Diagnosis(Diagnosis.Kind.AppLinkNotVerified, host))
        }
        when {
            assetLinks == null -> add(Diagnosis(Diagnosis.Kind.SiteUnreadable, host))
            !isListed(assetLinks) -> {
                add(Diagnosis(Diagnosis.Kind.AppNotListed, "$packageName ${certificates.firstOrNull().orEmpty()} at $host"))
            }
        }
    }

    /** Whether the site lists the app with one of its certificates. */
    private fun isListed(file: String): Boolean {
        val own = certificates.map(::plain)
        return JsonValue.parse(file.toByteArray())?.elements.orEmpty().any { statement ->
            val target = statement["target"]
            HANDLE_ALL in texts(statement["relation"]) && target?.get("package_name")?.string == packageName &&
                texts(target["sha256_cert_fingerprints"]).any { plain(it) in own }
        }
    }

    private fun texts(json: JsonValue?) = json?.elements.orEmpty().mapNotNull { it.string }

    private fun plain(fingerprint: String) = fingerprint.filter { it != ':' }.uppercase()

    companion object {
        const val INTERNET = "android.permission.INTERNET"

        /** The values of `DomainVerificationUserState.DOMAIN_STATE_SELECTED` and `DOMAIN_STATE_VERIFIED`. */
        const val SELECTED = 1
        const val VERIFIED = 2
        private const val HANDLE_ALL = "delegate_permission/common.handle_all_urls"
    }
}
