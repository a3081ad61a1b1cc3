import Foundation
import Testing

@testable import SwitchbackUI

/// What a request to an API does after each of the API's challenges.
@Suite struct ProtectedCallTests {
    /// One response of an API.
    struct Reply: Sendable {
        var status = 401
        var field: String?
        var nonce: String?
    }

    private actor Log {
        private(set) var lines: [String] = []
        func add(_ line: String) -> Int {
            self.lines.append(line)
            return self.lines.filter { $0.hasPrefix("send") }.count
        }
    }

    static let nonceWanted = Reply(field: #"DPoP error="use_dpop_nonce", algs="ES256""#, nonce: "n1")
    static let expired = Reply(field: #"Bearer, DPoP realm="a", error="invalid_token""#)
    static let stepUp = Reply(field: #"DPoP error="insufficient_user_authentication", acr_values="high""#)
    static let success = Reply(status: 200)

    /// The API's responses in their order, and what is done.
    static let rows: [(replies: [Reply], lines: [String])] = [
        ([success], ["send -"]), ([nonceWanted, success], ["send -", "send n1"]),
        ([expired, success], ["send -", "renew", "send -"]),
        ([expired, expired], ["send -", "renew", "send -"]),
        ([stepUp, success], ["send -", "step up", "send -"]),
        ([nonceWanted, expired, stepUp, success], ["send -", "send n1", "renew", "send n1", "step up", "send n1"]),
        ([nonceWanted, nonceWanted], ["send -", "send n1"]),
        ([Reply(field: #"DPoP error="use_dpop_nonce""#)], ["send -"]),
        ([Reply(field: "DPoP")], ["send -"]), ([Reply()], ["send -"]),
        ([Reply(status: 403, field: stepUp.field)], ["send -"]),
    ]

    @Test("each challenge is answered once", arguments: rows.indices) func eachChallenge(_ index: Int) async throws {
        let (row, log) = (Self.rows[index], Log())
        let call = ProtectedCall<Reply>(
            fields: { ["nonce": $0 ?? "-"] }, renew: { _ = await log.add("renew") },
            stepUp: { _ = await log.add("step up") },
            send: { row.replies[min(await log.add("send \($0["nonce"] ?? "")"), row.replies.count) - 1] },
            read: { (APIChallenge(status: $0.status, field: $0.field), $0.nonce) })
        let reply = try await call.run()
        #expect(await log.lines == row.lines)
        #expect(reply.status == row.replies.last?.status)
    }

    @Test("an app that logs in itself gets the challenge") func anAppThatLogsInItself() async throws {
        let call = ProtectedCall<Reply>(
            fields: { _ in [:] }, renew: {}, stepUp: nil, send: { _ in Self.stepUp },
            read: { (APIChallenge(status: $0.status, field: $0.field), $0.nonce) })
        #expect(try await call.run().status == 401)
    }
}
