import Base
import Brokers

/// Builds the pages that a browser sees.
struct PageViews: Sendable {
    /// The last part of the time that a result waits for its proof. The page then warns that the time is nearly over.
    private static let finalStatus = Duration.seconds(60)

    /// Who looks at the page.
    enum Viewer {
        /// The browser that delivered the authorization response: its page may contain the proof.
        case returned
        case anybody
    }

    let now: @Sendable () -> Timestamp

    /// Returns the page that this token gives access to.
    func page(of snapshot: LoginSnapshot, for token: PageToken) -> PageView {
        Self.shows(token, snapshot) ? self.page(of: snapshot, for: .returned) : self.otherPage(of: snapshot)
    }

    /// Returns whether the token is that of the browser whose response the login took.
    private static func shows(_ token: PageToken, _ snapshot: LoginSnapshot) -> Bool {
        snapshot.login.acceptedResponse.map { token.shows($0, under: snapshot.key) }
            ?? token.shows(codeBeginningWith: snapshot.login.pageCode)
    }

    /// Returns whether this page may ask for more time: it waits for the user to return to the app.
    func mayGetMoreTime(_ token: PageToken, of snapshot: LoginSnapshot) -> Bool {
        Self.shows(token, snapshot) && self.page(of: snapshot, for: .returned).timeLeft != nil
    }

    func page(of snapshot: LoginSnapshot, for reader: Viewer = .anybody) -> PageView {
        let login = snapshot.login
        switch login.state {
        // The browser has returned, but the broker has no result yet.
        case .pending where login.acceptedResponse != nil: return self.page(.completing, of: snapshot, for: reader)
        case .pending: return self.page(.neutral, of: snapshot)
        case .exchanging: return self.page(.completing, of: snapshot, for: reader)
        // Only the browser that delivered the response shows how to return to the app.
        case .awaitingReturn where reader == .anybody: return self.page(.openElsewhere, of: snapshot)
        case .awaitingReturn:
            return self.page(login.canTryCode ? .awaitingReturn : .codeUsedUp, of: snapshot, for: reader)
        case .completed: return self.page(.completed, of: snapshot)
        case .failed(let reason, _): return self.page(.failed(reason), of: snapshot)
        case .cancelled: return self.page(.cancelled, of: snapshot)
        case .expired: return self.page(.expired, of: snapshot)
        // A user who only has the link of a finished login learns nothing but that it is over.
        case .gone where reader == .anybody:
            return login.hasReturned ? self.page(.over, of: snapshot) : PageView(.neutral)
        case .gone(let status, _): return self.finalPage(of: snapshot, status)
        }
    }

    func page(_ kind: PageView.Kind, of snapshot: LoginSnapshot, for reader: Viewer = .anybody) -> PageView {
        guard kind != .neutral else { return PageView(.neutral) }
        let login = snapshot.login
        var view = PageView(
            kind, reference: login.id.reference, app: login.app, provider: login.provider, locale: login.locale)
        view.returnURL = reader == .returned ? snapshot.returnURL : snapshot.returnPrefix
        view.isOnWeb = login.platform == .web
        view.changesAt = login.lapsesAt
        guard kind == .awaitingReturn || kind == .codeUsedUp, reader == .returned else { return view }
        view.isCodeOnly = snapshot.needsCode
        if kind == .awaitingReturn { view.code = snapshot.proof?.code }
        let now = self.now()
        let endsAt = login.lapsesAt - Self.finalStatus
        view.isEnding = now >= endsAt
        if !view.isEnding { view.changesAt = endsAt }
        // Nothing leads back from the page of a code that is used up, if there was nothing but the code.
        guard kind == .awaitingReturn || !view.isCodeOnly else { return view }
        view.timeLeft = login.lapsesAt - now
        view.hasMoreTime = login.hasMoreTime(snapshot.returnTimeout)
        return view
    }

    /// Returns the page for a browser whose authorization attempt could not be made.
    func page(after error: BrokerError, of snapshot: LoginSnapshot) -> PageView {
        // We could not ask. The broker may be well.
        self.page(error.kind == .notAsked ? .busy : .unavailable, of: snapshot)
    }

    /// Returns the page for a browser that was refused with this error.
    func page(after error: LoginFlowError, of snapshot: LoginSnapshot) -> PageView {
        let refusal = PageView(after: error)
        var view = self.page(refusal.kind, of: snapshot)
        view.retryAfter = refusal.retryAfter
        return view
    }

    private func finalPage(of snapshot: LoginSnapshot, _ status: TombstoneStatus) -> PageView {
        switch status {
        case .delivered: self.page(.acknowledged, of: snapshot)
        case .unclaimed: self.page(.over, of: snapshot)
        case .failed(let reason): self.page(.failed(reason), of: snapshot)
        case .cancelled: self.page(.cancelled, of: snapshot)
        case .expired: self.page(.expired, of: snapshot)
        }
    }

    /// Returns the page for a response that was taken back or replaced by another one: the browser has a valid token,
    /// and the login continued without it.
    private func otherPage(of snapshot: LoginSnapshot) -> PageView {
        let isOpen = snapshot.login.isOpen && snapshot.login.acceptedResponse == nil
        return self.page(isOpen ? .openElsewhere : .continuedElsewhere, of: snapshot)
    }
}
