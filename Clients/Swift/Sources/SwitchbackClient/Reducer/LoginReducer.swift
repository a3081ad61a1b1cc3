/// The state machine behind `LoginClient`.
///
///     begin ─▶ create ─▶ polling, next, link, code ─▶ ended ─▶ result stored ─▶ forgotten
///                 └──────────────┴──▶ failed ─▶ forgotten
///
/// It has no clock, no randomness, no store, no network and no screen. One request is running at any time: a poll is
/// abandoned when the user does something. Polls return the current state, so nothing is lost between two of them.
import Foundation

/// The five rules as a value: takes an event, and returns the effects to perform.
///
/// `LoginClient` runs it. If you run it yourself, perform all effects in order, and report each result as an event.
public struct LoginReducer: Sendable {
    /// What the store keeps of the login.
    public internal(set) var record: OpenLogin
    /// The login as the server last reported it; nil before the first response.
    public internal(set) var login: Login?
    /// Whether the login is over and forgotten. No event does anything any more.
    public internal(set) var isOver = false

    struct Sent: Sendable {
        let number: Int
        let call: Call
        let at: Moment
    }

    let server: URL
    var isInForeground: Bool
    /// The calls to send before the next poll, in order. The first one stays until it has its response.
    var waiting: [Call] = []
    var sent: Sent?
    var count = 0
    var etag: String?
    var failures = 0
    var trouble: Trouble?
    /// No request is sent before this time.
    var pause: Moment?
    /// The last action that was reported to the app.
    var shown: NextAction?
    /// The user wants to continue in the e-ID's app. The response to the report contains the link.
    var reopensApp = false
    /// How often the final state was reported to the app.
    var endings = 0

    /// Creates a reducer for a new login, or for one from the store.
    public init(_ record: OpenLogin, server: URL, isInForeground: Bool = true) {
        self.record = record
        self.server = server
        self.isInForeground = isInForeground
    }

    /// Whether the final state was reported to the app, by this reducer or by an earlier one.
    var isEnded: Bool { self.login?.isFinal == true || self.record.isAcknowledged }

    /// Takes an event and returns its effects. `chance`, from 0 to 1, spreads the retries of clients that failed
    /// together.
    public mutating func take(_ event: Event, at now: Moment, chance: Double = 0) -> [Effect] {
        guard !self.isOver else { return [] }
        switch event {
        case .began: return self.begin(at: now)
        case .resumed: return self.resume(at: now)
        case .storeFailed: return self.end(.notStored)
        case .answered(let number, let response): return self.takeAnswer(number, response, at: now, chance)
        case .unanswered(let number): return self.takeSilence(number, at: now, chance)
        case .timeCame: return self.proceed(at: now)
        case .linkOpened(let link): return self.takeLink(link, at: now)
        case .codeEntered(let code): return self.enqueue(.enterCode(code), at: now)
        case .cameToForeground: return self.takeForeground(at: now)
        case .wentToBackground: return self.takeBackground()
        case .browserClosed: return self.reportReturn(at: now)
        case .cancelled: return self.cancel(at: now)
        case .openedAgain: return self.showAgain(at: now)
        case .endWanted: return self.askForEnd(at: now)
        case .resultStored: return self.acknowledge(at: now)
        case .givenUp: return self.end(.givenUp)
        }
    }
}

// MARK: - Events and effects

extension LoginReducer {
    /// Something that happened.
    public enum Event: Sendable {
        /// The user tapped the login button.
        case began
        /// The app was started again, and this login was in the store.
        case resumed
        /// `storeFirst` failed.
        case storeFailed
        /// The response to the request with this number.
        case answered(Int, HTTPResponse)
        /// The request with this number got no response, and will get none.
        case unanswered(Int)
        /// The time of the last `wake` has come.
        case timeCame
        /// A link opened the app.
        case linkOpened(String)
        /// The user typed the page's code.
        case codeEntered(String)
        /// The app is in the foreground.
        case cameToForeground
        /// The app has left the foreground.
        case wentToBackground
        /// The phone says that the browser was closed. It also says so of minimised tabs and app switches.
        case browserClosed
        /// The user tapped Cancel in the app.
        case cancelled
        /// The user wants to be sent to the browser again.
        case openedAgain
        /// The app wants the final state again, with a fresh assertion.
        case endWanted
        /// The app has stored what it needs of the result.
        case resultStored
        /// The app wants to forget the login, whatever its result.
        case givenUp
    }

    /// Something to do. Perform the effects in order.
    public enum Effect: Equatable, Sendable {
        /// Store the record. If that fails, skip the other effects and report `storeFailed`.
        case storeFirst(OpenLogin)
        /// Store the record. If that fails, continue.
        case store(OpenLogin)
        /// Remove the record from the store.
        case forget(OpenLogin.ID)
        /// Send this request, and report `answered` or `unanswered` with its number.
        case send(Int, HTTPRequest)
        /// Cancel the request with this number. Its response is no longer needed.
        case abandon(Int)
        /// Report `timeCame` at this time. Only the last `wake` counts.
        case wake(at: Moment)
        /// Tell the app.
        case present(LoginState)
    }
}

// MARK: - Beginning

extension LoginReducer {
    /// Rule 1: store the login first.
    private mutating func begin(at now: Moment) -> [Effect] {
        guard self.waiting.isEmpty, self.sent == nil, self.login == nil else { return [] }
        self.waiting = [.create]
        return [.storeFirst(self.record), .present(.starting)] + self.proceed(at: now)
    }

