import Base
import EndToEndSupport
import Foundation
import StrictJSON
import TestSupport
import Testing

/// What we export, as PyPI's `opentelemetry-proto` reads it: the messages that collectors are made from.
@Suite(.blocking, .enabled(if: ForeignTools.areWanted, ForeignTools.howToGetThem))
struct ForeignCollectorTests {
    /// Prints one line of JSON: the resource, and each span with its ids, kind, times, attributes and status.
    private static let program = """
        import json, sys
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
        spans, resource = [], {}
        for path in sys.argv[1:]:
            request = ExportTraceServiceRequest()
            request.ParseFromString(open(path, "rb").read())
            assert request.SerializeToString(deterministic=True), path
            for part in request.resource_spans:
                resource = {one.key: one.value.string_value for one in part.resource.attributes}
                for scope in part.scope_spans:
                    assert scope.scope.name == "switchback"
                    for span in scope.spans:
                        spans.append({
                            "trace": span.trace_id.hex(), "id": span.span_id.hex(), "parent": span.parent_span_id.hex(),
                            "name": span.name, "kind": span.kind, "is_timed": 0 < span.start_time_unix_nano
                                <= span.end_time_unix_nano,
                            "attributes": {one.key: str(getattr(one.value, one.value.WhichOneof("value")))
                                           for one in span.attributes},
                            "events": [event.name for event in span.events], "error": span.status.code == 2,
                        })
        print(json.dumps({"resource": resource, "spans": spans}))
        """

    @Test func `a foreign decoder reads a login`() async throws {
        let collector = try TraceCollectorStage()
        let server = try await RunningServer.start(
            [.query], settings: "tracing: {endpoint: \"\(collector.url)\", service_name: shop-login}")
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name)
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        try await app.finish(&browser, .query)
        _ = try await app.waitForEnd()
        await server.stop()
        let ours = collector.spans
        let folder = FileManager.default.temporaryDirectory.appending(path: "spans-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let paths = try collector.bodies.enumerated().map { index, body in
            let file = folder.appending(path: "\(index)")
            try Data(body).write(to: file)
            return file.path
        }
        let python = try ForeignProcess(
            "\(ForeignTools.venv)/bin/python", ["-c", Self.program] + paths, errors: "/dev/null")
        let line = try await python.line()
        try await python.end()
        let read = try JSON(parsing: Array(line.utf8))
        #expect(read["resource"]?["service.name"]?.string == "shop-login")
        #expect(read["resource"]?["service.version"]?.string == ServerVersion.text)
        let theirs = try #require(read["spans"]?.array)
        #expect(theirs.compactMap { $0["name"]?.string } == ours.map(\.name))
        #expect(theirs.allSatisfy { $0["is_timed"] == .bool(true) })
        let callback = try #require(theirs.first { $0["name"]?.string == "GET /callback/*" })
        #expect(callback["kind"]?.integer == 2)
        #expect(callback["attributes"]?["switchback.login"]?.string == app.id)
        #expect(callback["attributes"]?["http.response.status_code"]?.string == "303")
        let login = try #require(theirs.first { $0["name"]?.string == "login" })
        #expect(callback["parent"] == login["id"] && callback["trace"] == login["trace"])
        #expect(login["error"] == .bool(false))
        await collector.close()
    }
}
