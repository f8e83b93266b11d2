import { expect, test } from "vitest";
import { getMailbox, isEmailAddress } from "./address.ts";

test.each([
  ...["ada@example.com", "ada.lovelace+notes@mail.example.co.uk", "ADA@Example.COM", "o'brien@example.com"],
  ...["root@localhost", "zoë@münchen.de", "用户@例え.テスト", "a@b.cd", `${"a".repeat(64)}@example.com`],
])("%s is an address", (text) => {
  expect(isEmailAddress(text)).toBe(true);
});

test.each([
  ...[
    "",
    "ada",
    "@",
    "ada@",
    "@example.com",
    "ada@example",
    "ada@@example.com",
    "ada@b@example.com",
    "ada example.com",
  ],
  ...[
    "ada @example.com",
    " ada@example.com",
    "ada@example.com ",
    "ada@exam ple.com",
    "ada@example.com\u200b",
    "ada@ex\u00adample.com",
    "ada@.com",
    "ada@example..com",
  ],
  ...[
    ".ada@example.com",
    "ada.@example.com",
    "a..da@example.com",
    "ada@-example.com",
    "ada@127.0.0.1",
    "ada@example.com/x",
    "ada@example.com:25",
    "ada@ex%61mple.com",
    "ada@[::1]",
  ],
  ...["Ada <ada@example.com>", "<ada@example.com>", "ada@example.com,bob@example.com", "ada@example.com;", '"a"@b.cd'],
  ...["ada@example.com\r\nBcc: eve@example.com", "a\0da@example.com", "ada@example.com\n", "\ud800@example.com"],
  ...[`${"a".repeat(65)}@example.com`, `ada@${"a.".repeat(130)}com`],
])("%j is not an address", (text) => {
  expect(isEmailAddress(text)).toBe(false);
});

test.each([
  ["ada@example.com", "", "ada@example.com"],
  ["Acme <ada@example.com>", "Acme", "ada@example.com"],
  ['"Acme, Inc." <ada@example.com>', "Acme, Inc.", "ada@example.com"],
  ["<ada@example.com>", "", "ada@example.com"],
])("%s names a mailbox", (text, name, address) => {
  expect(getMailbox(text)).toEqual({ name, address });
});
