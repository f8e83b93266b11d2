import { expect, test } from "vitest";
import { Cipher } from "./cipher.ts";

const SECRET_KEY = Buffer.alloc(32, 7);
const seal = new Cipher([SECRET_KEY], "test");

test.each(["", "secret", "größe 🙂", "x".repeat(100_000)])("a text is decrypted to itself (%#)", (text) => {
  const bytes = seal.encrypt(text, "row 1");
  expect(seal.decrypt(bytes, "row 1")).toBe(text);
  expect(new Cipher([SECRET_KEY], "test").decrypt(bytes, "row 1")).toBe(text);
});

test("encrypting a text twice gives different bytes, which do not contain the text", () => {
  const all = Array.from({ length: 100 }, () => seal.encrypt("secret", "row 1"));
  expect(new Set(all.map((bytes) => bytes.toString("hex"))).size).toBe(100);
  expect(all.some((bytes) => bytes.includes("secret"))).toBe(false);
});

test("bytes cannot be decrypted with another binding, purpose or key", () => {
  const bytes = seal.encrypt("secret", "row 1");
  expect(() => seal.decrypt(bytes, "row 2")).toThrow();
  expect(() => new Cipher([SECRET_KEY], "other").decrypt(bytes, "row 1")).toThrow();
  expect(() => new Cipher([Buffer.alloc(32, 8)], "test").decrypt(bytes, "row 1")).toThrow();
});

test("an earlier key decrypts and verifies, and nothing new is encrypted or hashed under it", () => {
  const both = new Cipher([Buffer.alloc(32, 8), SECRET_KEY], "test");
  const later = new Cipher([Buffer.alloc(32, 8)], "test");
  expect(both.open(seal.encrypt("secret", "row 1"), "row 1")).toEqual({ text: "secret", isCurrent: false });
  expect(both.open(later.encrypt("secret", "row 1"), "row 1")).toEqual({ text: "secret", isCurrent: true });
  expect(later.decrypt(both.encrypt("secret", "row 1"), "row 1")).toBe("secret");
  expect(both.hash("text")).toEqual(later.hash("text"));
  expect([seal, later].map((cipher) => both.matchesHash("text", cipher.hash("text")))).toEqual([true, true]);
  expect([both.matchesHash("other", seal.hash("text")), later.matchesHash("text", seal.hash("text"))]).toEqual([
    false,
    false,
  ]);
  expect(both.matchesHash("text", Buffer.from("short"))).toBe(false);
});

test("changed or truncated bytes cannot be decrypted", () => {
  const bytes = seal.encrypt("secret", "row 1");
  for (const index of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
    expect(() => seal.decrypt(changed, "row 1")).toThrow();
    expect(() => seal.decrypt(bytes.subarray(0, index), "row 1")).toThrow();
  }
});
