"""The 18xx family: shared rules, map, texts and drawing; each title is a package in here."""
