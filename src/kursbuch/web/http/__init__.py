"""Requests and answers: security, limits, errors, templates."""
