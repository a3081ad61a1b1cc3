// How many tests run at once: four for each processor, since many wait for a poll or a deadline.
//
// Left alone, Swift Testing starts all of them at the same time. Thousands of table rows then stand before every
// continuation of a test with real sockets and deadlines, and what is measured is the queue. The width can be set only by
// this variable, which is read when the run begins; so it is set before `main`, unless somebody has set it already.
#if os(Linux)
import Glibc

private func limitWidth() {
    let width = 4 * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "\(width)", 0)
}

@used
@section(".init_array")
let limitWidthBeforeMain: @convention(c) () -> Void = limitWidth
#endif
