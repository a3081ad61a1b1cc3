import Foundation

@testable import SwitchbackClient

/// Every state that a login can be in, as this device knows it.
enum Stage: String, CaseIterable {
    case fresh, creating, createFailed, polling, pollFailed, inBackground, returning, codeTyped, showingBrowser
    case awaitingCode, resuming, appOpened, reporting, paused, cancelling, completed, failed, acknowledging
    case acknowledgeFailed, resumed, resumedAcknowledged, forgotten

    var bench: ReducerBench {
        var bench = ReducerBench(self.record)
        switch self {
        case .fresh: break
        case .creating: bench.say(.started)
        case .createFailed:
            bench.say(.started)
            bench.lose()
        case .resumed, .resumedAcknowledged: bench.say(.resumed)
        default:
            bench.say(.started)
            bench.answer(Example.login())
            self.goOn(&bench)
        }
        return bench
    }

    private var record: SavedLogin {
        switch self {
        case .resumed: Example.record(login: Example.id)
        case .resumedAcknowledged: Example.record(login: Example.id, acknowledged: true)
        default: Example.record()
        }
    }

    private func goOn(_ bench: inout ReducerBench) {
        switch self {
        case .fresh, .creating, .createFailed, .polling, .resumed, .resumedAcknowledged: break
        case .pollFailed: bench.answer(Example.problem(503, "store_unavailable", retryAfter: 5))
        case .inBackground: bench.say(.enteredBackground)
        case .returning: bench.say(.linkOpened(Example.prefix + "?x"))
        case .codeTyped: bench.say(.codeEntered("123456"))
        case .showingBrowser:
            bench.answer(Example.login("awaiting_return", version: 2, next: #"{"action": "show_browser"}"#))
        case .awaitingCode:
            bench.answer(Example.login("awaiting_return", version: 2, next: #"{"action": "enter_code"}"#))
        case .resuming:
            bench.answer(Example.login(version: 2, next: #"{"action": "resume_browser", "url": "https://b.example/"}"#))
        case .appOpened:
            bench.answer(
                Example.login(version: 2, next: #"{"action": "open_app", "universal_link": "https://e.example/"}"#))
        case .reporting: bench.say(.browserClosed)
        case .paused:
            bench.say(.browserClosed)
            bench.answer(Example.login(version: 2))
        case .cancelling: bench.say(.cancelled)
        case .completed: bench.answer(Example.login("completed", version: 3))
        case .failed: bench.answer(Example.login("failed", version: 3))
        case .acknowledging:
            bench.answer(Example.login("completed", version: 3))
            bench.say(.acknowledged)
        case .acknowledgeFailed:
            bench.answer(Example.login("completed", version: 3))
            bench.say(.acknowledged)
            bench.lose()
        case .forgotten: bench.say(.abandoned)
        }
    }

    /// What a server, or something between it and the app, may answer.
    private static let answers: [HTTPResponse] = [
        Example.login(), Example.login("exchanging", version: 2, next: #"{"action": "wait"}"#),
        Example.login("awaiting_return", version: 3, next: #"{"action": "show_browser"}"#),
        Example.login("awaiting_return", version: 3, next: #"{"action": "enter_code"}"#),
        Example.login("awaiting_return", version: 4, next: #"{"action": "enter_code", "url": "https://p.example/"}"#),
        Example.login(version: 2, next: #"{"action": "resume_browser", "url": "https://b.example/"}"#),
        Example.login(version: 2, next: #"{"action": "open_app", "custom_scheme": "eid://x"}"#),
        Example.login("dreaming", version: 9, next: #"{"action": "sing"}"#), Example.login(next: nil),
        Example.login("completed", version: 4), Example.login("failed", version: 4),
        Example.login("cancelled", version: 4), Example.login("expired", version: 4),
        HTTPResponse(status: 304), HTTPResponse(status: 204), HTTPResponse(status: 200), Example.page(200),
        Example.page(404), Example.page(410), Example.page(302), Example.page(500), HTTPResponse(status: -1),
        Example.problem(404, "unknown_login"), Example.problem(410, "gone"), Example.problem(409, "not_final"),
        Example.problem(422, "not_ours"), Example.problem(422, "wrong_code", more: #", "tries_left": 2"#),
        Example.problem(429, "polling_too_fast", retryAfter: 2), Example.problem(503, "store_unavailable"),
        Example.problem(422, "different_body"), Example.problem(401, "malformed_poll_secret"),
    ]

    /// Returns every event. The responses are to the request with this number.
    static func events(_ number: Int) -> [LoginReducer.Event] {
        Self.answers.map { .responded(number, $0) } + [
            .started, .resumed, .storeFailed, .requestFailed(number), .responded(number + 99, Example.login()),
            .requestFailed(number + 99), .timerFired, .linkOpened(Example.prefix), .linkOpened("https://evil.example/"),
            .codeEntered(""), .codeEntered("123456"), .enteredForeground, .enteredBackground, .browserClosed,
            .cancelled,
            .reopenRequested, .refreshRequested, .acknowledged, .abandoned,
        ]
    }
}
