/// What the beginning of a link that opens an app says about the link.
package enum ReturnPrefix {
    /// Whether it is a link of the web. `check` allows http only for loopback addresses and in a sandbox.
    package static func isWebLink(_ prefix: String) -> Bool {
        prefix.hasPrefix("https://") || prefix.hasPrefix("http://")
    }

    /// Returns `com.example.app` for `com.example.app:/r/`.
    package static func scheme(of prefix: String) -> String? {
        prefix.firstIndex(of: ":").map { String(prefix[..<$0]) }
    }
}
