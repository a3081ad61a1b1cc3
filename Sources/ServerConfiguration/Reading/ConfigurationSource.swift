import Base

/// The sources of a configuration: a file, variables, flags, and access to the files that they name.
package struct ConfigurationSource: Sendable {
    /// A setting that was given on the command line.
    package struct Flag: Sendable {
        package let name: String
        package let path: SettingPath
        package let value: String

        /// `Flag("--listen", "listen", "127.0.0.1:80")`
        package init(_ name: String, _ path: String, _ value: String) {
            self.name = name
            self.path = SettingPath(path)
            self.value = value
        }
    }

    /// The file's name in messages.
    package let name: String
    package let yaml: [UInt8]
    package var environment: [String: String]
    package var flags: [Flag]
    package var files: FileAccess
    /// The present time: a key becomes active at the time in its file.
    package var now: Timestamp

    package init(
        name: String, yaml: [UInt8], environment: [String: String] = [:], flags: [Flag] = [],
        files: FileAccess = .system, now: Timestamp = WallClock.now()
    ) {
        self.name = name
        self.yaml = yaml
        self.environment = environment
        self.flags = flags
        self.files = files
        self.now = now
    }
}
