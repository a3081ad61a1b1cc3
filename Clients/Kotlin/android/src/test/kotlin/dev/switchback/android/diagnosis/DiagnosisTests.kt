package dev.switchback.android

import org.junit.Assert.assertEquals
import org.junit.Test

/** What `diagnose()` finds on a phone. */
class DiagnosisTests {
    private val chrome = PhoneBrowsers(listOf(InstalledBrowser("com.android.chrome")))
    private val host = "link.example.com"
    private val own = "com.example.shop"
    private val well = PhoneFacts(
        packageName = own, certificates = listOf("14AB"), returnHost = host, domainStates = mapOf(host to 2),
        isLinkHandlingAllowed = true, assetLinks = site(), browsers = chrome, packagesOfApps = listOf("dk.mitid.app.android"),
        queriedPackages = setOf("dk.mitid.app.android"), hasHardwareKey = true,
    )

    private fun site(
        relation: String = "delegate_permission/common.handle_all_urls", name: String = "com.example.shop",
        prints: String = "\"14:ab\"",
    ) = """[{"relation":["$relation"],"target":{"namespace":"android_app","package_name":"$name",
        "sha256_cert_fingerprints":[$prints]}}]"""

    private fun found(facts: PhoneFacts) = facts.diagnoses.map { it.toString() }

    @Test
    fun `a phone on which logins work has nothing to say`() {
        for (facts in listOf(
            well, well.copy(domainStates = null, isLinkHandlingAllowed = null, queriedPackages = null),
            well.copy(domainStates = mapOf(host to 1)), well.copy(domainStates = mapOf("LINK.example.com" to 2)),
            well.copy(hasHardwareKey = null),
            well.copy(certificates = listOf("ff", "14ab")), well.copy(assetLinks = site(prints = "\"00\", \"14:AB\"")),
            well.copy(packagesOfApps = emptyList()), PhoneFacts(browsers = chrome),
            well.copy(packagesOfApps = listOf(own)),
        )) {
            assertEquals(emptyList<String>(), found(facts))
        }
    }

    @Test
    fun `each thing that would break a login is named`() {
        for ((facts, expected) in listOf(
            well.copy(takesReturnLinks = false) to "return_filter_missing: $host",
            well.copy(domainStates = mapOf(host to 0)) to "app_link_not_verified: $host",
            well.copy(domainStates = emptyMap()) to "app_link_not_verified: $host",
            well.copy(isLinkHandlingAllowed = false) to "link_handling_off: $own",
            well.copy(assetLinks = null) to "site_unreadable: $host",
            well.copy(assetLinks = "<html>") to "app_not_listed: $own 14AB at $host",
            well.copy(assetLinks = "[]") to "app_not_listed: $own 14AB at $host",
            well.copy(assetLinks = site(relation = "other")) to "app_not_listed: $own 14AB at $host",
            well.copy(assetLinks = site(name = "com.example.other")) to "app_not_listed: $own 14AB at $host",
            well.copy(assetLinks = site(prints = "\"15:AB\"")) to "app_not_listed: $own 14AB at $host",
            well.copy(assetLinks = site(prints = "7")) to "app_not_listed: $own 14AB at $host",
            well.copy(browsers = PhoneBrowsers(emptyList())) to "no_suitable_browser: none",
            well.copy(browsers = PhoneBrowsers(listOf(InstalledBrowser("org.mozilla.firefox")))) to
                "no_suitable_browser: org.mozilla.firefox",
            well.copy(queriedPackages = emptySet()) to "query_missing: dk.mitid.app.android",
            well.copy(permissions = emptySet()) to "permission_missing: android.permission.INTERNET",
            well.copy(hasHardwareKey = false) to "no_hardware_key: software",
        )) {
            assertEquals(listOf(expected), found(facts))
        }
    }

    @Test
    fun `the worst is named first`() {
        val facts = PhoneFacts(
            packageName = own, returnHost = host, takesReturnLinks = false, isLinkHandlingAllowed = false,
            queriedPackages = emptySet(), packagesOfApps = listOf("b", "a", "a"), permissions = emptySet(),
            hasHardwareKey = false, domainStates = emptyMap(),
        )
        assertEquals(
            listOf(
                "permission_missing: android.permission.INTERNET", "return_filter_missing: $host", "link_handling_off: $own",
                "site_unreadable: $host", "no_suitable_browser: none", "query_missing: a", "query_missing: b",
                "no_hardware_key: software",
            ),
            found(facts),
        )
    }
}
