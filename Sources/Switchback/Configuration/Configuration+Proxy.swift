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
        package let trusted: [TrustedPeer]

        /// Who begins each connection with a PROXY header; nil when nobody does.
        package var speakers: [TrustedPeer]? { self.header == .proxy ? self.trusted : nil }

        /// Whether clients are known that come by a Unix socket, where the peer has no address.
        package var namesClientsOfUnixSockets: Bool { self.header != .none && self.trusted.contains(.unix) }

        init(_ top: SettingScope) throws(SettingScope.Absent) {
            self.header = try top.need("proxy.header", SettingScope.choice)
            self.trusted = try top.need("proxy.trusted", SettingScope.list).compactMap { TrustedPeer($0) }
        }
    }
}
