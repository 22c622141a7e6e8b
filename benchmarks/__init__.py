"""How fast the engine is: `python -m benchmarks`, or single ones such as `python -m benchmarks engine`."""
