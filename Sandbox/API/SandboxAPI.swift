import Base
import HTTPServer
import HTTPWire
import StrictJSON

/// The sandbox's own API, for the workbench and for the tests of teams: it lists calls, sets faults and approves
/// logins. Only `switchback sandbox` has it.
package struct SandboxAPI: RequestHandler {
    package static let path = "/sandbox/"

    private let recorder: CallRecorder
    private let faults: PhoneFaults
    private let user: SandboxUser

    package init(recorder: CallRecorder, faults: PhoneFaults, user: SandboxUser) {
        self.recorder = recorder
        self.faults = faults
        self.user = user
    }

    package func handle(_ request: Request, _ responder: ResponseHandle) {
        let segments = request.target.segments.dropFirst().map(String.init)
        switch (request.method, segments.first, segments.count) {
        case (.get, "calls", 1): self.listCalls(request, responder)
        case (.get, "calls", 3) where segments[2] == "curl": responder.respond(self.curl(request, segments[1]))
        case (.get, "tab", 1): responder.respond(Self.openTab(request))
        case (.get, "faults", 1): responder.respond(Self.listFaults)
        case (.put, "faults", 2), (.delete, "faults", 2):
            Task { responder.respond(await self.setFault(request, at: segments[1])) }
        case (.get, "logins", 3) where segments[2] == "script": responder.respond(self.script(request, segments[1]))
        case (.post, "logins", 3) where segments[2] == "approve":
            Task { responder.respond(await self.approve(request, segments[1])) }
        default: responder.respond(Self.problem(.notFound, "There is nothing here."))
        }
    }

    static func problem(_ status: Status, _ text: String) -> Response {
        var response = JSONResponse(status, ["error": .string(text)]).response
        response.fields[.xContentTypeOptions] = "nosniff"
        return response
    }

    // MARK: - The browser's tab

    /// Sets the colours of the tab at the server's host, and goes on to the link of a login.
    private static func openTab(_ request: Request) -> Response {
        let parameters = Parameters(of: request)
        let start = "/go/"
        guard let link = parameters?["to"], link.hasPrefix(start),
            Base64URL.decode(String(link.dropFirst(start.count))) != nil
        else { return Self.problem(.badRequest, "The parameter to must be the path of a login's link.") }
        let colors = parameters?["colors"].flatMap { TabColors.Choice(rawValue: $0) }
        return Response(
            .seeOther,
            fields: [
                .location: link, .setCookie: TabColors.cookie(colors), .cacheControl: "no-store",
                .referrerPolicy: "no-referrer", .xContentTypeOptions: "nosniff",
                .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
            ], body: [])
    }

    // MARK: - Calls

    private func listCalls(_ request: Request, _ responder: ResponseHandle) {
        let parameters = Parameters(of: request)
        let audience = parameters?["login"].map(CallRecorder.CallAudience.login) ?? .visitor(PhoneVisitor(request).id)
        guard request.fields[.accept]?.contains("text/event-stream") == true else {
            let calls = self.recorder.calls(for: audience).map(\.json)
            return responder.respond(JSONResponse(.ok, ["calls": .array(calls)]).response)
        }
        let stream = responder.begin(
            Response(
                .ok,
                fields: [
                    .contentType: "text/event-stream", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
                ]))
        let isForPage = parameters?["as"] == "html"
        // A browser that has lost its stream says which event was its last.
        let lastEventID = request.fields[.lastEventID] ?? parameters?["after"] ?? ""
        let (number, calls) = self.recorder.listen(audience, after: Int(lastEventID) ?? 0)
        Task {
            for await call in calls {
                let json = isForPage ? ["html": .string(CallRow(call: call).markup.text)] : call.json
                stream.send(Array("id: \(call.version)\ndata: ".utf8) + json.encoded() + Array("\n\n".utf8))
            }
        }
        responder.onGone { self.recorder.leave(number) }
    }

    /// The command of a call, with its secrets, for the visitor whose login it belongs to.
    private func curl(_ request: Request, _ number: String) -> Response {
        let calls = self.recorder.calls(for: .visitor(PhoneVisitor(request).id))
        guard let number = Int(number), let call = calls.first(where: { $0.number == number }),
            let sentRequest = call.sentRequest
        else { return Self.problem(.notFound, "This browser has no login with this call.") }
        return Self.text((CallRepeat(of: call, among: calls)?.comment ?? "") + sentRequest.curl + "\n")
    }

    /// A login of this visitor's as a script.
    private func script(_ request: Request, _ login: String) -> Response {
        let calls = self.recorder.calls(for: .visitor(PhoneVisitor(request).id)).filter { $0.login == login }
        guard let text = LoginScript(calls: calls).text else {
            return Self.problem(.notFound, "This browser has no login with this id.")
        }
        return Self.text(text)
    }

    private static func text(_ text: String) -> Response {
        Response(
            .ok,
            fields: [
                .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
                .referrerPolicy: "no-referrer", .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
            ], body: Array(text.utf8))
    }

    // MARK: - Faults

    private static var listFaults: Response {
        let faults = SandboxFault.all.map { fault -> JSON in
            [
                "name": .string(fault.name), "title": .string(fault.title), "where": .string(fault.effect.place),
                "harmless": .bool(fault.isHarmless), "end": .string(fault.end),
                "stays": .bool(fault.standsBeforeLogins),
                "brokers": .array(fault.systems.map(\.rawValue).sorted().map { .string($0) }),
            ]
        }
        return JSONResponse(.ok, ["faults": .array(faults)]).response
    }

    private func setFault(_ request: Request, at provider: String) async -> Response {
        if request.method == .delete {
            await self.faults.reset(provider)
            return Response(.noContent, fields: [.cacheControl: "no-store"], body: [])
        }
        guard let name = (try? JSON(parsing: request.body))?["fault"]?.string else {
            return Self.problem(.badRequest, "The body must be {\"fault\": \"…\"}. GET /sandbox/faults lists them.")
        }
        guard await self.faults.set(name, at: provider) else {
            return Self.problem(.notFound, "\(provider) has no fault \(name). GET /sandbox/faults lists them.")
        }
        return Response(.noContent, fields: [.cacheControl: "no-store"], body: [])
    }

    // MARK: - A user

    private func approve(_ request: Request, _ login: String) async -> Response {
        guard let link = self.recorder.link(of: login) else {
            return Self.problem(.notFound, "The sandbox has seen no login with this id, or it began without a link.")
        }
        let body: JSON
        if request.body.isEmpty {
            body = [:]
        } else if let json = try? JSON(parsing: request.body), json.object != nil {
            body = json
        } else {
            return Self.problem(.badRequest, "The body must be a JSON object.")
        }
        if let name = Self.mistake(in: body) {
            let needs = name == "switch" ? "true or false" : "text"
            return Self.problem(.badRequest, "The member \(name) must be \(needs).")
        }
        let choice = SandboxUser.Choice(
            person: body["person"]?.string, fault: body["fault"]?.string,
            decision: body["decision"]?.string ?? "approve", switchesApps: body["switch"]?.bool ?? false)
        do throws(OperatorError) {
            let end = try await self.user.walk(link, choice)
            var members: JSON.Object = [:]
            if let link = end.link { members["return_link"] = .string(link) }
            if let code = end.code { members["code"] = .string(code) }
            if let link = end.switchLink { members["switch_link"] = .string(link) }
            return JSONResponse(.ok, members).response
        } catch {
            return Self.problem(.badGateway, error.description)
        }
    }

    /// Returns the name of a member whose type is wrong. Taken for absent, it would make the user do something else than
    /// the test wants.
    private static func mistake(in body: JSON) -> String? {
        ["person", "fault", "decision", "switch"].first { name in
            guard let value = body[name], value != .null else { return false }
            return name == "switch" ? value.bool == nil : value.string == nil
        }
    }
}
