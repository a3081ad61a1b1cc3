/// The five rules as a value: an event goes in, and what is to be done comes out.
///
///     begin ─▶ create ─▶ polling, next, link, code ─▶ ended ─▶ result stored ─▶ forgotten
///                 └──────────────┴──▶ failed ─▶ forgotten
///
/// It knows no clock, no random source, no store, no network and no screen. One request is under way at any time: a poll
/// gives way to whatever the person did, and as polls are level-triggered nothing falls between two of them.
import Foundation

/// `LoginClient` runs it. For whoever runs it himself: do every effect in order, and say what came of it.
public struct LoginReducer: Sendable {
    /// What is stored of it.
    public internal(set) var record: OpenLogin
    /// How it stands, as the server last told it.
    public internal(set) var login: Login?
    /// Whether it is forgotten; no event does anything any more.
    public internal(set) var isOver = false

    struct Sent: Sendable {
        let number: Int
        let call: Call
        let at: Moment
    }

    let server: URL
    var isInForeground: Bool
    /// What has to be asked besides polls, in order. The first stays until it is answered.
    var waiting: [Call] = []
    var sent: Sent?
    var count = 0
    var etag: String?
    var failures = 0
    var trouble: Trouble?
    /// Nothing is sent before this.
    var pause: Moment?
    /// What the app was last told to do.
    var shown: NextAction?
    /// The person wants to go on in the e-ID's app, and the answer to the report says by which link.
    var reopensApp = false
    /// How often the end was told.
    var endings = 0

    /// A new login, or one from the store.
    public init(_ record: OpenLogin, server: URL, isInForeground: Bool = true) {
        self.record = record
        self.server = server
        self.isInForeground = isInForeground
    }

    /// Whether the app was told the end, by this reducer or by one before it.
    var isEnded: Bool { self.login?.isFinal == true || self.record.isAcknowledged }

    /// What follows from an event. `chance`, from 0 to 1, spreads those who failed together.
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

// MARK: - What happens, and what is to be done about it

extension LoginReducer {
    /// What happens.
    public enum Event: Sendable {
        /// The person pressed the button.
        case began
        /// The app was started anew, and this login was in the store.
        case resumed
        /// `storeFirst` came to nothing.
        case storeFailed
        /// The answer to the request with this number.
        case answered(Int, HTTPResponse)
        /// There is no answer to the request with this number, and there will be none.
        case unanswered(Int)
        /// It is as late as `wake` said.
        case timeCame
        /// The app was opened by a link.
        case linkOpened(String)
        /// The person typed the page's code.
        case codeEntered(String)
        /// The app is in front.
        case cameToForeground
        /// The app is not in front any more.
        case wentToBackground
        /// The phone says that the browser was closed. It also says so of minimised tabs and app switches.
        case browserClosed
        /// The person pressed Cancel in the app.
        case cancelled
        /// The person wants to be sent to the browser again.
        case openedAgain
        /// The app wants to be told the end again, with a fresh assertion.
        case endWanted
        /// The app has what it needs of the result.
        case resultStored
        /// The app wants to forget the login, whatever becomes of it.
        case givenUp
    }

    /// What is to be done, in this order.
    public enum Effect: Equatable, Sendable {
        /// Store it. If that fails, stop here and say `storeFailed`.
        case storeFirst(OpenLogin)
        /// Store it. If that fails, continue.
        case store(OpenLogin)
        /// Remove it from the store.
        case forget(OpenLogin.ID)
        /// Send this, and say `answered` or `unanswered` with its number.
        case send(Int, HTTPRequest)
        /// The answer to this one is not wanted any more.
        case abandon(Int)
        /// Say `timeCame` then; only the last of these counts.
        case wake(at: Moment)
        /// Tell the app.
        case present(LoginState)
    }
}

// MARK: - Beginning

extension LoginReducer {
    /// Rule 1: stored first.
    private mutating func begin(at now: Moment) -> [Effect] {
        guard self.waiting.isEmpty, self.sent == nil, self.login == nil else { return [] }
        self.waiting = [.create]
        return [.storeFirst(self.record), .present(.starting)] + self.proceed(at: now)
    }

    /// The app was killed. Nobody knows how far the last request came, so it is asked again. Rule 5: the app is back,
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

// MARK: - What the person does

extension LoginReducer {
    /// Rule 3.
    private mutating func takeLink(_ link: String, at now: Moment) -> [Effect] {
        guard !self.isEnded, self.record.takes(link), !self.record.links.contains(link) else { return [] }
        // The person may come here more than once, and has to be sent back to the browser each time.
        if case .resumeBrowser = self.shown { self.shown = nil }
        if case .showBrowser = self.shown { self.shown = nil }
        // It may be the only copy of the broker's answer, and the app may be killed before it is handed in.
        self.record.links.append(link)
        return [.store(self.record)] + self.enqueue(.comeBack(link: link), at: now)
    }

    /// Rule 4: at once, whatever was to be waited for.
    private mutating func takeForeground(at now: Moment) -> [Effect] {
        self.isInForeground = true
        self.failures = 0
        self.pause = nil
        // Back from the e-ID's app or from the system's browser, but by no link. What the app itself shows a page in may
        // still be on top of it.
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
        // The system would cut it off sooner or later, and what the person did is still sent.
        guard let sent = self.sent, sent.call == .poll else { return [] }
        self.sent = nil
        return [.abandon(sent.number)]
    }

    /// Rule 5: it ends nothing, for phones also say so of minimised tabs and app switches. The answer says how to go on.
    private mutating func reportReturn(at now: Moment) -> [Effect] {
        guard !self.waiting.contains(.comeBack(link: nil)) else { return self.proceed(at: now) }
        return self.enqueue(.comeBack(link: nil), at: now)
    }

    private mutating func cancel(at now: Moment) -> [Effect] {
        self.waiting.contains(.cancel) ? [] : self.enqueue(.cancel, at: now)
    }

    private mutating func showAgain(at now: Moment) -> [Effect] {
        guard let login, !login.isFinal, login.next != .wait else { return [] }
        // The e-ID's app may refuse a link that is old; the server then has another one.
        if case .openApp = login.next {
            self.reopensApp = true
            return self.reportReturn(at: now)
        }
        let stored = self.record
        // What is shown now is not news later.
        _ = self.todo(login.next)
        let todo = login.page.map { NextAction.openBrowser($0) } ?? login.next
        if case .openBrowser(let opening) = todo { _ = self.opensFirst(opening.url) }
        return (self.record == stored ? [] : [.store(self.record)]) + [.present(.underWay(login, todo: todo))]
    }

    /// Rule 5, the end. Only what has ended, and only once.
    private mutating func acknowledge(at now: Moment) -> [Effect] {
        guard self.isEnded, !self.record.isAcknowledged else { return [] }
        self.record.isAcknowledged = true
        self.failures = 0
        self.pause = nil
        self.waiting = [.acknowledge]
        return [.store(self.record)] + self.proceed(at: now)
    }

    /// At once, whatever was to be waited for.
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

// MARK: - What is sent next

extension LoginReducer {
    mutating func proceed(at now: Moment) -> [Effect] {
        var effects: [Effect] = []
        if let sent {
            // A poll gives way; anything else is waited for.
            guard sent.call == .poll, !self.waiting.isEmpty else { return [] }
            effects.append(.abandon(sent.number))
            self.sent = nil
        }
        // An end is asked for again too, until the app has it safe.
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
