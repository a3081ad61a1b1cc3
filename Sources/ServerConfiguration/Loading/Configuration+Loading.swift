// Reads a configuration, or reports all of its errors.

import Links
import Stores

extension Configuration {
    /// Throws all errors at once.
    package init(_ source: ConfigurationSource) throws(ConfigurationError) {
        self = try Self.load(source).configuration
    }

    /// Returns the configuration, its settings, and the warnings.
    package static func load(
        _ source: ConfigurationSource
    ) throws(ConfigurationError) -> (configuration: Configuration, settings: EffectiveSettings, warnings: [Diagnostic])
    {
        let resolver = SettingsResolver(source)
        guard resolver.isReadable else { throw ConfigurationError(resolver.problems) }
        // Otherwise every setting that must be there would be missing.
        guard !resolver.isEmpty else {
            let message = "has no settings. `switchback init FOLDER` writes a configuration to start from"
            throw ConfigurationError([Diagnostic(.file(source.name, line: nil), "", message)])
        }
        var problems = resolver.problems
        let files = ReferencedFiles(resolver.settings, source.files, now: source.now, &problems)
        problems += ConfigurationValidator.problems(resolver.settings, files, source.files)
        let configurationError = ConfigurationError(problems)
        guard configurationError.errors.isEmpty else { throw configurationError }
        let configuration = Configuration(resolver.settings, files)
        if let name = AppLinks(configuration).fileTooLargeForPhones {
            throw ConfigurationError([
                Diagnostic(
                    nil, "apps",
                    "\(name) would be larger than 128 KB, which phones do not read. Configure fewer app ids or return_prefixes"
                )
            ])
        }
        return (configuration, resolver.settings, configurationError.warnings)
    }

    /// Returns the effective settings as far as they could be read, and all problems.
    package static func settings(_ source: ConfigurationSource) -> (
        settings: EffectiveSettings, problems: ConfigurationError
    ) {
        let resolver = SettingsResolver(source)
        return (resolver.settings, ConfigurationError(resolver.problems))
    }

    /// Returns the settings of the database, and what is wrong with them; it checks nothing else. They are nil without
    /// a URL.
    package static func postgresql(_ source: ConfigurationSource) -> (
        settings: PostgresSettings?, problems: [Diagnostic]
    ) {
        let (settings, problems) = Self.settings(source)
        // A problem without a path is about the file as a whole.
        let own = problems.errors.filter { $0.path.isEmpty || $0.path.hasPrefix("postgresql") }
        return (own.isEmpty ? PostgresSettings(settings, source.files) : nil, own)
    }
}
