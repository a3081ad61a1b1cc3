import Foundation
import Glibc
import Switchback
import TestSupport
import Testing

/// The messages to the service manager (sd_notify(3)), on a socket like systemd's.
@Suite struct ServiceManagerTests {
    @Test(arguments: [false, true]) func `the service manager is told how far we are`(_ isAbstract: Bool) throws {
        let name = "switchback-notify-\(UInt32.random(in: 0 ... .max))"
        let path = isAbstract ? "@\(name)" : NSTemporaryDirectory() + name
        let listener = try NotifySocket(path: path)
        let manager = ServiceManager(path: path)
        manager.tell(.ready)
        #expect(listener.next() == "READY=1")
        manager.tell(.stopping)
        #expect(listener.next() == "STOPPING=1")
        manager.tell(.reloading)
        let text = try #require(listener.next())
        #expect(text.wholeMatch(of: /RELOADING=1\nMONOTONIC_USEC=[0-9]+/) != nil)
    }

    /// No manager, a manager that has gone, and invalid paths.
    @Test(arguments: [
        nil, "", "relative", "/nowhere/at/all", "@switchback-nobody", "/" + String(repeating: "a", count: 200),
    ])
    func `a manager that is not there hears nothing`(_ path: String?) {
        ServiceManager(path: path).tell(.ready)
    }
}
