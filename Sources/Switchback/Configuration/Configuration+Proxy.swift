/// Whose word is taken for a client's address.
import HTTPWire

extension Configuration {
    package struct Proxy: Sendable {
        package enum Header: String, CaseIterable, Sendable {
            case none
            case xForwardedFor = "x-forwarded-for"
            /// RFC 7239.
            case forwarded
            /// HAProxy's PROXY protocol: before the requests, not in them.
            case proxy
        }

        package let header: Header
        package let trusted: [IPAddress.Network]

        /// Who begins each connection with a PROXY header; nil when nobody does.
        package var speakers: [IPAddress.Network]? { self.header == .proxy ? self.trusted : nil }

        init(_ top: SettingScope) throws(SettingScope.Absent) {
            self.header = try top.need("proxy.header", SettingScope.choice)
            self.trusted = try top.need("proxy.trusted", SettingScope.list).compactMap { IPAddress.Network($0) }
        }
    }
}
