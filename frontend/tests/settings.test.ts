import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";

import { cookieName, cookieOf } from "../src/cookies";
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

test("over HTTPS a cookie has a name that no other host can set", () => {
  equal(cookieName("kursbuch_zone", "https:"), "__Host-kursbuch_zone");
  equal(cookieName("kursbuch_zone", "http:"), "kursbuch_zone");
  equal(cookieOf("kursbuch_zone", "kursbuch_zone_x=1; kursbuch_zone=Europe/Berlin"), "Europe/Berlin");
});
