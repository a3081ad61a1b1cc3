/// Reads a configuration, or says everything that is wrong with it.
import Stores

extension Configuration {
    /// Throws when something is wrong, with everything that is.
    package init(_ source: Source) throws(Problems) {
        self = try Self.load(source).configuration
    }

    /// The configuration, the settings that it was made of, and what somebody should look at all the same.
    package static func load(
        _ source: Source
    ) throws(Problems) -> (configuration: Configuration, settings: EffectiveSettings, warnings: [Problem]) {
        let reading = ConfigurationReading(source)
        guard reading.isReadable else { throw Problems(reading.problems) }
        var problems = reading.problems
        let files = NamedFiles(reading.settings, source, &problems)
        problems += ConfigurationRules.problems(reading.settings, files, source.files)
        let found = Problems(problems)
        guard found.errors.isEmpty else { throw found }
        let configuration: Configuration
        do throws(SettingScope.Absent) {
            configuration = try Configuration(reading.settings, files)
        } catch {
            throw Problems([Problem(nil, error.path.description, "has no value")])
        }
        if let name = LinkFiles.tooLarge(AppLinks(configuration)) {
            throw Problems([Problem(nil, "apps", "\(name) would be larger than 128 KB, and phones would not read it")])
        }
        return (configuration, reading.settings, found.warnings)
    }

    /// The effective settings, with everything that could be read, and all problems.
    package static func settings(_ source: Source) -> (settings: EffectiveSettings, problems: Problems) {
        let reading = ConfigurationReading(source)
        return (reading.settings, Problems(reading.problems))
    }

    /// Where the database is, and what is wrong with the settings that say so; nothing else is looked at. Nil without a URL.
    package static func postgresql(_ source: Source) -> (settings: PostgresSettings?, problems: [Problem]) {
        let (settings, problems) = Self.settings(source)
        // A problem without a path is about the file as a whole.
        let own = problems.errors.filter { $0.path.isEmpty || $0.path.hasPrefix("postgresql") }
        return (own.isEmpty ? try? PostgresSettings(settings.top, source.files) : nil, own)
    }
}
