import Foundation

/// Runs one login: passes events to its reducer and performs the effects, one event after the other.
struct LoginRunner: Sendable {
    let dependencies: LoginClientDependencies
    let store: any SavedLoginStore
    let session: LoginSession

    /// Returns true when the login is over, and false when the session was closed before that.
    func run(_ first: LoginReducer) async -> Bool {
        var reducer = first
        var tasks = Tasks()
        for await queuedEvent in self.session.events {
            let effects = reducer.handle(
                queuedEvent.event, at: self.dependencies.now(), jitter: self.dependencies.jitter)
            for effect in effects {
                guard await self.run(effect, &tasks) else { break }
            }
            queuedEvent.receipt?.complete()
            self.dependencies.observe(.handled)
            if reducer.isOver { break }
        }
        tasks.cancelAll()
        self.session.close()
        self.dependencies.observe(.ended)
        return reducer.isOver
    }

    /// The request and the timer that are running.
    private struct Tasks {
        var request: Task<Void, Never>?
        var timer: Task<Void, Never>?

        func cancelAll() {
            self.request?.cancel()
            self.timer?.cancel()
        }
    }

    /// Returns false when the effects after this one must not be performed.
    private func run(_ effect: LoginReducer.Effect, _ tasks: inout Tasks) async -> Bool {
        switch effect {
        case .storeFirst(let record):
            guard await self.save(record) else {
                self.session.send(.storeFailed)
                return false
            }
        case .store(let record):
            _ = await self.save(record)
        case .forget(let id):
            // If this fails, the record stays. The next start asks the server, which no longer has the login.
            try? await self.store.remove(id)
        case .send(let number, let request):
            self.dependencies.observe(.sends)
            tasks.request = self.send(request, number)
        case .abandon:
            tasks.request?.cancel()
        case .wake(let moment):
            tasks.timer?.cancel()
            self.dependencies.observe(.waits)
            tasks.timer = self.wake(at: moment)
        case .present(let state):
            self.log(state)
            self.dependencies.observe(.shows)
            self.session.publish(state)
        }
        return true
    }

    private func save(_ record: SavedLogin) async -> Bool {
        self.session.update(record)
        do {
            try await self.store.save(record)
            return true
        } catch {
            self.dependencies.log(LogEvent(.notStored, reference: self.session.reference))
            return false
        }
    }

    private func log(_ state: LoginState) {
        let login = state.login
        if login?.isNextUnreadable == true {
            self.dependencies.log(LogEvent(.unreadableURL, reference: login?.reference))
        }
        self.dependencies.log(
            LogEvent(
                .loginState, reference: state.reference,
                [
                    "state": state.kind.code, "action": state.action?.kind.code, "status": login?.status.code,
                    "reason": login?.reason?.code.code ?? state.transientError?.code,
                    "error": state.error?.problem?.code ?? state.error?.kind.code,
                ]))
    }

    private func send(_ request: HTTPRequest, _ number: Int) -> Task<Void, Never> {
        Task { [dependencies, session] in
            do {
                let response = try await dependencies.send(request, as: request.callName, reference: session.reference)
                session.keepNonce(of: response)
                session.send(.responded(number, response))
            } catch {
                session.send(.requestFailed(number))
            }
        }
    }

    private func wake(at moment: MonotonicInstant) -> Task<Void, Never> {
        Task { [dependencies, session] in
            let seconds = moment.secondsSince(dependencies.now())
            guard (try? await dependencies.sleep(seconds)) != nil else { return }
            session.send(.timerFired)
        }
    }
}

extension HTTPRequest {
    /// The request's name in the log: the last part of its path that is no id.
    fileprivate var callName: String {
        switch (self.method, self.url.lastPathComponent) {
        case (_, "return"): "return"
        case (_, "cancel"): "cancel"
        case ("POST", _): "create"
        case ("DELETE", _): "acknowledge"
        default: "poll"
        }
    }
}
