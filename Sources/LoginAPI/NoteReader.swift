import Base
import HTTPServer
import HTTPWire
import Logins
import StrictJSON

/// Tells an operator who has the token what happened to a login.
package struct NoteReader: Sendable {
    private let flow: LoginFlow
    private let token: @Sendable () -> Secret?

    /// `token` is the configured one. While there is none, there is nothing to read.
    package init(_ flow: LoginFlow, token: @escaping @Sendable () -> Secret?) {
        self.flow = flow
        self.token = token
    }

    var isOn: Bool { self.token() != nil }

    func response(to request: Request, _ text: String) async -> Response {
        guard case .one(let token) = BearerToken(request), Secret(String(token)) == self.token() else {
            var response = OperationsHandler.text(.unauthorized, "the token of recorder.token is missing or wrong\n")
            response.fields[.wwwAuthenticate] = "Bearer"
            return response
        }
        guard let reference = LoginID.reference(spelled: text) else {
            return OperationsHandler.text(
                .notFound, "\(text.prefix(40)) is no reference: it has eight letters and digits, as in K7QX-2M4P\n")
        }
        guard self.flow.noteLifetime > .zero else {
            return OperationsHandler.text(.notFound, "the recorder is off: recorder.keep is 0\n")
        }
        do throws(StoreError) {
            let notes = try await self.flow.notes(ofReference: reference)
            guard !notes.isEmpty else {
                let seconds = Int(self.flow.noteLifetime / .seconds(1))
                return OperationsHandler.text(
                    .notFound,
                    """
                    nothing is known of \(reference): it is older than recorder.keep (\(seconds) s), \
                    it began while the recorder was off, or it is of another service

                    """)
            }
            let body: JSON = ["logins": .array(notes.map { NoteReport($0).json })]
            var response = OperationsHandler.text(.ok, "")
            response.fields[.contentType] = "application/json"
            response.body = body.encoded() + [0x0A]
            return response
        } catch {
            return OperationsHandler.text(.serviceUnavailable, "the store does not respond: its log lines say why\n")
        }
    }
}