    /// The app was killed, and we do not know how far the last request came, so we repeat it. Rule 5: the app is back,
    /// without a link unless one is stored.
    private mutating func resume(at now: Moment) -> [Effect] {
        guard self.waiting.isEmpty, self.sent == nil, self.login == nil else { return [] }
        if self.record.isAcknowledged, self.record.login != nil {
            self.waiting = [.acknowledge]
        } else if self.record.login == nil {
            self.waiting = [.create]
        } else if self.record.links.isEmpty {
            self.waiting = [.comeBack(link: nil)]
        } else {
            self.waiting = self.record.links.map { .comeBack(link: $0) }
        }
        let told: [Effect] = self.record.isAcknowledged ? [] : [.present(.starting)]
        return told + self.proceed(at: now)
    }
}

// MARK: - What the user does

extension LoginReducer {
    /// Rule 3: hand in the link.
    private mutating func takeLink(_ link: String, at now: Moment) -> [Effect] {
        guard !self.isEnded, self.record.takes(link), !self.record.links.contains(link) else { return [] }
        // The user may return more than once, and must be sent back to the browser each time.
        if case .resumeBrowser = self.shown { self.shown = nil }
        if case .showBrowser = self.shown { self.shown = nil }
        // This link may be the only copy of the broker's response, and the app may be killed before it is handed in.
        self.record.links.append(link)
        return [.store(self.record)] + self.enqueue(.comeBack(link: link), at: now)
    }

    /// Rule 4: poll at once, without waiting for a pause.
    private mutating func takeForeground(at now: Moment) -> [Effect] {
        self.isInForeground = true
        self.failures = 0
        self.pause = nil
        // The user returned from the e-ID's app or from the system's browser, but not by a link. A browser inside the
        // app may still be on top of it.
        return self.isBehindAnotherApp && !self.isEnded ? self.reportReturn(at: now) : self.proceed(at: now)
    }

    private var isBehindAnotherApp: Bool {
        switch self.shown {
        case .openApp: true
        case .openBrowser, .resumeBrowser, .showBrowser: self.record.request.surface == .system
        case .enterCode, .wait, nil: false
        }
    }

    private mutating func takeBackground() -> [Effect] {
        self.isInForeground = false
        // The system would cut off a poll sooner or later. Calls for what the user did are still sent.
        guard let sent = self.sent, sent.call == .poll else { return [] }
        self.sent = nil
        return [.abandon(sent.number)]
    }

    /// Rule 5: report the return. It ends nothing, because phones also report minimised tabs and app switches. The
    /// response says how to continue.
    private mutating func reportReturn(at now: Moment) -> [Effect] {
        guard !self.waiting.contains(.comeBack(link: nil)) else { return self.proceed(at: now) }
        return self.enqueue(.comeBack(link: nil), at: now)
    }

    private mutating func cancel(at now: Moment) -> [Effect] {
        self.waiting.contains(.cancel) ? [] : self.enqueue(.cancel, at: now)
    }

    private mutating func showAgain(at now: Moment) -> [Effect] {
        guard let login, !login.isFinal, login.next != .wait else { return [] }
        // The e-ID's app may refuse an old link. The server then has a new one.
        if case .openApp = login.next {
            self.reopensApp = true
            return self.reportReturn(at: now)
        }
        let stored = self.record
        // What the app shows now is not news later.
        _ = self.todo(login.next)
        let todo = login.page.map { NextAction.openBrowser($0) } ?? login.next
        if case .openBrowser(let opening) = todo { _ = self.opensFirst(opening.url) }
        return (self.record == stored ? [] : [.store(self.record)]) + [.present(.underWay(login, todo: todo))]
    }

    /// Rule 5: acknowledge a login that is final, once.
    private mutating func acknowledge(at now: Moment) -> [Effect] {
        guard self.isEnded, !self.record.isAcknowledged else { return [] }
        self.record.isAcknowledged = true
        self.failures = 0
        self.pause = nil
        self.waiting = [.acknowledge]
        return [.store(self.record)] + self.proceed(at: now)
    }

    /// Polls at once, without waiting for a pause.
    private mutating func askForEnd(at now: Moment) -> [Effect] {
        guard self.isEnded, !self.record.isAcknowledged else { return [] }
        self.failures = 0
        self.pause = nil
        return self.proceed(at: now)
    }

    private mutating func enqueue(_ call: Call, at now: Moment) -> [Effect] {
        guard !self.isEnded else { return [] }
        if self.waiting.isEmpty {
            self.failures = 0
            self.pause = nil
        }
        self.waiting.append(call)
        return self.proceed(at: now)
    }
}

// MARK: - The next request

extension LoginReducer {
    mutating func proceed(at now: Moment) -> [Effect] {
        var effects: [Effect] = []
        if let sent {
            // A poll is abandoned for another call; any other call must finish.
            guard sent.call == .poll, !self.waiting.isEmpty else { return [] }
            effects.append(.abandon(sent.number))
            self.sent = nil
        }
        // A final login is polled too, until the app has the result safe.
        let mayPoll = self.isInForeground && !self.record.isAcknowledged
        guard let call = self.waiting.first ?? (mayPoll ? .poll : nil) else { return effects }
        if let pause, now < pause { return effects + [.wake(at: pause)] }
        guard
            let request = call.request(for: self.record, at: self.server, polling: self.login?.poll, etag: self.etag)
        else { return effects }
        self.count += 1
        self.sent = Sent(number: self.count, call: call, at: now)
        return effects + [.send(self.count, request)]
    }
}
