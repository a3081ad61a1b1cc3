import Foundation
import Testing

@testable import SwitchbackClient

/// A state with any number of readers.
@Suite struct StateBroadcastTests {
    private static func login(_ next: String = Example.openBrowser, version: Int = 1) throws -> Login {
        try #require(Login(Example.login(version: version, next: next).body, at: MonotonicInstant(seconds: 0)))
    }

    private static func opening() throws -> LoginState {
        let login = try Self.login()
        return .inProgress(login, action: login.next)
    }

    /// Reads so many states, and goes away.
    private static func read<State>(_ count: Int, of stream: AsyncStream<State>) async -> [State] {
        var states: [State] = []
        for await state in stream {
            states.append(state)
            if states.count == count { break }
        }
        return states
    }

    @Test("every reader begins with the present state") func everyReaderBeginsWithThePresentState() async throws {
        let broadcast = StateBroadcast<LoginState>()
        let early = broadcast.makeStream()
        broadcast.publish(.starting)
        let late = broadcast.makeStream()
        let pausedState = LoginState.paused(try Self.login())
        broadcast.publish(pausedState)
        #expect(await Self.read(2, of: early) == [.starting, pausedState])
        #expect(await Self.read(2, of: late) == [.starting, pausedState])
        #expect(await Self.read(1, of: broadcast.makeStream()) == [pausedState])
        #expect(broadcast.present == pausedState)
    }

    enum Leaving: CaseIterable {
        case cancelled, broken, unread
    }

    /// A view that is removed cancels its task.
    @Test("a reader that goes away ends nothing", arguments: Leaving.allCases)
    func aReaderThatGoesAwayEndsNothing(_ leaving: Leaving) async throws {
        let broadcast = StateBroadcast<LoginState>()
        let stays = broadcast.makeStream()
        switch leaving {
        case .cancelled:
            let task = Task { await Self.read(9, of: broadcast.makeStream()) }
            broadcast.publish(.starting)
            task.cancel()
            _ = await task.value
        case .broken:
            broadcast.publish(.starting)
            _ = await Self.read(1, of: broadcast.makeStream())
        case .unread:
            _ = broadcast.makeStream()
            broadcast.publish(.starting)
        }
        broadcast.publish(.failed(.gone))
        broadcast.finish()
        #expect(await Self.read(9, of: stays) == [.starting, .failed(.gone)])
        #expect(await Self.read(9, of: broadcast.makeStream()) == [.failed(.gone)], "the final state, and the end")
    }

    @Test("a waiting reader ends when its task is cancelled") func aWaitingReaderEnds() async {
        let broadcast = StateBroadcast<SessionState>()
        let task = Task { await Self.read(9, of: broadcast.makeStream()) }
        await Task.yield()
        task.cancel()
        #expect(await task.value == [])
    }

    @Test("nothing is published after the end") func nothingIsPublishedAfterTheEnd() async {
        let broadcast = StateBroadcast<LoginState>()
        broadcast.finish()
        broadcast.publish(.starting)
        #expect(await Self.read(9, of: broadcast.makeStream()) == [])
        #expect(broadcast.present == nil)
    }

    @Test("a slow reader skips states only where it may", arguments: [true, false])
    func aSlowReaderSkipsStates(_ keepsOnlyLatest: Bool) async {
        let broadcast = StateBroadcast<SessionState>(keepsOnlyLatest: keepsOnlyLatest)
        let stream = broadcast.makeStream()
        let states = [SessionState.stepUpRequired, .pinRequired(triesLeft: 4), .active(needsPIN: false)]
        for state in states { broadcast.publish(state) }
        broadcast.finish()
        #expect(await Self.read(9, of: stream) == (keepsOnlyLatest ? [.active(needsPIN: false)] : states))
    }

    // MARK: - Actions

    @Test("an action goes to all who read, and to nobody later") func anActionGoesToAllWhoRead() async throws {
        let broadcast = StateBroadcast<LoginState>()
        let opening = try Self.opening()
        let (one, other) = (broadcast.makeStream(), broadcast.makeStream())
        broadcast.publish(opening)
        #expect(await Self.read(1, of: one) == [opening])
        #expect(await Self.read(1, of: other) == [opening])
        #expect(await Self.read(1, of: broadcast.makeStream()) == [opening.withoutAction])
        #expect(broadcast.present == opening.withoutAction)
    }

    /// What is published after an action that nobody has got, and whether the next reader gets the action then.
    static func laterStates() throws -> [(later: [LoginState], isDelivered: Bool)] {
        let (same, other) = (try Self.login(version: 2), try Self.login(#"{"action": "wait"}"#, version: 2))
        return [
            ([], true), ([.inProgress(same, action: nil)], true), ([.inProgress(other, action: nil)], false),
            ([.retrying(.noResponse, same), .inProgress(same, action: nil)], true),
            ([.retrying(.noResponse, other), .inProgress(other, action: nil)], false),
            ([.paused(same)], false), ([.paused(same), .inProgress(same, action: nil)], false),
            ([.wrongCode(triesLeft: 1, same)], false), ([.finished(same)], false), ([.failed(.gone)], false),
        ]
    }

    @Test("an action that nobody has got waits for a reader while it is the thing to do", arguments: 0..<10)
    func anActionWaitsForAReader(_ index: Int) async throws {
        let row = try Self.laterStates()[index]
        let opening = try Self.opening()
        for wasUnread in [false, true] {
            let broadcast = StateBroadcast<LoginState>()
            if wasUnread {
                let stream = broadcast.makeStream()
                broadcast.publish(opening)
                _ = consume stream
            } else {
                broadcast.publish(opening)
            }
            for state in row.later { broadcast.publish(state) }
            let state = await Self.read(1, of: broadcast.makeStream()).first
            #expect(state?.hasAction == row.isDelivered, "\(String(describing: state))")
            #expect(state?.withoutAction == broadcast.present)
        }
    }

    @Test("a link that has less time is the same action") func aLinkThatHasLessTime() async throws {
        func state(_ seconds: Int) throws -> LoginState {
            let next = #"{"action": "open_app", "custom_scheme": "e:x", "expires_in": \#(seconds)}"#
            let login = try Self.login(next)
            return .inProgress(login, action: login.next)
        }
        let broadcast = StateBroadcast<LoginState>()
        broadcast.publish(try state(60))
        broadcast.publish(try state(50).withoutAction)
        #expect(await Self.read(1, of: broadcast.makeStream()).first?.action?.kind == .openApp)
    }

    @Test("an action that waits during a retry comes after it") func anActionComesAfterTheRetry() async throws {
        let broadcast = StateBroadcast<LoginState>()
        let opening = try Self.opening()
        let login = try Self.login()
        broadcast.publish(opening)
        broadcast.publish(.retrying(.noResponse, login))
        let stream = broadcast.makeStream()
        broadcast.publish(opening.withoutAction)
        broadcast.publish(opening.withoutAction)
        broadcast.finish()
        #expect(
            await Self.read(9, of: stream) == [.retrying(.noResponse, login), opening, opening.withoutAction])
    }
}
