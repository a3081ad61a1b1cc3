import Foundation

/// The state machine behind `LoginClient`, which follows the five rules: takes an event, and returns the effects to
/// perform.
///
///     begin ─▶ create ─▶ polling, next, link, code ─▶ ended ─▶ result stored ─▶ forgotten
///                 └──────────────┴──▶ failed ─▶ forgotten
///
/// It has no clock, no randomness, no store, no network and no screen. One request is running at any time: a poll is
/// abandoned when the user does something. Polls return the current state, so nothing is lost between two of them.
///
/// `LoginClient` runs it. If you run it yourself, perform all effects in order, and report each result as an event.
public struct LoginReducer: Sendable {
    /// What the store keeps of the login.
    public internal(set) var record: SavedLogin
    /// The login as the server last reported it; nil before the first response.
    public internal(set) var login: Login?
    /// Whether the login is over and forgotten. No event does anything any more.
    public internal(set) var isOver = false

    struct Sent: Sendable {
        let number: Int
        let call: Call
        let at: MonotonicInstant
    }

    let server: URL
    var isInForeground: Bool
    /// The calls to send before the next poll, in order. The first one stays until it has its response.
    var waiting: [Call] = []
    var sentRequest: Sent?
    var count = 0
    /// Names the last state that the server sent (`If-None-Match`).
    var validator: String?
    var failures = 0
    var transientError: TransientError?
    /// No request is sent before this time.
    var pausedUntil: MonotonicInstant?
    /// The last action that was reported to the app.
    var presentedAction: NextAction?
    /// The user wants to continue in the e-ID's app. The response to the report contains the link.
    var isAppReopenRequested = false
    /// What was opened before may be gone, and nothing was opened or offered since: a link started this new process, or
    /// the app has reported a closed browser.
    var isBrowserGone = true
    /// How often the final state was reported to the app.
    var finishedCount = 0

    /// Creates a reducer for a new login, or for one from the store.
    public init(_ record: SavedLogin, server: URL, isInForeground: Bool = true) {
        self.record = record
        self.server = server
        self.isInForeground = isInForeground
    }

    /// Whether the final state was reported to the app, by this reducer or by an earlier one.
    var isEnded: Bool { self.login?.isFinal == true || self.record.isAcknowledged }

    /// Takes an event and returns its effects. `jitter`, from 0 to 1, spreads the retries of clients that failed
    /// together.
    public mutating func handle(_ event: Event, at now: MonotonicInstant, jitter: Double = 0) -> [Effect] {
        guard !self.isOver else { return [] }
        switch event {
        case .started: return self.begin(at: now)
        case .resumed: return self.resume(at: now)
        case .storeFailed: return self.end(.notStored)
        case .responded(let number, let response): return self.handleResponse(number, response, at: now, jitter)
        case .requestFailed(let number): return self.handleNoResponse(number, at: now, jitter)
        case .timerFired: return self.proceed(at: now)
        case .linkOpened(let link): return self.handleLink(link, at: now)
        case .codeEntered(let code): return self.enqueue(.enterCode(code), at: now)
        case .enteredForeground: return self.handleForeground(at: now)
        case .enteredBackground: return self.handleBackground()
        case .browserClosed: return self.reportReturn(at: now)
        case .cancelled: return self.cancel(at: now)
        case .reopenRequested: return self.showAgain(at: now)
        case .refreshRequested: return self.refresh(at: now)
        case .acknowledged: return self.acknowledge(at: now)
        case .abandoned: return self.end(.abandoned)
        }
    }
}

// MARK: - Events and effects

