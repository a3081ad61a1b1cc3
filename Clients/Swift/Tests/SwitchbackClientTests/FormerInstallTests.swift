import Foundation
import Testing

@testable import SwitchbackClient

/// What a former install left is deleted once, and never when it is unclear whether there was one.
@Suite struct FormerInstallTests {
    private struct Busy: Error {}

    /// What the file says, whether this is an extension, and what follows.
    static let rows: [(marker: FormerInstall.Marker, isExtension: Bool, step: FormerInstall.Step)] = [
        (.missing, false, .begin), (.begun, false, .delete), (.complete, false, .keep), (.unreadable, false, .keep),
        (.missing, true, .keep), (.begun, true, .keep), (.complete, true, .keep), (.unreadable, true, .keep),
    ]

    @Test("only an app without a marker, or with one that was begun, deletes", arguments: rows.indices)
    func onlyAnAppWithoutAMarker(_ index: Int) {
        let row = Self.rows[index]
        #expect(FormerInstall.step(row.marker, isExtension: row.isExtension) == row.step)
    }

    /// A folder for the marker, which is removed with this.
    private final class Place {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        var file: URL { self.folder.appendingPathComponent("Switchback/Installed") }
        let count = Locked(0)
        let fails = Locked(false)

        deinit { try? FileManager.default.removeItem(at: self.folder) }

        func start(isExtension: Bool = false) -> FormerInstall {
            FormerInstall(file: self.file, isExtension: isExtension) { [count, fails] in
                if fails.withLock({ $0 }) { throw Busy() }
                count.withLock { $0 += 1 }
            }
        }

        var deletions: Int { self.count.withLock { $0 } }
    }

    @Test("the first access after an install deletes, and no other does") func theFirstAccessDeletes() throws {
        let place = Place()
        let (first, second) = (place.start(), place.start())
        for install in [first, first, second, place.start()] { try install.clean() }
        #expect(place.deletions == 1 && FormerInstall.marker(place.file) == .complete)
    }

    @Test("a deletion that fails is tried again, also by the next start") func aDeletionThatFails() throws {
        let place = Place()
        place.fails.withLock { $0 = true }
        let install = place.start()
        #expect(throws: Busy.self) { try install.clean() }
        #expect(throws: Busy.self) { try place.start().clean() }
        #expect(FormerInstall.marker(place.file) == .begun)
        place.fails.withLock { $0 = false }
        for install in [install, install, place.start()] { try install.clean() }
        #expect(place.deletions == 1 && FormerInstall.marker(place.file) == .complete)
    }

    @Test("a marker that cannot be read or written deletes nothing, and is read again later")
    func anUnreadableMarker() throws {
        let place = Place()
        // A folder cannot be read as a file, and a file is no folder for one.
        try FileManager.default.createDirectory(at: place.file, withIntermediateDirectories: true)
        #expect(FormerInstall.marker(place.file) == .unreadable)
        let install = place.start()
        try install.clean()
        try FileManager.default.removeItem(at: place.folder)
        try Data().write(to: place.folder)
        try install.clean()
        #expect(place.deletions == 0)
        try FileManager.default.removeItem(at: place.folder)
        try install.clean()
        #expect(place.deletions == 1)
    }

    @Test("an extension and an app without a folder delete nothing") func anExtensionDeletesNothing() throws {
        let place = Place()
        try place.start(isExtension: true).clean()
        try FormerInstall(file: nil, isExtension: false) { throw Busy() }.clean()
        #expect(place.deletions == 0 && FormerInstall.marker(place.file) == .missing)
    }
}
