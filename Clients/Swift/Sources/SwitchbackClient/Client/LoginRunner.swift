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
            if reducer.isOver { break }
        }
        tasks.cancelAll()
        self.session.close()
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
            tasks.request = self.send(request, number)
        case .abandon:
            tasks.request?.cancel()
        case .wake(let moment):
            tasks.timer?.cancel()
            tasks.timer = self.wake(at: moment)
        case .present(let state):
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
            return false
        }
    }

    private func send(_ request: HTTPRequest, _ number: Int) -> Task<Void, Never> {
        Task { [dependencies, session] in
            do {
                let response = try await dependencies.transport(request)
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
