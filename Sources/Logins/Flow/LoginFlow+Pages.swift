/// What a browser is shown of a login.
import Brokers
import JOSE

extension LoginFlow {
    /// With a key, for the browser that brought the broker's answer: its page may hold the proof.
    func page(of login: Login, _ key: ServerKey? = nil) -> PageView {
        switch login.state {
        // The browser is back, and the broker has yet to say so.
        case .pending where login.taken != nil: self.page(.completing, of: login, key)
        case .pending, .gone: self.page(.neutral, of: login)
        case .exchanging: self.page(.completing, of: login, key)
        // The way back to the app stands in the browser that brought the answer.
        case .awaitingReturn: self.page(key == nil ? .openElsewhere : .awaitingReturn, of: login, key)
        case .completed: self.page(.completed, of: login)
        case .failed(let reason, _): self.page(.failed(reason), of: login)
        case .cancelled: self.page(.cancelled, of: login)
        case .expired: self.page(.expired, of: login)
        }
    }

    func page(_ kind: PageView.Kind, of login: Login, _ key: ServerKey? = nil) -> PageView {
        guard kind != .neutral else { return PageView(.neutral) }
        var view = PageView(kind, reference: login.id.reference, app: login.app, locale: login.locale)
        view.returnURL = self.returnURL(of: login, key)
        if kind == .awaitingReturn, let key { view.code = self.proof(of: login, key)?.code }
        return view
    }
}
