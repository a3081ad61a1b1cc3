import Base
import OpenAPIChecking
import StrictJSON
import Testing

/// Tests the checker itself: what it must find, and what it must accept.
@Suite struct SchemaCheckerTests {
    static let root: JSON = [
        "components": ["schemas": ["Name": ["type": "string", "pattern": "^[a-z]+$"]]]
    ]

    typealias Row = (schema: String, value: String, fits: Bool)

    @Test(
        arguments: [
            ("{\"type\":\"string\"}", "\"a\"", true), ("{\"type\":\"string\"}", "1", false),
            ("{\"type\":[\"string\",\"null\"]}", "null", true), ("{\"type\":\"integer\"}", "1.5", false),
            ("{\"type\":\"number\"}", "1", true), ("{\"const\":false}", "true", false),
            ("{\"enum\":[\"a\",null]}", "null", true),
            ("{\"enum\":[\"a\"]}", "\"b\"", false), ("{\"minimum\":1}", "0", false),
            ("{\"maxLength\":1}", "\"ab\"", false),
            ("{\"$ref\":\"#/components/schemas/Name\"}", "\"abc\"", true),
            ("{\"$ref\":\"#/components/schemas/Name\"}", "\"ABC\"", false),
            ("{\"$ref\":\"#/components/schemas/None\"}", "\"abc\"", false),
            ("{\"type\":\"array\",\"items\":{\"type\":\"string\"}}", "[\"a\",1]", false),
            ("{\"required\":[\"a\"]}", "{}", false), ("{\"required\":[\"a\"]}", "{\"a\":1,\"b\":2}", true),
            ("{\"properties\":{\"a\":{\"type\":\"string\"}}}", "{\"a\":1}", false),
            ("{\"properties\":{\"a\":{}}}", "{\"b\":1}", false),
            ("{\"properties\":{\"a\":{}},\"additionalProperties\":true}", "{\"b\":1}", true),
            ("{\"additionalProperties\":{\"type\":\"string\"}}", "{\"b\":1}", false),
            ("{\"x-extensible-enum\":[\"a\"]}", "\"a\"", true), ("{\"x-extensible-enum\":[\"a\"]}", "\"b\"", false),
            ("{\"properties\":{\"a\":false}}", "{\"a\":1}", false), ("{\"properties\":{\"a\":false}}", "{}", true),
            ("{\"x-sent\":{\"required\":[\"a\"]}}", "{}", false),
            ("{\"x-sent\":{\"required\":[\"a\"]}}", "{\"a\":1}", true),
            ("{\"additionalProperties\":false}", "{\"b\":1}", false), ("{\"type\":\"object\"}", "{\"b\":1}", true),
            ("{\"oneOf\":[{\"type\":\"string\"},{\"const\":1}]}", "1", true),
            ("{\"oneOf\":[{\"type\":\"integer\"},{\"const\":1}]}", "1", false),
            ("{\"oneOf\":[{\"type\":\"string\"},{\"const\":1}]}", "2", false),
        ] as [Row]) func `the checker finds what does not fit`(_ row: Row) throws
    {
        let schema = try JSON(parsing: Array(row.schema.utf8))
        let value = try JSON(parsing: Array(row.value.utf8))
        let problems = SchemaChecker(root: Self.root).problems(value, schema)
        #expect(problems.isEmpty == row.fits, "\(problems)")
    }

    @Test(
        arguments: [
            ("{\"a\":\"x\"}", ["here: lacks b, with a x"]), ("{\"a\":\"x\",\"b\":1}", []),
            ("{\"a\":\"y\",\"b\":1}", ["here.b: is not described, with a y"]), ("{\"a\":\"y\"}", []),
            ("{\"a\":\"z\",\"b\":1,\"c\":1}", ["here: lacks d, with a z", "here.b: is not described, with a z"]),
        ] as [(String, [String])]) func `only the choice that a value names is reported`(
            _ value: String, _ problems: [String]
        ) throws
    {
        let schema: JSON = [
            "oneOf": [
                ["required": ["b"], "properties": ["a": ["const": "x"], "b": [:]]],
                ["properties": ["a": ["const": "y"]]],
                ["required": ["c", "d"], "properties": ["a": ["enum": ["z"]], "c": [:], "d": [:]]],
            ]
        ]
        let value = try JSON(parsing: Array(value.utf8))
        #expect(SchemaChecker(root: Self.root).problems(value, schema, at: "here") == problems)
    }

    @Test func `a response that is not described is found`() throws {
        let document = try OpenAPIDocument(
            yaml: """
                paths:
                  /a/{id}:
                    get:
                      responses:
                        "200":
                          headers: { X-A: { required: true, schema: { type: integer } } }
                          content: { application/json: { schema: { type: object, properties: { a: {} } } } }
                """)
        func check(_ method: String, _ path: String, _ status: Int, _ headers: [String], _ body: String) -> Bool {
            let headers = headers.map { $0.split(separator: ":") }.map { Parameter(String($0[0]), String($0[1])) }
            return document.check(method, path, status: status, headers: headers, body: Array(body.utf8)).isEmpty
        }
        let json = "Content-Type:application/json"
        #expect(check("GET", "/a/1?x=y", 200, ["x-a:1", json], "{\"a\":1}"))
        #expect(!check("GET", "/a/1", 201, ["X-A:1", json], "{\"a\":1}"))
        #expect(!check("GET", "/a/1", 200, [json], "{\"a\":1}"))
        #expect(!check("GET", "/a/1", 200, ["X-A:b", json], "{\"a\":1}"))
        #expect(!check("GET", "/a/1", 200, ["X-A:1", "X-B:1", json], "{\"a\":1}"))
        #expect(!check("GET", "/a/1", 200, ["X-A:1", json], "{\"b\":1}"))
        #expect(!check("GET", "/a/1", 200, ["X-A:1", "Content-Type:text/html"], "<p>"))
        #expect(!check("GET", "/b", 200, ["X-A:1", json], "{\"a\":1}"))
        #expect(!check("POST", "/a/1", 200, ["X-A:1", json], "{\"a\":1}"))
        #expect(document.seen == ["GET /a/{id} 200"])
        #expect(document.described == document.seen)
    }
}
