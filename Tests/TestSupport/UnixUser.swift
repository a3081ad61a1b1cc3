import Foundation

/// The user for starting servers that refuse to run as root.
package struct UnixUser: Sendable {
    private let name: String
    private let id: uid_t
    private let group: gid_t

    /// Nil when we are not root and need no other user.
    package static var unprivileged: UnixUser? {
        guard getuid() == 0 else { return nil }
        return ["postgres", "nobody"].lazy.compactMap { UnixUser($0) }.first
    }

    private init?(_ name: String) {
        guard let entry = getpwnam(name)?.pointee else { return nil }
        self.name = name
        self.id = entry.pw_uid
        self.group = entry.pw_gid
    }

    /// Changes the owner of files to this user.
    package func own(_ paths: String...) throws {
        for path in paths where chown(path, self.id, self.group) != 0 {
            throw MissingTool(description: "\(path) cannot be given to \(self.name)")
        }
    }

    /// Starts a program, as this user if there is one. It becomes the program, so a signal reaches the program.
    package static func start(
        _ path: String, _ arguments: [String], in folder: String, output: String? = nil
    ) throws -> ChildProcess {
        guard let user = Self.unprivileged else {
            return try ChildProcess(path: path, arguments, in: folder, output: output)
        }
        let words = ["--reuid", "\(user.id)", "--regid", "\(user.group)", "--clear-groups", path]
        return try ChildProcess(tool: "setpriv", words + arguments, in: folder, output: output)
    }
}
