package dev.switchback.android

import dev.switchback.Coded

/** Something that would break the first login on this phone. Decide by [kind], and print the rest. */
public class Diagnosis internal constructor(
    /** What is wrong. */
    public val kind: Kind,
    /** Where, such as a host or a package. */
    public val subject: String,
) {
    override fun equals(other: Any?): Boolean = other is Diagnosis && other.kind == kind && other.subject == subject

    override fun hashCode(): Int = 31 * kind.hashCode() + subject.hashCode()

    /** One line for a log. */
    override fun toString(): String = "${kind.code}: $subject"

    /** What is wrong. A later version may have more. */
    public class Kind private constructor(code: String) : Coded(code) {
        /** The kinds of this version. */
        public companion object {
            /** No activity of the app takes the links of the host (`subject`): set `switchbackHost`. */
            @JvmField
            public val ReturnFilterMissing: Kind = Kind("return_filter_missing")

            /** Android has not verified the app's links of the host (`subject`), so that a browser opens them. */
            @JvmField
            public val AppLinkNotVerified: Kind = Kind("app_link_not_verified")

            /** The user, or the phone's maker, has switched off that the app (`subject`) opens links. */
            @JvmField
            public val LinkHandlingOff: Kind = Kind("link_handling_off")

            /** The host's `assetlinks.json` does not list the app with the certificate that signed it (`subject`). */
            @JvmField
            public val AppNotListed: Kind = Kind("app_not_listed")

            /** The host's `assetlinks.json` cannot be read (`subject` is the host). */
            @JvmField
            public val SiteUnreadable: Kind = Kind("site_unreadable")

            /** No browser of which e-IDs say that it works is installed (`subject` has those that are). */
            @JvmField
            public val NoSuitableBrowser: Kind = Kind("no_suitable_browser")

            /** The manifest's `<queries>` lacks a package (`subject`), so that the e-ID's app is never found. */
            @JvmField
            public val QueryMissing: Kind = Kind("query_missing")

            /** The manifest lacks a permission (`subject`). */
            @JvmField
            public val PermissionMissing: Kind = Kind("permission_missing")

            /** Keys of this phone are in no hardware, so sessions are less safe. `subject` says what it has. */
            @JvmField
            public val NoHardwareKey: Kind = Kind("no_hardware_key")

            /** The server did not say which providers there are (`subject` is the error). */
            @JvmField
            public val ProvidersUnknown: Kind = Kind("providers_unknown")
        }
    }
}
