/// A store that the server under test is told to use, in a folder that goes with the run.

enum ServedStore: String, CaseIterable {
    case memory, sqlite

    func settings(in folder: String) -> String {
        switch self {
        case .memory: "store: memory"
        case .sqlite: "store: sqlite\nsqlite: {path: \(folder)/switchback.db}"
        }
    }
}
