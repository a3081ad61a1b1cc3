import Base
import HTTPServer
import ServerConfiguration

/// Whether this machine has the addresses to listen on.
package enum ListenReport {
    /// Returns a warning for each address that this machine does not have, and for the missing folder of a socket. It
    /// is no error, because the file may be for another machine. The ports are left alone: a server may use them.
    package static func warnings(_ configuration: Configuration) -> [Diagnostic] {
        [("listen", configuration.listen), ("operations_listen", configuration.operationsListen)].compactMap {
            setting, listen in
            self.obstacle(listen).map { Diagnostic(nil, setting, "\($0). A server does not start here", .warning) }
        }
    }

    private static func obstacle(_ listen: ListenAddress) -> OperatorError? {
        switch listen {
        case .unix(let path):
            let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
            return folder.isEmpty || SystemFile.isFolder(String(folder)) ? nil : .noFolder(listen)
        case .tcp(let host, _):
            do throws(OperatorError) {
                try ListenAddress.tcp(host, port: 0).checkIsFree()
                return nil
            } catch {
                let missing = OperatorError.noSuchAddress(.tcp(host, port: 0))
                return error == missing ? .noSuchAddress(listen) : nil
            }
        }
    }
}
