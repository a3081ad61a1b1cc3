/// What a browser is shown of a login.
import Base
import Brokers

extension LoginFlow {
    /// The last part of the time in which a result waits for its proof. The page then says that it is nearly over.
    private static let ending = Duration.seconds(60)

    /// What the page of this token says now; nil when it is not one of ours. The store is asked only for a token of ours.
    package func page(_ pageToken: String) async -> PageView? {
        guard let token = PageToken(pageToken, keys: self.book.keys) else { return nil }
        do throws(Refusal) {
            guard let found = try await self.change(token.login, { _, _ in }) else { return nil }
            guard let taken = found.login.taken, token.shows(taken, under: found.key) else {
                return self.otherPage(of: found.login)
            }
            return self.page(of: found.login, found.key)
        } catch {
            return PageView(.unavailable)
        }
    }

    /// The login whose page a token shows, to wait for. Nil for a token that is not ours.
    package func login(ofPage pageToken: String) -> LoginID? { PageToken(pageToken, keys: self.book.keys)?.login }

    /// With a key, for the browser that brought the broker's answer: its page may hold the proof.
    func page(of login: Login, _ key: ServerKey? = nil) -> PageView {
        switch login.state {
        // The browser is back, and the broker has yet to say so.
        case .pending where login.taken != nil: self.page(.completing, of: login, key)
        case .pending: self.page(.neutral, of: login)
        case .exchanging: self.page(.completing, of: login, key)
        // The way back to the app stands in the browser that brought the answer.
        case .awaitingReturn where key == nil: self.page(.openElsewhere, of: login)
        case .awaitingReturn: self.page(login.mayTryCode ? .awaitingReturn : .codeUsedUp, of: login, key)
        case .completed: self.page(.completed, of: login)
        case .failed(let reason, _): self.page(.failed(reason), of: login)
        case .cancelled: self.page(.cancelled, of: login)
        case .expired: self.page(.expired, of: login)
        // A person who has only the link of a finished login learns only that it is over.
        case .gone where key == nil: login.taken == nil ? PageView(.neutral) : self.page(.over, of: login)
        case .gone(let ending, _): self.lastPage(of: login, ending)
        }
    }

    func page(_ kind: PageView.Kind, of login: Login, _ key: ServerKey? = nil) -> PageView {
        guard kind != .neutral else { return PageView(.neutral) }
        var view = PageView(kind, reference: login.id.reference, app: login.app, locale: login.locale)
        view.returnURL = self.returnURL(of: login, key)
        view.changesAt = login.lapsesAt
        guard kind == .awaitingReturn || kind == .codeUsedUp, let key else { return view }
        view.isCodeOnly = self.needsCode(login)
        if kind == .awaitingReturn { view.code = self.proof(of: login, key)?.code }
        let ending = login.lapsesAt - Self.ending
        view.isEnding = self.now() >= ending
        if !view.isEnding { view.changesAt = ending }
        return view
    }

    private func lastPage(of login: Login, _ ending: Ending) -> PageView {
        switch ending {
        case .delivered: self.page(.acknowledged, of: login)
        case .unclaimed: self.page(.over, of: login)
        case .failed(let reason): self.page(.failed(reason), of: login)
        case .cancelled: self.page(.cancelled, of: login)
        case .expired: self.page(.expired, of: login)
        }
    }

    /// The page of a response that was taken and given back, or that another one took the place of: this browser has a
    /// token of ours, and the login went on without it.
    private func otherPage(of login: Login) -> PageView {
        let isOpen = login.isOpen && login.taken == nil
        return self.page(isOpen ? .openElsewhere : .continuedElsewhere, of: login)
    }
}
