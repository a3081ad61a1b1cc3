// Events that tell of a session as it was read from the store.

extension SessionEvent {
    init(_ step: Step, _ session: Session) {
        guard let active = session.active else {
            self.init(step, session: session.id, app: session.app)
            return
        }
        self.init(step, session, active)
    }

    init(_ step: Step, _ session: Session, _ active: ActiveSession) {
        self.init(
            step, session: session.id, app: session.app, provider: active.login.provider, platform: active.platform,
            level: active.level)
    }
}
