/// Runs one login: passes events to its reducer and performs the effects, one event after the other.
import Foundation

struct LoginRun: Sendable {
    let surroundings: Surroundings
    let store: any OpenLogins
    let session: LoginSession

    /// Returns true when the login is over, and false when the session was closed before that.
    func run(_ first: LoginReducer) async -> Bool {
        var reducer = first
        var hands = Hands()
        for await said in self.session.events {
            let effects = reducer.take(said.event, at: self.surroundings.now(), chance: self.surroundings.chance)
            for effect in effects {
                guard await self.run(effect, &hands) else { break }
            }
            said.receipt?.done()
            if reducer.isOver { break }
        }
        hands.letGo()
        self.session.close()
        return reducer.isOver
    }

    /// The request and the timer that are running.
    private struct Hands {
        var request: Task<Void, Never>?
        var timer: Task<Void, Never>?

        func letGo() {
            self.request?.cancel()
            self.timer?.cancel()
        }
    }

    /// Returns false when the effects after this one must not be performed.
    private func run(_ effect: LoginReducer.Effect, _ hands: inout Hands) async -> Bool {
        switch effect {
        case .storeFirst(let record):
            guard await self.save(record) else {
                self.session.say(.storeFailed)
                return false
            }
        case .store(let record):
            _ = await self.save(record)
        case .forget(let id):
            // If this fails, the record stays. The next start asks the server, which no longer has the login.
            try? await self.store.remove(id)
        case .send(let number, let request):
            hands.request = self.send(request, number)
        case .abandon:
            hands.request?.cancel()
        case .wake(let moment):
            hands.timer?.cancel()
            hands.timer = self.wake(at: moment)
        case .present(let state):
            self.session.tell(state)
        }
        return true
    }

    private func save(_ record: OpenLogin) async -> Bool {
        self.session.know(record)
        do {
            try await self.store.save(record)
            return true
        } catch {
            return false
        }
    }

    private func send(_ request: HTTPRequest, _ number: Int) -> Task<Void, Never> {
        Task { [surroundings, session] in
            do {
                session.say(.answered(number, try await surroundings.transport(request)))
            } catch {
                session.say(.unanswered(number))
            }
        }
    }

    private func wake(at moment: Moment) -> Task<Void, Never> {
        Task { [surroundings, session] in
            let seconds = moment.secondsSince(surroundings.now())
            guard (try? await surroundings.sleep(seconds)) != nil else { return }
            session.say(.timeCame)
        }
    }
}
