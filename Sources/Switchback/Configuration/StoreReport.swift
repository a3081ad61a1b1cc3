/// Where logins will be kept, as `switchback check` prints it.
import Stores

package enum StoreReport {
    package static func text(_ configuration: Configuration) -> String {
        switch configuration.store {
        case .memory: return "Store memory:\n  logins end with the process\n"
        case .sqlite:
            let path = configuration.sqlitePath
            let lines = ["Store sqlite:", "  file: \(path)"]
            let obstacle = SQLiteFiles.obstacle(path).map { ["  warning: as this user \($0)"] } ?? []
            return (lines + obstacle).joined(separator: "\n") + "\n"
        }
    }
}
