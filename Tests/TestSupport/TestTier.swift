/// How much is tested: `swift test` is done in a minute, `make test` leaves nothing out.
import Foundation

package enum TestTier {
    /// Set by `make test`. A tool that is missing is a failure then.
    package static let isWhole = ProcessInfo.processInfo.environment["SWITCHBACK_TEST_ALL"] == "1"
}
