/// A peer that we believe when it names its client: `10.0.0.0/8`, `fd00::1`, or `unix`.
package enum TrustedPeer: Hashable, Sendable, CustomStringConvertible {
    case network(IPAddress.Network)
    /// The program at the other end of a Unix socket. The file's permissions decide which program that can be.
    case unix

    private static let unixName = "unix"

    package init?(_ text: String) {
        if text == Self.unixName {
            self = .unix
        } else {
            guard let network = IPAddress.Network(text) else { return nil }
            self = .network(network)
        }
    }

    /// A peer without an address is at the other end of a Unix socket.
    package func contains(_ peer: IPAddress?) -> Bool {
        switch self {
        case .network(let network): peer.map { network.contains($0) } ?? false
        case .unix: peer == nil
        }
    }

    package var description: String {
        switch self {
        case .network(let network): network.description
        case .unix: Self.unixName
        }
    }
}
