import ConfigurationSamples
import HTTPServer
import Sessions
import Testing

@testable import ServerConfiguration

/// Tests that a setting of a group is declared once: its default has its type, and it fills what it names.
@Suite struct SettingGroupTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let setting: any DeclaredSetting

        var testDescription: String { self.setting.row.pattern.description }
    }

    static let groups: [any SettingGroup] = [
        ServerSettings.declared, PollSettings.declared, ProxySettings.declared, LogSettings.declared,
        CertificateSettings.declared, PostgreSQLSettings.declared, LimitSettings.declared,
        SessionSettings.declared, AttestationSettings.declared, AppSettings.declared, LookSettings.declared,
        CommonBrokerSettings.declared, NamespaceSettings.declared, CommonProviderSettings.declared,
    ]
    static let rows = groups.flatMap(\.settings).map { Row(setting: $0) }

    /// `configuration.sessions.idle` has no value for any other.
    @Test(arguments: rows) func `a configuration without the setting can read it, unless it is required`(_ row: Row) {
        let setting = row.setting
        switch setting.row.presence {
        case .value(let value):
            #expect(setting.isReadable(value))
            #expect(!setting.isReadable(nil))
        case .optional: #expect(setting.isReadable(nil))
        case .required: #expect(!setting.isReadable(nil))
        }
    }

    @Test(arguments: rows) func `a value of another kind is not read`(_ row: Row) {
        let isNames = if case .names = row.setting.row.kind { true } else { false }
        #expect(!row.setting.isReadable(isNames ? .boolean(true) : .names(["en": "A name"])))
    }

    @Test func `every property of a group is a setting of the table`() {
        let table = Set(SettingTable.all.map(\.pattern))
        for group in Self.groups {
            #expect(group.settings.count >= Mirror(reflecting: group).children.count)
            for setting in group.settings { #expect(table.contains(setting.row.pattern)) }
        }
    }

    @Test func `an owner has the defaults of its settings`() throws {
        let configuration = try Configuration(SampleConfiguration.source())
        #expect(configuration.sessions.filled(SessionRules.self) == SessionRules())
        let (limits, usual) = (configuration.limits.filled(ServerLimits.self), ServerLimits())
        #expect((limits.idleTime, limits.connections) == (usual.idleTime, usual.connections))
    }
}
