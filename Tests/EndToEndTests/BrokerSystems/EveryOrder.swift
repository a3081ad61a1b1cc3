/// Every system and flow, in every order of events that can happen, on every platform and surface: the login completes, with
/// who it was, for a proof where one can be had.
import Foundation
import JOSE
import SwitchbackClient
import TestSupport
import Testing

@Suite struct EveryOrder {
    private static let atOnce = 4

    @Test func thereAreSoMany() {
        #expect(EventOrder.all.count == 49)
        #expect(SystemFlow.all.count == 12)
    }

    /// In a soak every order on every platform and surface; with all tests each on half of them, the next order on the other
    /// half; else an eighth of the orders on one.
    private static func walks(of flow: SystemFlow) -> [(EventOrder, EventOrder.Place)] {
        let places = EventOrder.Place.all(of: flow)
        let orders = Array(EventOrder.all.enumerated())
        if TestTier.isSoak || TestTier.isWhole {
            return orders.flatMap { number, order in
                places.enumerated().filter { TestTier.isSoak || ($0.offset + number) % 2 == 0 }
                    .map { (order, $0.element) }
            }
        }
        let index = SystemFlow.all.firstIndex { $0.name == flow.name } ?? 0
        return orders.filter { $0.offset % 8 == index % 8 }.map { ($0.element, places[$0.offset % places.count]) }
    }

    @Test(arguments: SystemFlow.all) func logsIn(_ flow: SystemFlow) async throws {
        let server = try await flow.start()
        await withTaskGroup(of: Void.self) { group in
            for (number, (order, place)) in Self.walks(of: flow).enumerated() {
                if number >= Self.atOnce { await group.next() }
                group.addTask {
                    do {
                        try await self.logIn(flow, order, place, at: server)
                    } catch {
                        Issue.record("\(order); \(place): \(error) \(server.log.text.suffix(400))")
                    }
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
