/// The environment variables of the command.
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

enum Environment {
    static var variables: [String: String] { ProcessInfo.processInfo.environment }
}
