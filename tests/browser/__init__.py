"""Tests of the pages in a browser; as a package they can share it (`conftest.py`)."""
