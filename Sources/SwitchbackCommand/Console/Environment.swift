/// The variables that the command was started with.
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

enum Environment {
    static var variables: [String: String] { ProcessInfo.processInfo.environment }
}
