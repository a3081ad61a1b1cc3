import Base
import Foundation
import OpenAPIChecking
import Synchronization
import Testing

/// Checks every response of a running server against `Public/openapi.yaml`.
package enum DescribedAnswers {
    private static let document = Result {
        try OpenAPIDocument(yaml: String(contentsOfFile: "\(RunningServer.publicFolder)/openapi.yaml", encoding: .utf8))
    }
    /// The ports of servers. The ports of providers and operations are not in the file.
    private static let ports = Mutex<Set<Int>>([])

    package static func begin(port: UInt16) { self.ports.withLock { _ = $0.insert(Int(port)) } }
    package static func end(port: UInt16) { self.ports.withLock { _ = $0.remove(Int(port)) } }

    package static func check(_ method: String, _ path: String, port: Int, _ answer: Answer) {
        guard self.ports.withLock({ $0.contains(port) }) else { return }
        do {
            let problems = try self.document.get().check(
                method, path, status: answer.status,
                headers: answer.fields.map { Parameter($0.name.description, $0.value) }, body: answer.body)
            #expect(problems == [])
        } catch {
            Issue.record(error)
        }
    }
}
