/** Texts that come as what is different from an earlier one (`web/live/patches.py`). */

/** Two numbers stand for that number of pieces of the earlier text from the one with the first number on, a text for one or
 * more new pieces. */
export type Script = (number | string)[];

/** The pieces of a text: those of an earlier one, and new ones, which stand joined in the script. */
export function patched(old: readonly string[], script: Script, joint: string): string[] {
  const made: string[] = [];
  for (let at = 0; at < script.length; at++) {
    const step = script[at];
    if (typeof step === "string") {
      for (const piece of step.split(joint)) made.push(piece);
    } else {
      const place = Number(step);
      for (const piece of old.slice(place, place + Number(script[++at]))) made.push(piece);
    }
  }
  return made;
}
