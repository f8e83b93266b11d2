import { expect, test } from "vitest";
import { captionsUrl, mediaKind } from "./media.ts";

test.each([
  [{ url: "https://files.example/a", mimeType: "video/mp4" }, "video"],
  [{ url: "https://files.example/a", mimeType: "AUDIO/webm;codecs=opus" }, "audio"],
  [{ url: "https://files.example/a.mp4", mimeType: "application/pdf" }, undefined],
  [{ url: "https://files.example/a.WEBM?token=x.mp3" }, "video"],
  [{ url: "https://files.example/a", type: "mp3" }, "audio"],
  [{ url: "https://files.example/a", name: "constructor" }, undefined],
  [{ url: "https://files.example/mp4/notes" }, undefined],
  [{ url: "data:audio/wav;base64,AAAA" }, "audio"],
  [{ url: "data:text/html,<script>" }, undefined],
  [{ url: "javascript:alert(1)//a.mp4", mimeType: "video/mp4" }, undefined],
  [{ url: "file:///etc/passwd.mp4" }, undefined],
  [{ url: "no address.mp4" }, undefined],
])("attachment %j is played as %s", (attachment, media) => {
  expect(mediaKind(attachment)).toBe(media);
});

test("the subtitles of a recording are its WebVTT attachment", () => {
  expect(captionsUrl([{ url: "https://a.example/x.mp4" }, { url: "https://a.example/x.VTT" }])).toBe(
    "https://a.example/x.VTT",
  );
  expect(captionsUrl([{ url: "https://a.example/x.mp4" }])).toBeUndefined();
});
