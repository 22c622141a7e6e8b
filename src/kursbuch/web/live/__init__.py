"""Live updates: streams, presence and patches."""
