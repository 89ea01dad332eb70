import { expect, it } from "vitest";
import { faultOf } from "#src/errors.js";

it("a fault is one line without a list of calls, whatever its message holds", () => {
  const error = new RangeError("bad\u001b[2J\nname");
  error.stack = "RangeError: bad\n    at f (/x/dist/web/server/app.js:12:5)\n    at g (/x/dist/b.js:1:1)";
  expect(faultOf(error)).toBe("RangeError: bad [2J name (web/server/app.js:12)");
});
