// The rules for the settings of the flight recorder.

extension ConfigurationValidator {
    /// No more than such a text can be guessed at a port that takes thousands of requests a second.
    private static let shortestToken = 20

    mutating func checkRecorder() {
        let recorder = self.settings.server.recorder
        guard self.settings.isGiven(recorder.path(\.token)) else {
            if let keep = recorder.keep, keep > .zero {
                self.warn(
                    recorder.path(\.keep), "keeps what nobody can read: set recorder.token, or set this to 0")
            }
            return
        }
        if recorder.keep == .zero { self.warn(recorder.path(\.token), "has no effect while recorder.keep is 0") }
        // The value is not quoted, because it is a secret.
        if let token = recorder.token, token.utf8.count < Self.shortestToken {
            self.report(
                recorder.path(\.token),
                "is short enough to be guessed. Make one of 32 characters with `openssl rand -base64 24`")
        }
    }
}
