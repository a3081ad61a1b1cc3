/// By what an app sees whether an e-ID's own app is on the same phone.
package struct EIDApp: Equatable, Sendable {
    /// Android: `PackageManager.getPackageInfo` knows it, if the manifest's `<queries>` name it (Android 11).
    package let androidPackages: [String]
    /// iOS: `canOpenURL` says yes, if `LSApplicationQueriesSchemes` names the scheme.
    package let iosProbeLinks: [String]
    /// Android: the browsers that the e-ID works in; empty when all do.
    package let androidBrowsers: [String]

    package init(androidPackages: [String] = [], iosProbeLinks: [String] = [], androidBrowsers: [String] = []) {
        self.androidPackages = androidPackages
        self.iosProbeLinks = iosProbeLinks
        self.androidBrowsers = androidBrowsers
    }

    /// What the e-IDs' own documentation says, by the name of the e-ID (`docs/links-and-browsers.md` has the sources).
    ///
    /// MitID has no scheme of its own, and since 2023 shows its button whether its app is there or not.
    package static let known: [String: EIDApp] = [
        "mitid": EIDApp(
            androidPackages: ["dk.mitid.app.android"],
            androidBrowsers: ["com.android.chrome", "com.sec.android.app.sbrowser"]),
        "se_bankid": EIDApp(androidPackages: ["com.bankid.bus"], iosProbeLinks: ["bankid:///"]),
        "vipps": EIDApp(androidPackages: ["no.dnb.vipps"], iosProbeLinks: ["vipps://"]),
        "digid": EIDApp(androidPackages: ["nl.rijksoverheid.digid.pub"], iosProbeLinks: ["digid://"]),
        "freja": EIDApp(iosProbeLinks: ["frejaeid://"]),
    ]
}
