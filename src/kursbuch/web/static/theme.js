// Runs before the first paint, so that a page in the chosen theme does not flash in the other one.
try {
  const theme = localStorage.getItem("kursbuch-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the system's theme is used.
}
