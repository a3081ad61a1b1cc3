/// What is logged, and in which shape.
import Logging

extension Configuration {
    package struct Log: Sendable {
        package enum Format: String, CaseIterable, Sendable {
            /// Text on a terminal, JSON else.
            case auto
            case text
            case json
        }

        static let levels = Logger.Level.allCases.map(\.rawValue)

        package let level: Logger.Level
        package let format: Format

        init(_ top: SettingScope) throws(SettingScope.Absent) {
            self.level = try top.need("log.level", SettingScope.choice)
            self.format = try top.need("log.format", SettingScope.choice)
        }
    }
}
