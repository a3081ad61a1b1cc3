// How today's library names what it reports: its values are structures with a code.

import SwitchbackClient

extension Report {
    init(_ state: LoginState) {
        let login = state.login
        self.init(kind: state.kind.code, status: login?.status.code, isFinal: state.isFinal)
        self.action = state.action?.kind.code
        self.url = state.action?.browser?.url
        self.triesLeft = state.triesLeft
        self.reason = login?.reason?.code.code
        self.error = state.error?.description
        self.login = login?.id
        self.subject = login?.identity?.subject
        self.hasAssertion = login?.assertion != nil
    }
}
