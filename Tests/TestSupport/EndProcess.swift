import Glibc

/// Ends this process by SIGALRM if it still runs after so many minutes. It comes first in a body of
/// `#expect(processExitsWith:)`, because Swift Testing waits for such a process without a limit.
package func endProcess(afterMinutes minutes: UInt32) { alarm(minutes * 60) }
