"""1835 (Hans im Glück, second German edition)."""
