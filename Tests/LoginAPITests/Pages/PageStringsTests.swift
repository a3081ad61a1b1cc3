/// Tests the table of texts: it is complete in every language, or the server does not start and says why.
import Testing

@testable import LoginAPI

@Suite struct PageStringsTests {
    static let folder = PublicFolder(HandlerBench.publicFolder)

    @Test func englishAndDanishAreThere() throws {
        #expect(Set(try PageStrings(Self.folder).languages).isSuperset(of: ["en", "da"]))
    }

    @Test(arguments: PageText.allCases) func everyTextIsThereAndItsOwn(_ key: PageText) throws {
        let strings = try PageStrings(Self.folder)
        let (english, danish) = (strings.text(key, in: "en"), strings.text(key, in: "da"))
        #expect(!english.isEmpty && !danish.isEmpty)
        #expect((english == danish) == (key == .direction))
        #expect(english.contains("{app}") == danish.contains("{app}"))
    }

    static func complete() -> [String: String] {
        Dictionary(uniqueKeysWithValues: PageText.allCases.map { ($0.rawValue, "x") })
    }

    static func complaint(_ table: [String: [String: String]]) -> String? {
        do throws(PageStrings.IncompleteError) {
            _ = try PageStrings(table)
            return nil
        } catch {
            return error.message
        }
    }

    @Test func whatIsMissingIsNamed() {
        var danish = Self.complete()
        danish["back_button"] = nil
        #expect(Self.complaint(["en": Self.complete(), "da": danish]) == "da.back_button is missing")
        danish["back_button"] = ""
        #expect(Self.complaint(["en": Self.complete(), "da": danish]) == "da.back_button is missing")
    }

    @Test func whatIsUnknownIsNamed() {
        var english = Self.complete()
        english["bakc_button"] = "x"
        #expect(Self.complaint(["en": english]) == "en.bakc_button is not a key of any page")
        #expect(Self.complaint(["da": Self.complete()]) == "has no language en")
    }
}
