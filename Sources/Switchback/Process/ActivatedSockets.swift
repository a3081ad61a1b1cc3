import Base
import Glibc
import HTTPServer
import ServerConfiguration

/// The listening sockets that systemd opened for us (sd_listen_fds(3)). They are identified by their names, `app` and
/// `operations`, or else by that order.
package struct ActivatedSockets: Sendable {
    enum Place: String, CaseIterable {
        case app, operations
    }

    /// The first descriptor after standard input, output and error.
    private static let first: Int32 = 3
    private static let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]

    let app: InheritedSocket?
    let operations: InheritedSocket?

    /// No inherited sockets: the server opens its own.
    package init() {
        self.app = nil
        self.operations = nil
    }

    /// Throws if clients would connect through a Unix socket and nothing tells their addresses.
    func check(_ proxy: SettingValues<ProxySettings>) throws(OperatorError) {
        guard let place = self.app?.place, place.path != nil, !proxy.namesClientsOfUnixSockets else { return }
        throw OperatorError(
            "LISTEN_FDS: \(place) is a Unix socket, where no client has an address. Set proxy.header to what the proxy sends, and name unix in proxy.trusted"
        )
    }

    /// Returns the sockets of this process. It removes the variables, so that child processes do not use them.
    package static func take(_ variables: [String: String]) throws(OperatorError) -> ActivatedSockets {
        for name in Self.variables { unsetenv(name) }
        return try ActivatedSockets(places: Self.places(variables, process: getpid()))
    }

    private init(places: [Place: Int32]) throws(OperatorError) {
        self.app = try Self.socket(.app, places)
        self.operations = try Self.socket(.operations, places)
    }

    private static func socket(_ place: Place, _ places: [Place: Int32]) throws(OperatorError) -> InheritedSocket? {
        guard let descriptor = places[place] else { return nil }
        guard let socket = InheritedSocket(descriptor: descriptor) else {
            throw OperatorError(
                "LISTEN_FDS: descriptor \(descriptor), for \(place.rawValue), is not a listening TCP socket or a Unix socket with a path"
            )
        }
        return socket
    }

    /// Assigns the descriptors to their places. Variables with another LISTEN_PID are for our parent process, so we
    /// ignore them.
    static func places(_ variables: [String: String], process: pid_t) throws(OperatorError) -> [Place: Int32] {
        guard variables["LISTEN_PID"] == "\(process)", let text = variables["LISTEN_FDS"] else { return [:] }
        guard let count = Int(text), count >= 0 else {
            throw OperatorError("LISTEN_FDS must be a number, not \"\(text)\"")
        }
        guard count <= Place.allCases.count else {
            throw OperatorError("LISTEN_FDS: \(count) sockets for only two names, app and operations")
        }
        let names = (variables["LISTEN_FDNAMES"] ?? "").split(separator: ":", omittingEmptySubsequences: false)
        let places = names.compactMap { Place(rawValue: String($0)) }
        guard !places.isEmpty else { return Self.numbered(Place.allCases.prefix(count)) }
        guard names.count == count else {
            throw OperatorError("LISTEN_FDNAMES has \(names.count) names for \(count) sockets")
        }
        guard places.count == count, Set(places).count == count else {
            throw OperatorError(
                "LISTEN_FDNAMES must name app and operations, each once, not \(names.joined(separator: ":"))")
        }
        return Self.numbered(places[...])
    }

    private static func numbered(_ places: ArraySlice<Place>) -> [Place: Int32] {
        Dictionary(uniqueKeysWithValues: zip(places, Self.first...))
    }
}
