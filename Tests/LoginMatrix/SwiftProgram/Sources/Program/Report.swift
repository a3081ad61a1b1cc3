import Foundation
import SwitchbackClient

/// A line to the driver.
struct Report: Encodable, Sendable {
    let report: String
    var action: String?
    var surface: String?
    var url: String?
    var callback: String?
    var callbackScheme: String?
    var ephemeral: Bool?
    var links: [String]?
    var state: String?
    var triesLeft: Int?
    var status: String?
    var reason: String?
    var subject: String?
    var proof: String?
    var assertion: Bool?
    var code: String?
    var problem: String?
    var reference: String?
    var count: Int?

    private enum CodingKeys: String, CodingKey {
        case report, action, surface, url, callback, ephemeral, links, state, status, reason, subject, proof, assertion
        case code, problem, reference, count
        case callbackScheme = "callback_scheme"
        case triesLeft = "tries_left"
    }
}

extension Report {
    static let ready = Report(report: "ready")
    static let show = Report(report: "show")
    static let dismiss = Report(report: "dismiss")

    static func state(_ name: String, triesLeft: Int? = nil) -> Report {
        Report(report: "state", state: name, triesLeft: triesLeft)
    }

    static func open(_ launch: BrowserLaunch, _ action: NextAction.Kind, in surface: Surface?) -> Report {
        Report(
            report: "open", action: action.code, surface: surface?.code, url: launch.url, callback: launch.callback,
            callbackScheme: launch.callbackScheme, ephemeral: launch.isEphemeral)
    }

    static func openApp(_ launch: AppLaunch) -> Report {
        let links = [launch.universalLink, launch.customScheme, launch.fallback, launch.storeURL]
        return Report(report: "open_app", links: links.compactMap { $0 })
    }

    static func result(_ login: Login) -> Report {
        Report(
            report: "result", status: login.status.code, reason: login.reason?.code.code,
            subject: login.identity?.subject, proof: login.proof, assertion: login.assertion != nil,
            reference: login.reference)
    }

    static func failure(_ error: LoginError) -> Report {
        Report(report: "failure", code: error.kind.code, problem: error.problem?.code, reference: error.reference)
    }

    /// Writes the report. One call writes one line.
    func write() {
        guard let data = try? JSONEncoder().encode(self) else { exit(4) }
        FileHandle.standardOutput.write(data + Data("\n".utf8))
    }
}
