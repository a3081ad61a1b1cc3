import TestSupport
import Testing

@testable import LoginAPI

/// Tests the contact sheet: every page in every language, light and dark, and nothing from elsewhere.
@Suite(.blocking) struct PagePreviewTests {
    static func sheet(_ look: AppLook = AppLook()) throws -> String {
        try PagePreview(
            try PageTests.folder, app: AppLookTests.app(look), provider: ["en": "MitID"], settings: PageSettings()
        ).html
    }

    @Test func `every language is light and dark`() throws {
        let sheet = try Self.sheet()
        // The sheet has megabytes, so it is searched once: each quoted value, with what stands before it.
        let parts = sheet.utf8.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        func values(of attribute: String) -> Set<String> {
            Set(zip(parts, parts.dropFirst()).filter { $0.0.hasSuffix(attribute) }.map(\.1))
        }
        let (sections, titles) = (values(of: "<section id="), values(of: "title="))
        for tag in PageTests.languages {
            #expect(sections.contains(tag))
            for kind in [
                "awaiting_return: awaiting_code_text", "awaiting_return (web): awaiting_return_text",
                "failed: failed_interrupted_text", "unknown: neutral_text",
            ] {
                #expect(titles.contains("\(kind), \(tag), light") && titles.contains("\(kind), \(tag), dark"))
            }
        }
        #expect(sheet.contains("<h2>en: reviewed by the authors</h2>") && sheet.contains("<h2>kl: a draft</h2>"))
    }

    @Test func `nothing is loaded from elsewhere`() throws {
        let sheet = try Self.sheet(
            AppLook(
                light: AppLookTests.blue, font: AppLookTests.font, logo: AppLookTests.svg, logoDark: AppLookTests.png,
                icon: AppLookTests.icon))
        #expect(!sheet.contains("/assets/") && !sheet.contains("prefers-color-scheme") && !sheet.contains("<script"))
        #expect(sheet.contains("data:text/css;base64,") && sheet.contains("data:image/png;base64,"))
    }
}
