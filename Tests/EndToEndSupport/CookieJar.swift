import Base
import Foundation
import HTTPWire

/// The cookies of a scripted browser, by host, as `__Host-` cookies are.
package struct CookieJar: Sendable {
    private var byHost: [String: [String: String]] = [:]

    package init() {}

    package mutating func take(_ answer: Answer, from url: String) {
        guard let host = URL(string: url)?.host else { return }
        for text in answer.fields.all(.setCookie) {
            let parts = text.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let pair = parts.first?.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false),
                pair.count == 2
            else { continue }
            let isSpent = parts.contains("Max-Age=0")
            self.byHost[host, default: [:]][String(pair[0])] = isSpent ? nil : String(pair[1])
        }
    }

    package mutating func forget(_ url: String) {
        if let host = URL(string: url)?.host { self.byHost[host] = nil }
    }

    package func fields(for url: String) -> [Parameter] {
        guard let host = URL(string: url)?.host, let cookies = self.byHost[host], !cookies.isEmpty else { return [] }
        return [
            Parameter(
                "Cookie", cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))
        ]
    }

    package var isEmpty: Bool { self.byHost.values.allSatisfy(\.isEmpty) }
}
