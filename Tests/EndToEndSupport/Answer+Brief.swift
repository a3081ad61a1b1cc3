// An answer in a few words, as tests compare it.
import StrictJSON

extension Answer {
    /// The `code` of a problem, or the `error` of OAuth.
    package var sessionError: String? { self.json.flatMap { ($0["code"] ?? $0["error"])?.string } }

    /// `400 wrong_pin`, `200`.
    package var brief: String { ["\(self.status)", self.sessionError].compactMap { $0 }.joined(separator: " ") }
}
