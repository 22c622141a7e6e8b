/** The server sends times in UTC; readers see them as their own clock shows them. */

export function localTimes(root: ParentNode): void {
  const language = document.documentElement.lang;
  for (const place of root.querySelectorAll<HTMLTimeElement>("time[datetime]")) {
    const time = new Date(place.dateTime);
    if (Number.isNaN(time.getTime())) continue;
    const form: Intl.DateTimeFormatOptions =
      "moment" in place.dataset
        ? { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" }
        : { hour: "2-digit", minute: "2-digit" };
    place.textContent = time.toLocaleString(language, form);
    place.title = time.toLocaleString(language);
  }
  for (const field of root.querySelectorAll<HTMLInputElement>('[data-zone] input[name="offset"]')) {
    field.value = String(new Date().getTimezoneOffset());
  }
}
