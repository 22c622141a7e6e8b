"""Performance benchmarks: `python -m benchmarks`, or single ones such as `python -m benchmarks engine`."""
