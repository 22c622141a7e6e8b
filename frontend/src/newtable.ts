/** The form for a new table: as many seats as chosen, and only the fields each kind of seat has. */

export function startNewTable(form: HTMLFormElement): void {
  const count = form.querySelector<HTMLSelectElement>("[data-seat-count]");
  const show = (): void => {
    const wanted = Number(count?.value ?? 0);
    form.querySelectorAll<HTMLElement>("[data-seat]").forEach((seat, number) => {
      const used = number < wanted;
      seat.hidden = !used;
      const kind = seat.querySelector<HTMLSelectElement>("[data-kind]")?.value ?? "";
      for (const field of seat.querySelectorAll<HTMLElement>("[data-for]")) {
        field.hidden = !(field.dataset["for"] ?? "").split(" ").includes(kind);
      }
      for (const control of seat.querySelectorAll<HTMLInputElement | HTMLSelectElement>("input, select")) {
        control.disabled = !used || control.closest("[hidden]") !== null;
      }
    });
    // Without a time for every move nothing happens when it is up.
    const time = form.querySelector<HTMLSelectElement>("[data-time]")?.value ?? "";
    for (const field of form.querySelectorAll<HTMLElement>("[data-clock]")) field.hidden = !(Number(time) > 0);
  };
  form.addEventListener("change", show);
  // Only now browsers have put back what was chosen here before another page was shown.
  addEventListener("pageshow", show);
  show();
}
