"""What the games of the 18xx family share: tiles, track, routes. The titles are packages in here."""
