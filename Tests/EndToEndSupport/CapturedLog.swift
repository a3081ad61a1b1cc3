import StrictJSON
import Synchronization
import TestSupport

/// The log of a server under test.
package final class CapturedLog: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    package init() {}

    package func append(_ line: [UInt8]) { self.bytes.withLock { $0 += line } }

    /// What was logged until now. A server logs some lines after the app and the browser have their responses, so a test
    /// that expects a line stops the server first, waits with `eventually`, or asks for `brokerErrors`.
    package var text: String { self.bytes.withLock { String(decoding: $0, as: UTF8.self) } }

    /// Returns the broker errors of one event or of all, after `start` bytes. The app may learn first that a login has
    /// ended, so this waits for `expected` errors.
    package func brokerErrors(_ event: String? = nil, after start: Int = 0, expected: Int) async throws -> [String] {
        let patience = Patience.end
        while true {
            let errors = self.brokerErrors(event, after: start)
            if errors.count >= expected || patience < .now { return errors }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    private func brokerErrors(_ event: String?, after start: Int) -> [String] {
        String(decoding: self.text.utf8.dropFirst(start), as: UTF8.self).split(separator: "\n").compactMap { line in
            // `login_ended` repeats the error of the step that ended the login.
            guard let json = try? JSON(parsing: Array(line.utf8)),
                event.map({ json["event"]?.string == $0 }) ?? (json["event"]?.string != "login_ended")
            else { return nil }
            return json["broker_error"]?.string
        }
    }
}
