import Outbound
import Testing

@testable import Telemetry

/// When spans are sent again, and when they are given up (OTLP, "Failures").
@Suite struct ExportBackoffTests {
    @Test(arguments: [
        (200, nil as String?, ExportBackoff.Verdict.taken), (202, nil, .taken), (400, nil, .refused),
        (401, nil, .refused),
        (404, nil, .refused), (413, nil, .refused), (500, nil, .refused), (302, nil, .refused), (429, nil, .later(nil)),
        (502, nil, .later(nil)), (503, nil, .later(nil)), (504, nil, .later(nil)), (503, "7", .later(.seconds(7))),
        (503, "-7", .later(.zero)), (503, "soon", .later(nil)), (400, "7", .refused),
    ]) func `the status decides`(_ status: Int, _ retryAfter: String?, _ expected: ExportBackoff.Verdict) {
        let fields = retryAfter.map { [("retry-after", $0)] } ?? []
        let response = OutboundResponse(status: status, fields: fields.map { .init($0.0, $0.1) })
        #expect(ExportBackoff.verdict(response) == expected)
    }

    @Test func `pauses double up to a minute and begin anew after a success`() {
        var backoff = ExportBackoff()
        let pauses = (0..<8).map { _ in backoff.pause(asked: nil) }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        backoff.noteSuccess()
        #expect(backoff.pause(asked: nil) == .seconds(1))
    }

    @Test func `a pause is as long as the collector asks and no longer than a minute`() {
        var backoff = ExportBackoff()
        #expect(backoff.pause(asked: .seconds(20)) == .seconds(20))
        #expect(backoff.pause(asked: .seconds(3600)) == .seconds(60))
        #expect(backoff.pause(asked: .zero) == .seconds(4))
    }
}