extension LoginReducer {
    /// Something that happened.
    public enum Event: Sendable {
        /// The user tapped the login button.
        case started
        /// The app was started again, and this login was in the store.
        case resumed
        /// `storeFirst` failed.
        case storeFailed
        /// The response to the request with this number.
        case responded(Int, HTTPResponse)
        /// The request with this number got no response, and will get none.
        case requestFailed(Int)
        /// The time of the last `wake` has come.
        case timerFired
        /// A link opened the app.
        case linkOpened(String)
        /// The user typed the page's code.
        case codeEntered(String)
        /// The app is in the foreground.
        case enteredForeground
        /// The app has left the foreground.
        case enteredBackground
        /// The phone says that the browser was closed. It also says so of minimised tabs and app switches.
        case browserClosed
        /// The user tapped Cancel in the app.
        case cancelled
        /// The user wants to be sent to the browser again.
        case reopenRequested
        /// The app wants the final state again, with a fresh assertion.
        case refreshRequested
        /// The app has stored what it needs of the result.
        case acknowledged
        /// The app wants to forget the login, whatever its result.
        case abandoned
    }

    /// Something to do. Perform the effects in order.
    public enum Effect: Equatable, Sendable {
        /// Store the record. If that fails, skip the other effects and report `storeFailed`.
        case storeFirst(SavedLogin)
        /// Store the record. If that fails, continue.
        case store(SavedLogin)
        /// Remove the record from the store.
        case forget(SavedLogin.ID)
        /// Send this request, and report `responded` or `requestFailed` with its number.
        case send(Int, HTTPRequest)
        /// Cancel the request with this number. Its response is no longer needed.
        case abandon(Int)
        /// Report `timerFired` at this time. Only the last `wake` counts.
        case wake(at: MonotonicInstant)
        /// Tell the app.
        case present(LoginState)
    }
}

// MARK: - Beginning

extension LoginReducer {
    /// Rule 1: store the login first.
    private mutating func begin(at now: MonotonicInstant) -> [Effect] {
        guard self.waiting.isEmpty, self.sentRequest == nil, self.login == nil else { return [] }
        self.waiting = [.create]
        return [.storeFirst(self.record), .present(.starting)] + self.proceed(at: now)
    }

    /// The app was killed, and we do not know how far the last request came, so we repeat it. Rule 5: the app is back,
    /// without a link unless one is stored.
    private mutating func resume(at now: MonotonicInstant) -> [Effect] {
        guard self.waiting.isEmpty, self.sentRequest == nil, self.login == nil else { return [] }
        if self.record.isAcknowledged, self.record.login != nil {
            self.waiting = [.acknowledge]
        } else if self.record.login == nil {
            self.waiting = [.create]
        } else if self.record.links.isEmpty, !self.record.isCancelling {
            self.waiting = [.reportReturn(link: nil)]
        } else {
            self.waiting = self.record.links.map { .reportReturn(link: $0) }
        }
        if self.record.isCancelling { self.waiting.append(.cancel) }
        let stateEffects: [Effect] = self.record.isAcknowledged ? [] : [.present(.starting)]
        return stateEffects + self.proceed(at: now)
    }
}

// MARK: - What the user does

extension LoginReducer {
    /// Rule 3: hand in the link.
    private mutating func handleLink(_ link: String, at now: MonotonicInstant) -> [Effect] {
        guard !self.isEnded, self.record.accepts(link), !self.record.links.contains(link) else { return [] }
        // The user may return more than once, and must be sent back to the browser each time.
        if self.presentedAction?.kind == .resumeBrowser { self.presentedAction = nil }
        if self.presentedAction?.kind == .showBrowser { self.presentedAction = nil }
        // This link may be the only copy of the broker's response, and the app may be killed before it is handed in.
        self.record.links.append(link)
        return [.store(self.record)] + self.enqueue(.reportReturn(link: link), at: now)
    }

    /// Rule 4: poll at once, without waiting for a pause.
    private mutating func handleForeground(at now: MonotonicInstant) -> [Effect] {
        self.isInForeground = true
        self.failures = 0
        self.pausedUntil = nil
        // The user returned from the e-ID's app or from the system's browser, but not by a link. A browser inside the
        // app may still be on top of it.
        return self.isBehindAnotherApp && !self.isEnded ? self.reportReturn(at: now) : self.proceed(at: now)
    }

