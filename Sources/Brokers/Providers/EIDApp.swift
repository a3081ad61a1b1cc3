/// How an app finds out whether an e-ID's own app is on the same phone.
package struct EIDApp: Equatable, Sendable {
    /// Android: `PackageManager.getPackageInfo` finds it, if the manifest's `<queries>` name it (Android 11).
    package let androidPackages: [String]
    /// iOS: `canOpenURL` returns true, if `LSApplicationQueriesSchemes` names the scheme.
    package let iosProbeLinks: [String]
    /// Android: the browsers that the e-ID works in; empty if all do.
    package let androidBrowsers: [String]

    package init(androidPackages: [String] = [], iosProbeLinks: [String] = [], androidBrowsers: [String] = []) {
        self.androidPackages = androidPackages
        self.iosProbeLinks = iosProbeLinks
        self.androidBrowsers = androidBrowsers
    }

    /// What the e-IDs' own documentation says, by e-ID (`docs/how-to/browsers.md` has the sources).
    ///
    /// MitID has no scheme of its own, and since 2023 shows its button even without its app.
    package static let known: [String: EIDApp] = [
        "mitid": EIDApp(
            androidPackages: ["dk.mitid.app.android"],
            androidBrowsers: ["com.android.chrome", "com.sec.android.app.sbrowser"]),
        "se_bankid": EIDApp(androidPackages: ["com.bankid.bus"], iosProbeLinks: ["bankid:///"]),
        // Vipps in Norway and Sweden, MobilePay in Denmark and in Finland. One of them is enough.
        "vipps": EIDApp(
            androidPackages: ["no.dnb.vipps", "dk.danskebank.mobilepay", "fi.danskebank.mobilepay"],
            iosProbeLinks: ["vipps://", "mobilepay://", "mobilepayfi://"]),
        "digid": EIDApp(androidPackages: ["nl.rijksoverheid.digid.pub"], iosProbeLinks: ["digid://"]),
        "freja": EIDApp(iosProbeLinks: ["frejaeid://"]),
    ]
}
