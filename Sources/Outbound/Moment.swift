// Moments as servers and certificates write them, in seconds since 1970.

import CCurl

enum Moment {
    /// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7) or `Nov  6 08:49:37 1994 GMT`; nil for what is none.
    static func seconds(in text: String) -> Int? {
        let seconds = curl_getdate(text, nil)
        return seconds < 0 ? nil : seconds
    }
}
