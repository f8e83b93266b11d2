import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../../test/json-values.ts";
import { SEED } from "../../../../test/seed.ts";
import { normalizeDomain } from "./domain.ts";

test.each([
  ["example.com", "example.com"],
  ["https://example.com", "example.com"],
  ["HTTP://Example.COM", "example.com"],
  ["wss://example.com", "example.com"],
  ["example.com:3000", "example.com"],
  ["example.com:", "example.com"],
  ["https://app.example.com:8443/sign/in?to=1#top", "app.example.com"],
  ["example.com/path", "example.com"],
  ["example.com?query", "example.com"],
  ["example.com.", "example.com"],
  ["www.example.com", "example.com"],
  ["https://WWW.example.com/", "example.com"],
  ["www.www.example.com", "example.com"],
  ["www.com", "www.com"],
  ["*.example.com", "*.example.com"],
  ["https://*.Example.com:443/", "*.example.com"],
  ["*.www.example.com", "*.www.example.com"],
  ["*.localhost", "*.localhost"],
  ["localhost", "localhost"],
  ["http://localhost:5173", "localhost"],
  ["127.0.0.1", "127.0.0.1"],
  ["http://192.168.0.10:8080", "192.168.0.10"],
  ["::1", "[::1]"],
  ["[::1]", "[::1]"],
  ["http://[2001:DB8:0:0::1]:3000/x", "[2001:db8::1]"],
  ["münchen.de", "xn--mnchen-3ya.de"],
  ["https://*.MÜNCHEN.de", "*.xn--mnchen-3ya.de"],
  ["例え。テスト", "xn--r8jz45g.xn--zckzah"],
  ["xn--mnchen-3ya.de", "xn--mnchen-3ya.de"],
  ["sub.domain.example.co.uk", "sub.domain.example.co.uk"],
  ["https://My_App.preview.example.com", "my_app.preview.example.com"],
  ["*._tcp.example.com", "*._tcp.example.com"],
])("%s is stored as %s", (given, kept) => {
  expect(normalizeDomain(given)).toBe(kept);
});

test.each([
  ...["", " ", "example", "com", "*", "*.", "*.*", "*.com", "*.*.example.com", "exa*mple.com", "app.*.example.com"],
  ...["*example.com", "**.example.com", "www.*.example.com", "*.127.0.0.1", "*.[::1]", "*.::1"],
  ...["example..com", ".example.com", "-example.com", "example-.com", "exa mple.com", " example.com", "example.com "],
  ...["https://", "https:///path", "//example.com", "/path", "?", "https:example.com", "javascript:alert(1)"],
  ...["user@example.com", "https://user:password@example.com", "example.com:port", "example.com:80:80"],
  ...["256.1.1.1", "1.2.3", "1.2.3.4.5", "127.1", "0x7f.0.0.1", "01.2.3.4", "[::1", "::1]", "[1.2.3.4]", "[]", ":::"],
  ...["fe80::1%eth0", "[fe80::1%eth0]", "https://[fe80::1%25eth0]:80/", "::1%", "*.[fe80::1%0]"],
  ...["ex%61mple.com", "example.com\0", "exa\nmple.com", "example.com\\path", "example,com"],
  ...["null", "https://example.com,https://example.org", `${"a".repeat(64)}.com`, `${"abc.".repeat(64)}com`],
  ...["\ud800.com", "<script>.com", "example.com;", "'example.com'"],
])("%j does not contain a host", (given) => {
  expect(normalizeDomain(given)).toBeUndefined();
});

test("every stored domain is stored unchanged if it is given again", () => {
  const part = fc.oneof(
    fc.domain(),
    fc.ipV4(),
    fc.ipV6(),
    fc.tuple(fc.ipV6(), fc.constantFrom("%", "%eth0", "%25eth0", "/64", "]")).map((texts) => texts.join("")),
    fc.webAuthority({ withPort: true }),
    fc.string(),
    fc.string({ unit: anyCharacter }),
  );
  const prefix = fc.constantFrom("", "*.", "https://", "https://*.", "www.", "http://www.");
  const suffix = fc.constantFrom("", ":80", "/", "/a/b?c#d", ".");
  fc.assert(
    fc.property(prefix, part, suffix, (...texts) => {
      const kept = normalizeDomain(texts.join(""));
      if (kept === undefined) return;
      expect(normalizeDomain(kept)).toBe(kept);
      expect(kept).toMatch(/^((\*\.)?[a-z\d_-]+(\.[a-z\d_-]+)*|\d+(\.\d+){3}|\[[\da-f:.]+\])$/);
    }),
    { seed: SEED, numRuns: 2000 },
  );
});
