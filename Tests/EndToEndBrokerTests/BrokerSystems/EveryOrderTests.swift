import EndToEndSupport
import Foundation
import SwitchbackClient
import TestSupport
import Testing

/// Every system and flow, in every possible order of events, on every platform and surface: the login completes with
/// the right identity, and with a proof where the flow has one.
@Suite struct EveryOrderTests {
    private static let atOnce = 4

    @Test func `there are as many orders as expected`() {
        #expect(EventOrder.all.count == 49)
        #expect(EventOrder.closings.count == 636)
        #expect(SystemFlow.all.count == 12)
    }

    typealias Walk = (order: EventOrder, place: EventOrder.Place)

    /// A soak runs every order on every platform and surface, and other runs a few that the seed chooses.
    private static func walks(of flow: SystemFlow) -> [Walk] {
        let places = EventOrder.Place.all(of: flow)
        let walks = EventOrder.all.flatMap { order in places.map { (order, $0) } }
        return Self.sample(of: walks, "orders of \(flow.name)", oneOf: 48)
    }

    /// A soak runs every order on each platform, with each surface in turn, and other runs a few that the seed chooses.
    private static func closings(of flow: SystemFlow) -> [Walk] {
        let places = EventOrder.Place.all(of: flow)
        let walks = EventOrder.closings.enumerated().flatMap { number, order in
            places.enumerated().filter { ($0.offset + number) % 3 == 0 }.map { (order, $0.element) }
        }
        return Self.sample(of: walks, "closings of \(flow.name)", oneOf: 160)
    }

    private static func sample(of walks: [Walk], _ name: String, oneOf share: Int) -> [Walk] {
        TestTier.isSoak ? TestTier.soakRows(walks) : TableSample.rows(name, of: walks, oneOf: share) { _ in [] }
    }

    @Test(arguments: SystemFlow.all)
    func `a login completes in every order of events`(_ flow: SystemFlow) async throws {
        try await self.play(Self.walks(of: flow), flow)
    }

    /// Phones report minimised tabs and app switches as closed browsers, and they kill apps. The user who approves is
    /// logged in.
    @Test(arguments: SystemFlow.all)
    func `a login completes though the browser is reported as closed`(_ flow: SystemFlow) async throws {
        try await self.play(Self.closings(of: flow), flow)
    }

    private func play(_ walks: [Walk], _ flow: SystemFlow) async throws {
        let server = try await flow.start()
        await withTaskGroup(of: Void.self) { group in
            for (number, (order, place)) in walks.enumerated() {
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
        let link = phone.browser?.reportReturn ?? RunningServer.returnPrefix
        for event in order.events {
            switch event {
            case .approval: try await phone.approve(person: flow.person)
            case .link: await phone.open(link)
            case .foreground:
                phone.background()
                phone.foreground()
            case .kill: try await phone.kill()
            case .minimised: phone.minimiseBrowser()
            case .closed: phone.closeBrowser()
            case .killedWithBrowser: try await phone.kill(withBrowser: true)
            }
        }
        // The steps that remain after the approval. An app that was killed at the last step may have missed the end.
        try await phone.goOn()
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
}