    private var isBehindAnotherApp: Bool {
        switch self.presentedAction?.value {
        case .openApp: true
        case .openBrowser, .resumeBrowser, .showBrowser: self.record.request.surface == .system
        case .enterCode, .wait, nil: false
        }
    }

    private mutating func handleBackground() -> [Effect] {
        self.isInForeground = false
        // The system would cut off a poll sooner or later. Calls for what the user did are still sent.
        guard let sentRequest = self.sentRequest, sentRequest.call == .poll else { return [] }
        self.sentRequest = nil
        return [.abandon(sentRequest.number)]
    }

    /// Rule 5: report the return. It ends nothing, because phones also report minimised tabs and app switches. The
    /// response says how to continue.
    private mutating func reportReturn(at now: MonotonicInstant) -> [Effect] {
        guard !self.waiting.contains(.reportReturn(link: nil)) else { return self.proceed(at: now) }
        return self.enqueue(.reportReturn(link: nil), at: now)
    }

    /// Rule 5: the user gives up. The app may be killed before the server has heard it, so it is stored first.
    private mutating func cancel(at now: MonotonicInstant) -> [Effect] {
        guard !self.isEnded, !self.record.isCancelling else { return [] }
        self.record.isCancelling = true
        return [.store(self.record)] + self.enqueue(.cancel, at: now)
    }

    private mutating func showAgain(at now: MonotonicInstant) -> [Effect] {
        guard let login, !login.isFinal, login.next != .wait else { return [] }
        // The e-ID's app may refuse an old link. The server then has a new one.
        if login.next.kind == .openApp {
            self.isAppReopenRequested = true
            return self.reportReturn(at: now)
        }
        let storedRecord = self.record
        // What the app shows now is not news later.
        _ = self.claimAction(login.next)
        let action = login.page.map { NextAction.openBrowser($0) } ?? login.next
        if case .openBrowser(let launch) = action.value { _ = self.markOpened(launch.url) }
        return (self.record == storedRecord ? [] : [.store(self.record)]) + [
            .present(.inProgress(login, action: action))
        ]
    }

    /// Rule 5: acknowledge a login that is final, once.
    private mutating func acknowledge(at now: MonotonicInstant) -> [Effect] {
        guard self.isEnded, !self.record.isAcknowledged else { return [] }
        self.record.isAcknowledged = true
        self.failures = 0
        self.pausedUntil = nil
        self.waiting = [.acknowledge]
        return [.store(self.record)] + self.proceed(at: now)
    }

    /// Polls at once, without waiting for a pause.
    private mutating func refresh(at now: MonotonicInstant) -> [Effect] {
        guard self.isEnded, !self.record.isAcknowledged else { return [] }
        self.failures = 0
        self.pausedUntil = nil
        return self.proceed(at: now)
    }

    private mutating func enqueue(_ call: Call, at now: MonotonicInstant) -> [Effect] {
        guard !self.isEnded else { return [] }
        if self.waiting.isEmpty {
            self.failures = 0
            self.pausedUntil = nil
        }
        self.waiting.append(call)
        return self.proceed(at: now)
    }
}

// MARK: - The next request

extension LoginReducer {
    mutating func proceed(at now: MonotonicInstant) -> [Effect] {
        var effects: [Effect] = []
        if let sentRequest {
            // A poll is abandoned for another call; any other call must finish.
            guard sentRequest.call == .poll, !self.waiting.isEmpty else { return [] }
            effects.append(.abandon(sentRequest.number))
            self.sentRequest = nil
        }
        // A final login is polled too, until the app has the result safe.
        let mayPoll = self.isInForeground && !self.record.isAcknowledged
        guard let call = self.waiting.first ?? (mayPoll ? .poll : nil) else { return effects }
        if let pausedUntil, now < pausedUntil { return effects + [.wake(at: pausedUntil)] }
        guard
            let request = call.request(
                for: self.record, at: self.server, polling: self.login?.poll, validator: self.validator)
        else { return effects }
        self.count += 1
        self.sentRequest = Sent(number: self.count, call: call, at: now)
        return effects + [.send(self.count, request)]
    }
}
