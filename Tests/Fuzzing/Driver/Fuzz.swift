import FuzzTargets
import Glibc

/// The target that `SWITCHBACK_FUZZ_TARGET` names.
///
/// To minimise a corpus, libFuzzer starts itself again with its own arguments. A variable reaches the new process.
private let target: FuzzTarget = {
    let name = getenv("SWITCHBACK_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        print("SWITCHBACK_FUZZ_TARGET is none of: " + FuzzTarget.allCases.map(\.rawValue).joined(separator: " "))
        exit(2)
    }
    return target
}()

private let thread = CallingThread()

/// libFuzzer calls this function with each input. It always returns 0. A violated property causes a trap, which
/// libFuzzer looks for.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: data, count: count))
    thread.finish {
        do throws(Violation) {
            _ = try await target.judge(input)
        } catch {
            fatalError("\(target.rawValue): \(error)")
        }
    }
    return 0
}
