import { expect, test } from "vitest";
import { attachmentTitle, webUrl } from "./attachment.ts";

test("only http and https URLs are linked", () => {
  expect(webUrl({ url: "https://files.example/a b" })).toBe("https://files.example/a%20b");
  expect(["javascript:alert(1)", "data:text/html,x", "x"].map((url) => webUrl({ url }))).toEqual(
    Array(3).fill(undefined),
  );
});

test.each([
  [{ url: "https://files.example/a%20b.mp4?x", name: "" }, "a b.mp4"],
  [{ url: "https://files.example/100%.mp4" }, "100%.mp4"],
  [{ url: "https://files.example/", mimeType: "video/mp4" }, "video/mp4"],
  [{ url: "nowhere" }, "File"],
])("the title of attachment %j is %s", (attachment, title) => {
  expect(attachmentTitle(attachment)).toBe(title);
});
