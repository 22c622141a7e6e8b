"""What an administrator does: at the command line (`kursbuch admin`) and on the page `/admin`."""
