import { expect, test } from "vitest";
import { browserName } from "./browser.ts";

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox 140 on Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 " +
      "Edg/141.0.0.0",
    "Edge 141 on Windows",
  ],
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/150.0.0.0 Safari/537.36",
    "Chrome 150 on Linux",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 " +
      "Mobile/15E148 Safari/604.1",
    "Safari 18 on iOS",
  ],
  ["curl/8.5.0", "curl/8.5.0"],
  ["", "Unknown browser"],
])("user agent %j is shown as %s", (userAgent, browser) => {
  expect(browserName(userAgent)).toBe(browser);
});
