import Base

/// Loads the configuration of one command line, each time anew: the file, and the files that it names, may have
/// changed.
package struct ConfigurationLoader: Sendable {
    package struct Loaded: Sendable {
        package let configuration: Configuration
        package let warnings: [Diagnostic]
        package let settings: EffectiveSettings
    }

    /// The result of loading, and the files that were read for it.
    package struct LoadResult: Sendable {
        package let outcome: Result<Loaded, ConfigurationError>
        package let files: FileDigests
    }

    /// The path of the file, which is also its name in messages.
    package let path: String
    private let environment: [String: String]
    private let flags: [ConfigurationSource.Flag]
    private let files: FileAccess
    private let now: @Sendable () -> Timestamp

    package init(
        path: String, environment: [String: String], flags: [ConfigurationSource.Flag] = [],
        files: FileAccess = .system, now: @escaping @Sendable () -> Timestamp = WallClock.now
    ) {
        self.path = path
        self.environment = environment
        self.flags = flags
        self.files = files
        self.now = now
    }

    package func load() -> LoadResult {
        let recorder = FileDigests.Recorder(self.files)
        let outcome: Result<Loaded, ConfigurationError>
        do throws(ConfigurationError) {
            let (configuration, settings, warnings) = try Configuration.load(try self.source(recorder.access))
            outcome = .success(Loaded(configuration: configuration, warnings: warnings, settings: settings))
        } catch {
            outcome = .failure(error)
        }
        return LoadResult(outcome: outcome, files: recorder.digest)
    }

    /// The settings as far as they can be read, also of a configuration with problems.
    package var settings: EffectiveSettings {
        let source =
            (try? self.source(self.files))
            ?? ConfigurationSource(name: self.path, yaml: [], environment: self.environment, flags: self.flags)
        return Configuration.settings(source).settings
    }

    /// Returns the digests of the files of `attempt` as they are now.
    package func reread(_ attempt: LoadResult) -> FileDigests { attempt.files.reread(self.files) }

    private func source(_ files: FileAccess) throws(ConfigurationError) -> ConfigurationSource {
        do throws(FileError) {
            return ConfigurationSource(
                name: self.path, yaml: try files.read(self.path), environment: self.environment, flags: self.flags,
                files: files, now: self.now())
        } catch {
            throw ConfigurationError([Diagnostic(.file(self.path, line: nil), "", error.message)])
        }
    }
}
