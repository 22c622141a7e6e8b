/** The sentences the scripts need, in the reader's language; `base.html` puts them into the page. */

type Parameters = Record<string, string | number>;

let sentences: Record<string, string> | undefined;

function load(): Record<string, string> {
  const source = document.getElementById("words")?.dataset["words"];
  return source ? (JSON.parse(source) as Record<string, string>) : {};
}

/** The sentence with that key, `{name}` in it replaced by the parameter of that name. */
export function say(key: string, parameters: Parameters = {}): string {
  sentences ??= load();
  return (sentences[key] ?? key).replace(/\{(\w+)\}/g, (_, name: string) =>
    String(parameters[name] ?? ""),
  );
}
