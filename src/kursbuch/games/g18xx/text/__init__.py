"""Sentences: names, log lines, decisions, holdings."""
