import Base
import TestSupport
import Testing

/// Base64 and base64url (RFC 4648), and the texts that we refuse.
@Suite struct Base64Tests {
    /// The examples of RFC 4648 §10, and some with the last two digits.
    static let examples: [(bytes: String, text: String)] = [
        ("", ""),
        ("66", "Zg=="),
        ("666f", "Zm8="),
        ("666f6f", "Zm9v"),
        ("666f6f62", "Zm9vYg=="),
        ("666f6f6261", "Zm9vYmE="),
        ("666f6f626172", "Zm9vYmFy"),
        ("fbeffe", "++/+"),
        ("ffffff", "////"),
        ("ffe0", "/+A="),
    ]

    @Test(arguments: examples) func `the examples of RFC 4648 are written and read`(_ hex: String, _ text: String) {
        let bytes = [UInt8](hex: hex)
        #expect(Base64.encode(bytes) == text)
        #expect(Base64.decode(text) == bytes)
        let urlText = String(text.filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
        #expect(Base64URL.encode(bytes) == urlText)
        #expect(Base64URL.decode(urlText) == bytes)
        #expect(Base64URL.decode(("." + urlText).dropFirst()) == bytes, "a part of a text as well")
        for count in 0...(bytes.count + 1) {
            var room = [UInt8](repeating: 0, count: count)
            let isDone = room.withUnsafeMutableBytes { Base64URL.decode(urlText, into: $0) }
            #expect(isDone == (count == bytes.count))
            #expect(!isDone || room == bytes)
        }
    }

    /// The example of RFC 7515 §C.
    @Test func `the example of RFC 7515 is written`() {
        #expect(Base64URL.encode([3, 236, 255, 224, 193]) == "A-z_4ME")
    }

    static let refusedByBase64URL: [(String, String)] = [
        ("Zg==", "padding"),
        ("Zg=", "half a padding"),
        ("=", "nothing but padding"),
        ("Z", "six bits are no byte"),
        ("Zm9vY", "six bits too many"),
        ("Zh", "unused bits that are not zero, one byte"),
        ("Zm9", "unused bits that are not zero, two bytes"),
        ("Zm8 ", "a blank at the end"),
        (" Zm8", "a blank at the front"),
        ("Z m8", "a blank inside"),
        ("Zm8\n", "a line end"),
        ("Zm9v\r\nYg", "a broken line"),
        ("++/+", "the other alphabet"),
        ("A+z_", "both alphabets"),
        ("Zm9v.", "a dot"),
        ("Zm9\u{0}", "a zero byte"),
        ("Zm9é", "not ASCII"),
        ("Zm9v%3D", "percent encoded"),
    ]

    @Test(arguments: refusedByBase64URL) func `base64url refuses other texts`(_ text: String, because reason: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    static let refusedByBase64: [(String, String)] = [
        ("Zg", "no padding"),
        ("Zg=", "half a padding"),
        ("Zg===", "too much padding"),
        ("Zm9v====", "padding where none is due"),
        ("Zm9v=", "padding where none is due"),
        ("=", "nothing but padding"),
        ("====", "nothing but padding"),
        ("==", "nothing but padding"),
        ("Z===", "six bits are no byte"),
        ("Zh==", "unused bits that are not zero, one byte"),
        ("Zm9=", "unused bits that are not zero, two bytes"),
        ("Zg==Zg==", "padding inside"),
        ("Zg= =", "a blank"),
        ("Zm9v\n", "a line end"),
        ("--_-", "the other alphabet"),
    ]

    @Test(arguments: refusedByBase64) func `base64 refuses other texts`(_ text: String, because reason: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test(arguments: 0...70) func `what was written is read back`(count: Int) {
        let bytes = RandomBytes.make(count)
        #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        #expect(Base64URL.decode(Base64URL.encode(bytes[...])) == bytes)
    }

    /// No two texts mean the same bytes: of the 64 endings for a last byte, only the one with zero bits is read.
    @Test func `each byte has one text`() {
        let digits = (UInt8.min...UInt8.max).map { String(UnicodeScalar($0)) }
        let read = digits.flatMap { first in digits.compactMap { Base64URL.decode(first + $0) } }
        #expect(read.count == 256)
        #expect(Set(read).count == 256)
    }
}
