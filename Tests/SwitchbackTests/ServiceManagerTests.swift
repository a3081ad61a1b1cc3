/// What a service manager is told (sd_notify(3)), on a socket as systemd has one.
import Foundation
import Glibc
import Switchback
import TestSupport
import Testing

@Suite struct ServiceManagerTests {
    @Test(arguments: [false, true]) func isToldHowFarWeAre(_ isAbstract: Bool) throws {
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

    /// Nobody, nobody any more, and places where nobody can be.
    @Test(arguments: [
        nil, "", "relative", "/nowhere/at/all", "@switchback-nobody", "/" + String(repeating: "a", count: 200),
    ])
    func whoIsNotThereHearsNothing(_ path: String?) {
        ServiceManager(path: path).tell(.ready)
    }
}
