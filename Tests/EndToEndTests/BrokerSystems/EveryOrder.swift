/// Every system and flow, in every order of events that can happen, on every platform and surface: the login completes, with
/// who it was, for a proof where one can be had.
import Foundation
import JOSE
import SwitchbackClient
import Testing

@Suite struct EveryOrder {
    /// With all tests every order on every platform and surface, else every order on one of them.
    private static let wantsAll = ProcessInfo.processInfo.environment["SWITCHBACK_TEST_ALL"] == "1"

    @Test func thereAreSoMany() {
        #expect(EventOrder.all.count == 49)
        #expect(SystemFlow.all.count >= 10)
    }

    @Test(arguments: SystemFlow.all) func logsIn(_ flow: SystemFlow) async throws {
        let server = try await flow.start()
        let places = EventOrder.Place.all(of: flow)
        for (number, order) in EventOrder.all.enumerated() {
            for place in Self.wantsAll ? places : [places[number % places.count]] {
                do {
                    try await self.logIn(flow, order, place, at: server)
                } catch {
                    Issue.record("\(order); \(place): \(error) \(server.log.text.suffix(400))")
                }
            }
        }
        await server.stop()
    }

    private func logIn(
        _ flow: SystemFlow, _ order: EventOrder, _ place: EventOrder.Place, at server: RunningServer
    ) async throws {
        var phone = ScriptedPhone(server.url)
        defer { phone.stop() }
        phone.start(flow.variant.name, platform: place.platform, surface: place.surface)
        guard let first = try await phone.next() else { throw TestClient.Failure(description: "nothing to do") }
        try await phone.perform(first)
        let link = phone.browser?.comeBack ?? RunningServer.returnPrefix
        for event in order.events {
            switch event {
            case .approval: try await phone.approve(person: flow.person)
            case .link: await phone.open(link)
            case .foreground:
                phone.background()
                phone.foreground()
            case .kill: try await phone.kill()
            }
        }
        try await self.end(&phone)
        guard let login = phone.login else { throw TestClient.Failure(description: "no end") }
        #expect(login.status == .completed, "\(order); \(place) \(String(describing: login.reason))")
        #expect(flow.problems(login.identity) == [], "\(order); \(place)")
        if flow.isImmediate {
            #expect(login.proof == "none")
        } else {
            #expect(
                ["callback_link", "switch_link", "page_link", "page_code"].contains(login.proof ?? ""),
                "\(order); \(place) \(login.proof ?? "")")
        }
    }

    /// What is left to do after the approval; where the app was killed in its last moment, it may have ended unseen.
    private func end(_ phone: inout ScriptedPhone) async throws {
        while let next = try await phone.next() {
            try await phone.perform(next)
            switch next {
            // A session that has ended at the app's link: its proof is on the way.
            case .showBrowser where phone.browser == nil: break
            case .showBrowser, .enterCode: try await phone.goAlong(with: next)
            case .openBrowser, .resumeBrowser, .openApp, .wait: break
            }
        }
    }
}
