// How many tests run at once: four for each processor, since many wait for a poll or a deadline.
//
// By default Swift Testing starts all tests at once. Thousands of table rows are then queued before every continuation
// of a test with real sockets and deadlines, and the test measures the queue. Only this variable sets the width, and it
// is read when the run begins. So it is set before `main`, unless the caller has set it.
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
