import StrictJSON

/// What happened to a login, as text for a person.
struct LoginReport {
    private static let width = 100
    private static let margin = 12
    /// What stands above the steps.
    private static let headings = ["app", "provider", "platform"]
    private static let columnMembers: Set = ["at", "after_ms", "stage", "event", "text"]

    private let login: JSON

    /// `login` is one of `logins` in the response to `/logins/…`.
    init(_ login: JSON) { self.login = login }

    var text: String {
        let end = ["status", "reason", "waited_at"].compactMap { self.login[$0]?.string }.joined(separator: ", ")
        let names = (Self.headings + ["login"]).compactMap { name in
            self.login[name]?.string.map { "\(name) \($0)" }
        }
        let steps = (self.login["steps"]?.array ?? []).map(self.line)
        return """
            \(self.login["reference"]?.string ?? "")  \(end)
            \(names.joined(separator: ", "))

            \(Self.columns("time (UTC)", "after", "stage"))what happened
            \(steps.joined(separator: "\n"))

            \(Self.paragraph("why", self.login["why"]?.string))
            \(Self.paragraph("what to do", self.login["what_to_do"]?.string))
            """
    }

    private func line(_ step: JSON) -> String {
        let time = (step["at"]?.string ?? "").replacing("T", with: " ").replacing("Z", with: "")
        let after = Duration.milliseconds(step["after_ms"]?.integer ?? 0)
        let details = (step.object ?? [:]).compactMap { name, value in
            self.isShownElsewhere(name, value) ? nil : value.string.map { "\(name)=\($0)" }
        }
        let sentence = step["text"]?.string ?? step["event"]?.string ?? ""
        return Self.columns(time, after.shownInSeconds, step["stage"]?.string ?? "")
            + ([sentence] + details).joined(separator: " ")
    }

    /// Whether a member of a step has a column, or stands above all steps with the same value.
    private func isShownElsewhere(_ name: String, _ value: JSON) -> Bool {
        Self.columnMembers.contains(name) || Self.headings.contains(name) && self.login[name] == value
    }

    private static func columns(_ time: String, _ after: String, _ stage: String) -> String {
        time.padded(to: 23) + after.padded(to: 9, isRight: true) + "  " + stage.padded(to: 14)
    }

    private static func paragraph(_ title: String, _ text: String?) -> String {
        var lines = [title.padded(to: Self.margin)]
        for word in (text ?? "").split(separator: " ") {
            let line = lines[lines.count - 1]
            if line.count + word.count >= Self.width {
                lines.append("".padded(to: Self.margin) + word)
            } else {
                lines[lines.count - 1] += line.count == Self.margin ? String(word) : " \(word)"
            }
        }
        return lines.joined(separator: "\n")
    }
}
