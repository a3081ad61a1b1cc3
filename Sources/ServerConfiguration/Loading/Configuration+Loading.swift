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
        let reading = SettingsResolver(source)
        guard reading.isReadable else { throw ConfigurationError(reading.problems) }
        var problems = reading.problems
        let files = ReferencedFiles(reading.settings, source.files, now: source.now, &problems)
        problems += ConfigurationValidator.problems(reading.settings, files, source.files)
        let found = ConfigurationError(problems)
        guard found.errors.isEmpty else { throw found }
        let configuration: Configuration
        do throws(SettingScope.AbsentError) {
            configuration = try Configuration(reading.settings, files)
        } catch {
            throw ConfigurationError([Diagnostic(nil, error.path.description, "has no value")])
        }
        if let name = AppLinks(configuration).fileTooLargeForPhones {
            throw ConfigurationError([
                Diagnostic(
                    nil, "apps",
                    "\(name) would be larger than 128 KB, which phones do not read. Configure fewer app ids or return_prefixes"
                )
            ])
        }
        return (configuration, reading.settings, found.warnings)
    }

    /// Returns the effective settings as far as they could be read, and all problems.
    package static func settings(_ source: ConfigurationSource) -> (
        settings: EffectiveSettings, problems: ConfigurationError
    ) {
        let reading = SettingsResolver(source)
        return (reading.settings, ConfigurationError(reading.problems))
    }

    /// Returns the settings of the database, and what is wrong with them; it checks nothing else. They are nil without
    /// a URL.
    package static func postgresql(_ source: ConfigurationSource) -> (
        settings: PostgresSettings?, problems: [Diagnostic]
    ) {
        let (settings, problems) = Self.settings(source)
        // A problem without a path is about the file as a whole.
        let own = problems.errors.filter { $0.path.isEmpty || $0.path.hasPrefix("postgresql") }
        return (own.isEmpty ? try? PostgresSettings(settings.top, source.files) : nil, own)
    }
}
