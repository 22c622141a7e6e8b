import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";

import { read, write } from "../src/settings";

test("choices are read from among other cookies", () => {
  const cookies = "other=theme:light; kursbuch_settings=theme:dark.map-names:off; kursbuch_language=de";
  deepEqual(read(cookies), [["theme", "dark"], ["map-names", "off"]]);
  deepEqual(read(""), []);
  deepEqual(read("kursbuch_settings="), []);
  deepEqual(read("kursbuch_settings=theme:.:dark.x"), []);
});

test("choices are written as they are read", () => {
  const chosen = new Map([["theme", "dark"], ["motion", "none"]]);
  equal(write(chosen), "theme:dark.motion:none");
  deepEqual(read(`kursbuch_settings=${write(chosen)}`), [...chosen]);
});
