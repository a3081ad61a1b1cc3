import CBuild

/// The version of this server.
package enum ServerVersion {
    package static let text = "0.1.0"

    /// The commit that it was built from: `swift build -Xcc -DSWITCHBACK_COMMIT=$(git rev-parse HEAD)`. `unknown` if the
    /// build did not say it.
    package static let commit = Self.name(String(cString: switchback_commit()))

    private static func name(_ commit: String) -> String { commit.isEmpty ? "unknown" : commit }
}
