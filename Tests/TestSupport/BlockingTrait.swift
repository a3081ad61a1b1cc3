// Benchmarks use this module too, and they are built without Testing.
#if canImport(Testing)

import Testing

/// Runs the tests of a suite on `BlockingThreads`.
package struct BlockingTrait: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(BlockingThreads.shared) { try await function() }
    }
}

extension Trait where Self == BlockingTrait {
    /// For suites whose tests make blocking calls (programs, databases, sockets read by hand) or compute for seconds. On
    /// the threads of Swift's pool, of which there is one for each processor, they would stop every server under test.
    package static var blocking: Self { Self() }
}

#endif
