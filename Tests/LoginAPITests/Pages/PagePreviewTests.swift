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
        // The sheet has megabytes, so it is searched once: what stands between quotation marks, and so each title.
        let quoted = Set(sheet.utf8.split(separator: UInt8(ascii: "\"")).map { String(Substring($0)) })
        for tag in PageTests.languages {
            #expect(quoted.contains(tag))
            for kind in [
                "awaiting_return: awaiting_code_text", "awaiting_return (web): awaiting_return_text",
                "failed: failed_interrupted_text", "unknown: neutral_text",
            ] {
                #expect(quoted.contains("\(kind), \(tag), light") && quoted.contains("\(kind), \(tag), dark"))
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
