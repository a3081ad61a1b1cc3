/// The pages that people see at the end of a login, and when there is none: one template, in their language.
import HTTPWire
import Logins
import Mustache

package struct Pages: Sendable {
    /// Seconds after which a page that may still change is loaded again.
    private static let refresh = 2
    /// Seconds after which it is worth trying again.
    private static let retry = 5

    private let template: MustacheTemplate
    private let strings: PageStrings
    private let apps: [String: AppSurface]

    package init(_ folder: PublicFolder, apps: [String: AppSurface]) throws(PublicFolder.Failure) {
        let file = "templates/page.mustache"
        let text = try folder.text(of: file)
        do {
            self.template = try MustacheTemplate(string: text)
        } catch {
            throw folder.failure(file, "is not a mustache template: \(error)")
        }
        self.strings = try PageStrings(folder)
        self.apps = apps
    }

    func response(_ view: PageView, languages: [String]) -> Response {
        self.response(Self.status(of: view.kind), view, languages: languages)
    }

    func response(_ status: Status, _ view: PageView, languages: [String]) -> Response {
        let language = self.strings.language(for: (view.locale.map { [$0] } ?? []) + languages)
        var fields: Fields = [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"]
        fields[.contentLanguage] = language
        if view.mayChange { fields[.refresh] = String(Self.refresh) }
        if status == .serviceUnavailable { fields[.retryAfter] = String(Self.retry) }
        return Response(status, fields: fields, body: Array(self.html(view, in: language).utf8))
    }

    private static func status(of kind: PageView.Kind) -> Status {
        switch kind {
        case .completing, .awaitingReturn, .completed, .failed, .cancelled, .expired, .linkOpened: .ok
        case .openElsewhere: .conflict
        case .unavailable: .serviceUnavailable
        case .neutral: .notFound
        }
    }
}

// MARK: - What the template is given

extension Pages {
    private func html(_ view: PageView, in language: String) -> String {
        let app = view.app.flatMap { self.apps[$0] }
        let name = app?.name(in: language) ?? self.strings.text(.theApp, in: language)
        func text(_ key: PageText) -> String {
            self.strings.text(key, in: language).replacing("{app}", with: name)
        }
        var values: [String: String] = [
            "language": language, "direction": text(.direction), "look": Self.look(of: view.kind),
            "title": text(.title(of: view.kind)), "text": text(.text(of: view.kind)),
        ]
        if let code = view.code {
            (values["code"], values["codeEnd"]) = (String(code.prefix(3)), String(code.dropFirst(3)))
            values["codeLabel"] = text(.codeLabel)
            values["codeWarning"] = text(.codeWarning)
        }
        if let link = view.returnURL {
            values["returnURL"] = link
            values["backButton"] = text(.backButton)
        } else if view.kind != .linkOpened {
            // The code may be on the page before it.
            values["closeHint"] = text(.closeHint)
        }
        if let reference = view.reference {
            values["reference"] = reference
            values["referenceLabel"] = text(.referenceLabel)
            values["referenceHint"] = text(.referenceHint)
        }
        return self.template.render(values)
    }

    /// The class that the style sheet knows it by.
    private static func look(of kind: PageView.Kind) -> String {
        switch kind {
        case .completing: "busy"
        case .awaitingReturn, .completed: "good"
        case .failed: "bad"
        case .cancelled, .expired, .unavailable, .openElsewhere, .neutral, .linkOpened: "calm"
        }
    }
}

extension AppSurface {
    /// Its name in this language, else in English, else in the first it has.
    func name(in language: String) -> String? {
        self.names[language] ?? self.names["en"] ?? self.names.min { $0.key < $1.key }?.value
    }
}
