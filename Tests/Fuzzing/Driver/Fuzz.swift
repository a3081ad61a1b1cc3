/// The function that libFuzzer calls with each input. Which target it is for is said by `SWITCHBACK_FUZZ_TARGET`.
import FuzzTargets
import Glibc

/// The runtime of libFuzzer starts itself again to minimise a corpus, with its own arguments: a variable gets through.
private let target: FuzzTarget = {
    let name = getenv("SWITCHBACK_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        print("SWITCHBACK_FUZZ_TARGET is none of: " + FuzzTarget.allCases.map(\.rawValue).joined(separator: " "))
        exit(2)
    }
    return target
}()

private let thread = CallingThread()

/// Always 0; a property that does not hold is a trap, which is what libFuzzer looks for.
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
