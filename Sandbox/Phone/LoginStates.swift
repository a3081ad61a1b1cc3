/// The states of a login as a line of steps, with the present one marked.
struct LoginStates: Sendable {
    let status: String

    private static let steps = [
        ("pending", "the user logs in"), ("exchanging", "the code is exchanged"),
        ("awaiting_return", "the app must prove that it is on the same phone"), ("completed", "the app has the result"),
    ]
    private static let ends = [
        "failed": "the broker or the network failed", "cancelled": "the user does not want it",
        "expired": "nobody finished in time",
    ]

    var markup: Markup {
        let other = Self.ends[self.status].map { [(self.status, $0)] } ?? []
        let present = (Self.steps + other).map { state, meaning -> Markup in
            let isNow = state == self.status
            let mark: Markup = isNow ? " aria-current=\"step\"" : ""
            return "<li\(mark)><code>\(state)</code> <span>\(meaning)</span></li>\n"
        }
        return """
            <ol class="states" aria-label="The states of this login">
            \(present)</ol>
            """
    }
}
