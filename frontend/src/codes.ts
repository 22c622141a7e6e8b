/** The code of a letter stands in its link after a #, which is sent to no server: it is put into the form and
 * taken out of the address. */

export function startCodes(): void {
  const field = document.querySelector<HTMLInputElement>("input[data-code]");
  const code = location.hash.slice(1);
  if (!field || !code) return;
  field.value = code;
  history.replaceState(history.state, "", location.pathname + location.search);
}
