/// An app that may start logins.
import Logins

extension Configuration {
    package struct App: Sendable {
        package let id: String
        /// By language, at least one.
        package let names: [String: String]
        package let release: Release
        /// The `aud` of its assertions.
        package let audience: String
        package let returnPrefixes: [String]

        init(_ scope: SettingScope) throws(SettingScope.Absent) {
            self.id = scope.name
            self.names = try scope.need("name", SettingScope.names)
            self.audience = scope.text("audience") ?? scope.name
            self.returnPrefixes = try scope.need("return_prefixes", SettingScope.list)
            self.release = scope.release("release") ?? (self.returnPrefixes.isEmpty ? .code : .returnLink)
        }
    }
}

extension SettingScope {
    fileprivate func release(_ name: String) -> Release? {
        switch self.text(name) {
        case "immediate": .immediate
        case "return_link": .returnLink
        case "code": .code
        default: nil
        }
    }
}
