// How the library of the base commit names what it reports: its values are enumerations.

import SwitchbackClient

extension Report {
    init(_ state: LoginState) {
        let login = state.login
        self.init(kind: "", status: login?.status.rawValue, isFinal: state.isFinal)
        self.reason = login?.reason?.code.name
        self.login = login?.id
        self.subject = login?.identity?.subject
        self.hasAssertion = login?.assertion != nil
        switch state {
        case .starting: self.kind = "starting"
        case .inProgress(_, let action):
            self.kind = "in_progress"
            if let action { self.read(action) }
        case .paused: self.kind = "paused"
        case .wrongCode(let triesLeft, _): (self.kind, self.triesLeft) = ("wrong_code", triesLeft)
        case .retrying: self.kind = "retrying"
        case .finished: self.kind = "finished"
        case .failed(let error): (self.kind, self.error) = ("failed", error.description)
        }
    }

    private mutating func read(_ action: NextAction) {
        switch action {
        case .openBrowser(let launch): (self.action, self.url) = ("open_browser", launch.url)
        case .resumeBrowser(let launch): (self.action, self.url) = ("resume_browser", launch.url)
        case .showBrowser: self.action = "show_browser"
        case .openApp: self.action = "open_app"
        case .enterCode: self.action = "enter_code"
        case .wait: self.action = "wait"
        }
    }
}
