import Foundation

/// Runs one session: passes events to its reducer and performs the effects, one event after the other.
struct SessionRunner: Sendable {
    let server: URL
    let app: String
    let storage: any SessionStorage
    let keys: any SessionKeyStore
    let dependencies: LoginClientDependencies
    let callers: SessionCallers
    let events: AsyncStream<SessionReducer.Event>.Continuation
    let publish: @Sendable (SessionState) -> Void

    func run(_ stream: AsyncStream<SessionReducer.Event>) async {
        var loaded: SessionReducer?
        var tasks: [Int: Task<Void, Never>] = [:]
        var timer: Task<Void, Never>?
        for await event in stream {
            if loaded == nil {
                guard let record = await self.load() else {
                    // Before the first unlock of the device nothing can be read. That signs nobody out.
                    if let caller = event.caller { self.callers.complete(caller, .failed(.storageFailed)) }
                    continue
                }
                var reducer = SessionReducer(record, server: self.server, app: self.app)
                let effects = reducer.handle(.started, at: self.moment)
                loaded = reducer
                for effect in effects { await self.perform(effect, &tasks, &timer) }
            }
            guard var reducer = loaded else { continue }
            let effects = reducer.handle(event, at: self.moment)
            loaded = reducer
            for effect in effects { await self.perform(effect, &tasks, &timer) }
        }
        for task in tasks.values { task.cancel() }
        timer?.cancel()
        self.callers.close()
    }

    private func load() async -> SavedSession? {
        do {
            return try await self.storage.load() ?? SavedSession()
        } catch {
            return nil
        }
    }

    private var moment: SessionReducer.Moment {
        SessionReducer.Moment(
            instant: self.dependencies.now(), date: self.dependencies.date(),
            proofID: Base64URL.encode(PINSecret.randomBytes(16, using: self.dependencies.random)),
            jitter: self.dependencies.jitter)
    }

    private func perform(
        _ effect: SessionReducer.Effect, _ tasks: inout [Int: Task<Void, Never>], _ timer: inout Task<Void, Never>?
    ) async {
        switch effect {
        case .storeFirst(let number, let record):
            let isStored = await self.save(record)
            self.events.yield(isStored ? .stored(number) : .storeFailed(number))
        case .store(let record):
            _ = await self.save(record)
        case .findKey(let number, let name, let mayMake):
            tasks = [number: self.findKey(number, name, mayMake: mayMake)]
        case .removeKeys(let name):
            await self.keys.removeKeys(name)
        case .sign(let number, let name, let text):
            tasks = [number: self.sign(number, name, text)]
        case .send(let number, let request):
            tasks = [number: self.send(number, request)]
        case .abandon(let number):
            tasks.removeValue(forKey: number)?.cancel()
        case .wake(let time):
            timer?.cancel()
            timer = self.wake(at: time)
        case .complete(let caller, let reply):
            self.callers.complete(caller, reply)
        case .present(let state):
            let reason = state.signOutReason?.code ?? state.lockReason?.code
            self.dependencies.log(
                LogEvent(.sessionState, reference: nil, ["state": state.kind.code, "reason": reason]))
            self.publish(state)
        }
    }

    private func save(_ record: SavedSession) async -> Bool {
        do {
            try await self.storage.save(record)
            return true
        } catch {
            return false
        }
    }

    private func findKey(_ number: Int, _ name: String, mayMake: Bool) -> Task<Void, Never> {
        Task { [keys, events] in
            do throws(SessionKeyError) {
                if let key = try await keys.key(name) {
                    events.yield(.keyFound(number, key.publicKey))
                } else if mayMake {
                    events.yield(.keyFound(number, try await keys.makeKey(name).publicKey))
                } else {
                    events.yield(.keyFailed(number, .gone))
                }
            } catch {
                events.yield(.keyFailed(number, error))
            }
        }
    }

    private func sign(_ number: Int, _ name: String, _ text: String) -> Task<Void, Never> {
        Task { [keys, events] in
            do throws(SessionKeyError) {
                guard let key = try await keys.key(name) else { throw .gone }
                events.yield(.signed(number, try await key.sign(Data(text.utf8))))
            } catch {
                events.yield(.keyFailed(number, error))
            }
        }
    }

    private func send(_ number: Int, _ request: HTTPRequest) -> Task<Void, Never> {
        Task { [dependencies, events] in
            do {
                let response = try await dependencies.send(request, as: request.sessionCallName, reference: nil)
                events.yield(.responded(number, response))
            } catch {
                events.yield(.requestFailed(number))
            }
        }
    }

    private func wake(at time: MonotonicInstant) -> Task<Void, Never> {
        Task { [dependencies, events] in
            let seconds = time.secondsSince(dependencies.now())
            guard (try? await dependencies.sleep(seconds)) != nil else { return }
            events.yield(.timerFired)
        }
    }
}

extension SessionReducer.Event {
    /// The caller that waits for the reply to this event. Nil if none does.
    var caller: SessionCaller? {
        switch self {
        case .recordWanted(let caller), .keyWanted(let caller, _), .beginWanted(let caller, _, _, _, _),
            .tokenWanted(let caller, _), .unlockWanted(let caller, _), .pinChosen(let caller, _, _),
            .listWanted(let caller), .endWanted(let caller, _), .signOutWanted(let caller):
            caller
        case .started, .pinsLost, .biometricsChanged, .lockWanted, .keyGone, .stored, .storeFailed, .keyFound,
            .keyFailed, .signed, .responded, .requestFailed, .timerFired:
            nil
        }
    }
}

extension HTTPRequest {
    /// The request's name in the log.
    fileprivate var sessionCallName: String {
        switch (self.method, self.url.lastPathComponent) {
        case (_, "token"): "session_renew"
        case (_, "revoke"): "session_revoke"
        case (_, "pin"): "session_pin"
        case ("POST", _): "session_begin"
        case ("DELETE", _): "session_end"
        default: "session_list"
        }
    }
}
