import Base
import HTTPWire
import StrictJSON

/// A login as a script for a POSIX shell, which plays the same login at a sandbox that has just started: the app's
/// requests with a secret of its own, and the user's decision through the sandbox's own API.
struct LoginScript: Sendable {
    /// The recorded calls of one login.
    let calls: [RecordedCall]

    /// Nil without the create, or if it was too long to be kept.
    var text: String? {
        guard let create = self.calls.first(where: \.isCreate)?.sentRequest,
            var body = (try? JSON(parsing: create.body))?.object, let address = Origin.source(of: create.url)
        else { return nil }
        body = JSON.Object(body.filter { $0.name != "poll_secret" }.map { ($0.name, $0.value) })
        let fixed = Shell.quoted(String(String(decoding: JSON.object(body).encoded(), as: UTF8.self).dropLast()))
        let steps = [self.user, self.back].compactMap(\.self).joined(separator: "\n")
        return """
            #!/bin/sh
            # One login, step by step. It needs curl, and a `switchback sandbox` at the first argument.
            set -eu
            server=${1:-\(address)}
            member() { sed -n 's/.*"'"$1"'":"\\([^"]*\\)".*/\\1/p'; }

            # Rule 1: the app makes a secret, and creates the login.
            secret=$(head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\\n')
            login=$(curl -sS "$server/v1/logins" -H 'Content-Type: application/json' \\
                --data-raw \(fixed)',"poll_secret":"'"$secret"'"}')
            id=$(printf '%s' "$login" | member id)
            app() { curl -sS -H "Authorization: Bearer $secret" -H 'Content-Type: application/json' "$@"; }

            \(steps)
            # Rule 4: the app polls until the login is final.
            while :; do
                login=$(app "$server/v1/logins/$id")
                case $login in *'"final":true'*) break ;; esac
                sleep 1
            done
            printf '%s\\n' "$login" | member status

            """
    }

    /// What the user decided on the e-ID's page. Nil if nobody did.
    private var user: String? {
        let decisions = self.calls.filter { $0.from == .browser && $0.to == .broker && $0.method == "POST" }
        let forms = decisions.compactMap(\.sentRequest).map { String(decoding: $0.body, as: UTF8.self) }
            .compactMap { try? FormBody.parse($0) }
        guard let form = forms.last(where: { $0.contains { $0.name == "decision" } }) else { return nil }
        var members: JSON.Object = [:]
        for name in ["person", "decision", "fault"] {
            guard let value = form.first(where: { $0.name == name })?.value, !value.isEmpty else { continue }
            members[name] = .string(value)
        }
        let choice = String(decoding: JSON.object(members).encoded(), as: UTF8.self)
        return """
            # The user decides in the browser, which the sandbox plays.
            end=$(curl -sS "$server/sandbox/logins/$id/approve" --data-raw \(Shell.quoted(choice)))
            link=$(printf '%s' "$end" | member return_link)
            code=$(printf '%s' "$end" | member code)

            """
    }

    /// How the user came back to the app. Nil if nobody did.
    private var back: String? {
        let bodies = self.calls.filter { $0.from == .app && $0.path.hasSuffix("/return") && $0.status == 200 }
            .compactMap(\.sentRequest).compactMap { try? JSON(parsing: $0.body) }
        let isCancelled = self.calls.contains { $0.from == .app && $0.path.hasSuffix("/cancel") }
        if isCancelled {
            return """
                # Rule 5: the user presses Cancel in the app.
                app -X POST "$server/v1/logins/$id/cancel" > /dev/null

                """
        }
        guard let body = bodies.last(where: { $0["code"] != nil || $0["url"]?.string != nil }) else { return nil }
        let member = body["code"] != nil ? "{\\\"code\\\":\\\"$code\\\"}" : "{\\\"url\\\":\\\"$link\\\"}"
        let null: String =
            body["code"] == nil
            ? "" : "app \"$server/v1/logins/$id/return\" --data-raw '{\"url\":null}' > /dev/null\n"
        return """
            # Rule 3: the app hands in the link that opened it, or the digits that the user typed.
            \(null)app "$server/v1/logins/$id/return" --data-raw "\(member)" > /dev/null

            """
    }
}
