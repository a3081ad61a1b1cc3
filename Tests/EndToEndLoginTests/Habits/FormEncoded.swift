import Base
import HTTPWire

/// Parameters as a provider writes them into a URL or a page.
enum FormEncoded {
    static func text(_ parameters: [Parameter]) -> String { FormBody.encode(parameters) }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
    }
}
