#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The environment variables and the folder in which the command runs.
enum Environment {
    static var variables: [String: String] { ProcessInfo.processInfo.environment }

    static var folder: String { FileManager.default.currentDirectoryPath }
}
