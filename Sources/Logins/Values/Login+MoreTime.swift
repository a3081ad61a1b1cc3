// How a page gives its user more time to return to the app.

import Base

extension Login {
    /// Until when the proof may come if the page has asked for more time: twice `timeout` after the user was known. Nil
    /// if no proof is awaited.
    ///
    /// It is made of times that the row has anyway. So a second request changes nothing, every server comes to the same
    /// result, and a server that cannot give more time still reads the row.
    private func extendedEnd(_ timeout: Duration) -> Timestamp? {
        guard case .awaitingReturn(let outcome, _) = self.state else { return nil }
        return outcome.keepUntil - .milliseconds(self.resultTTL) + timeout * 2
    }

    /// Whether the page has got its user more time.
    func hasMoreTime(_ timeout: Duration) -> Bool {
        self.extendedEnd(timeout).map { self.lapsesAt >= $0 } ?? false
    }

    /// Doubles the time for the proof. Changes nothing the second time, and nothing in another state.
    mutating func giveMoreTime(_ timeout: Duration) {
        guard case .awaitingReturn(let outcome, let until) = self.state, let end = self.extendedEnd(timeout),
            until < end
        else { return }
        self.state = .awaitingReturn(outcome, until: end)
        // The app's `expires_at` changes.
        self.version += 1
    }
}
