import StrictJSON
import Testing

/// How JSON values are written, compared and changed.
@Suite struct JSONWritingTests {
    static let values: [(JSON, String)] = [
        (.null, "null"),
        (true, "true"),
        (false, "false"),
        (0, "0"),
        (-12, "-12"),
        (.integer(.min), "-9223372036854775808"),
        (.number(1.5), "1.5"),
        (.number(-0.0), "-0.0"),
        (.number(1e300), "1e+300"),
        (.number(.infinity), "null"),
        (.number(.nan), "null"),
        ("", #""""#),
        ("a", #""a""#),
        ("\"\\/", #""\"\\/""#),
        ("\u{8}\u{C}\n\r\t", #""\u0008\u000c\n\r\t""#),
        ("\u{0}\u{1}\u{1F}\u{7F}", "\"\\u0000\\u0001\\u001f\u{7F}\""),
        ("Ærø €\u{1D11E}", "\"Ærø €\u{1D11E}\""),
        ([], "[]"),
        ([1, [.null], "a"], #"[1,[null],"a"]"#),
        ([:], "{}"),
        (["b": 1, "a": ["c": [], "\n": 2.5]], #"{"b":1,"a":{"c":[],"\n":2.5}}"#),
    ]

    @Test(arguments: values) func `each value has its text`(_ value: JSON, _ text: String) {
        #expect(String(decoding: value.encoded(), as: UTF8.self) == text)
    }

    @Test func `a value is written behind what is there`() {
        var bytes = Array("data: ".utf8)
        (["a": 1] as JSON).write(into: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == #"data: {"a":1}"#)
    }

    @Test func `an object keeps its order`() {
        var object: JSON.Object = ["b": 1, "a": 2]
        object["c"] = 3
        object["b"] = 4
        #expect(object.names == ["b", "a", "c"])
        #expect(object.map(\.value) == [4, 2, 3])
        object["a"] = nil
        object["missing"] = nil
        #expect(object.names == ["b", "c"])
        #expect(object["a"] == nil)
        #expect(object.count == 2)
        #expect(!object.isEmpty)
    }

    @Test func `the order of members means nothing`() {
        let one: JSON = ["a": 1, "b": ["c": 2, "d": 3]]
        let other: JSON = ["b": ["d": 3, "c": 2], "a": 1]
        #expect(one == other)
        #expect(one != ["a": 1])
        #expect(one != ["a": 1, "b": ["c": 2, "d": 3], "e": .null])
    }

    @Test func `names are compared byte for byte`() {
        let object: JSON.Object = ["\u{212A}": 1]
        #expect(object["\u{212A}"] == 1)
        #expect(object["K"] == nil, "U+212A looks like K and is another character")
        #expect(JSON.string("\u{212A}") != "K")
    }

    @Test func `a value is given only as its own type`() {
        let value: JSON = ["text": "a", "whole": 1, "yes": true, "list": [1], "none": .null]
        #expect(value["text"]?.string == "a")
        #expect(value["text"]?.integer == nil)
        #expect(value["whole"]?.integer == 1)
        #expect(value["whole"]?.bool == nil)
        #expect(value["yes"]?.bool == true)
        #expect(value["yes"]?.integer == nil)
        #expect(value["list"]?.array == [1])
        #expect(value["list"]?.object == nil)
        #expect(value["none"] == JSON.null)
        #expect(value["missing"] == nil)
        #expect(value["text"]?["deeper"] == nil)
    }
}
