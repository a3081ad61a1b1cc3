/// The host of a URL that somebody typed.
enum URLHost {
    /// Returns the host in lower case; empty if there is none.
    static func of(_ url: String) -> String {
        let authority = url.drop { $0 != "/" }.drop { $0 == "/" }
        return authority.prefix { $0 != ":" && $0 != "/" }.lowercased()
    }
}
