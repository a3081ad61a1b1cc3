import Base
import BrokerTransport
import OpenIDConnect
import Outbound

/// The findings about one broker so far.
struct FindingList {
    let broker: String
    private(set) var all: [Finding] = []

    init(_ broker: String) { self.broker = broker }

    mutating func pass(_ subject: String, _ message: String) { self.add(.ok, subject, message) }
    mutating func warn(_ subject: String, _ message: String) { self.add(.warning, subject, message) }
    mutating func fail(_ subject: String, _ message: String) { self.add(.error, subject, message) }

    private mutating func add(_ level: Finding.Level, _ subject: String, _ message: String) {
        self.all.append(Finding(level, self.broker, subject, message))
    }
}

/// Checks whether a broker can be reached, how long its certificate is valid, and whether its clock agrees with ours.
extension FindingList {
    /// Enough time to renew a certificate by hand.
    private static let expiryWarningTime = 14 * 86_400

    /// `leeway` is nil when the clock has been checked already.
    mutating func note(_ answer: OnlineFetcher.Answer?, from url: String, leeway: Duration?) {
        guard let answer else { return }
        let origin = EndpointURL(url)?.origin ?? url
        if let expiry = answer.response.certificateExpiry {
            self.note(expiry: expiry, of: "the certificate of \(origin)", as: "connection", now: answer.at)
        } else {
            self.pass("connection", "\(origin) responds")
        }
        if answer.isOfRefusedCertificate {
            self.fail(
                "client_certificate_file",
                "\(origin) wants a client certificate that it knows: ask the broker which one")
        }
        if let leeway { self.note(date: answer.response.date, at: answer.at, leeway: leeway) }
    }

    mutating func note(expiry: Int, of what: String, as subject: String, now: Timestamp) {
        let rest = expiry - now.seconds
        let date = Timestamp(seconds: expiry).rfc3339.prefix(10)
        if rest < 0 {
            self.fail(subject, "\(what) expired on \(date): renew it")
        } else if rest < Self.expiryWarningTime {
            self.warn(subject, "\(what) expires on \(date), in \(rest / 86_400) days: renew it soon")
        } else {
            self.pass(subject, "\(what) expires on \(date), in \(rest / 86_400) days")
        }
    }

    private mutating func note(date: Int?, at now: Timestamp, leeway: Duration) {
        guard let date else { return self.warn("clock", "the broker does not send its time (no Date)") }
        let skew = date - now.seconds
        let allowedSeconds = Int(leeway.components.seconds)
        let difference = "the broker's clock is \(abs(skew)) s \(skew < 0 ? "behind" : "ahead of") ours"
        if abs(skew) <= max(allowedSeconds / 2, 1) {
            self.pass("clock", "\(difference); clock_leeway is \(allowedSeconds) s")
        } else if abs(skew) <= allowedSeconds {
            self.warn("clock", "\(difference), close to clock_leeway of \(allowedSeconds) s: is NTP running here?")
        } else {
            self.fail(
                "clock", "\(difference), beyond clock_leeway of \(allowedSeconds) s: tokens are refused; use NTP")
        }
    }

    mutating func note(_ error: OutboundError, as subject: String) {
        self.note(FetchError(error), as: subject)
    }

    mutating func note(_ error: FetchError, as subject: String) {
        self.fail(subject, "\(error.detail): \(Self.advice(error))")
    }

    private static func advice(_ error: FetchError) -> String {
        switch error {
        case .unreachable: "check the issuer's host, DNS and the firewall"
        case .noDescriptors: "raise the limit of open files here (ulimit -n)"
        case .timedOut: "check the firewall, or raise timeout"
        case .tooLarge, .closed, .broken: "is this a server of the broker, or a proxy in between?"
        case .encoding: "let the broker, or the proxy before it, send no Content-Encoding: we ask for none"
        case .tls(let detail): Self.adviceForTLS(detail)
        case .busy, .cancelled: "try again"
        case .refused: "allow_private_addresses, allow_insecure_loopback or hosts can permit it"
        }
    }

    /// Chooses the advice by the words of OpenSSL and libcurl.
    private static func adviceForTLS(_ detail: String) -> String {
        // RFC 8446 §4.4.2: the server sends the intermediates. Browsers fetch a missing one, and so hide the mistake.
        if detail.contains("local issuer certificate") {
            return "the broker leaves out its intermediate certificate (ask it to send the whole chain), "
                + "or it has its own authority (name it in ca_file)"
        }
        if detail.contains("issuer certificate") || detail.contains("self-signed") {
            return "if the broker has its own authority, name it in ca_file"
        }
        if detail.contains(" alert ") { return "does the broker want a client_certificate_file, or another one?" }
        return "the broker must correct it"
    }
}
