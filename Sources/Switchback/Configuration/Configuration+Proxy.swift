/// Whose word is taken for a client's address.
import HTTPWire

extension Configuration {
    package struct Proxy: Sendable {
        package enum Header: String, CaseIterable, Sendable {
            case none
            case xForwardedFor = "x-forwarded-for"
            /// RFC 7239.
            case forwarded
        }

        package let header: Header
        package let trusted: [IPAddress.Network]

        init(_ top: SettingScope) throws(SettingScope.Absent) {
            self.header = try top.need("proxy.header", SettingScope.choice)
            self.trusted = try top.need("proxy.trusted", SettingScope.list).compactMap { IPAddress.Network($0) }
        }
    }
}
