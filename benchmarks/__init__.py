"""Measurements of speed: run each module on its own, `python -m benchmarks.NAME`."""
