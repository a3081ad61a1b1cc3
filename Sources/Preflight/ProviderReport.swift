import ServerConfiguration

/// The providers that are switched off, as `switchback check` prints them.
package enum ProviderReport {
    /// Empty if all are on.
    package static func text(_ configuration: Configuration) -> String {
        let lines = configuration.providers.filter { !$0.isEnabled }.map { provider in
            let notices = provider.notices.sorted { $0.key < $1.key }.map { "\($0.key) \"\($0.value)\"" }
            let words = notices.isEmpty ? "users are told so in their language" : notices.joined(separator: ", ")
            return "  \(provider.id): \(words)"
        }
        return lines.isEmpty ? "" : (["Providers that are switched off:"] + lines).joined(separator: "\n") + "\n\n"
    }
}
