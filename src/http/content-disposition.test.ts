import { expect, test } from "vitest";
import { findByteRange } from "./byte-range.ts";
import { buildContentDisposition } from "./content-disposition.ts";

const ENCODED = "filename*=UTF-8''";

test.each([
  ["fox.png", `filename="fox.png"; ${ENCODED}fox.png`],
  ["../../etc/passwd", `filename="passwd"; ${ENCODED}passwd`],
  ["C:\\temp\\fox.png", `filename="fox.png"; ${ENCODED}fox.png`],
  ['a"b; x=y.png', `filename="a_b; x=y.png"; ${ENCODED}a%22b%3B%20x%3Dy.png`],
  ["a\r\nx-evil: 1.png", `filename="ax-evil: 1.png"; ${ENCODED}ax-evil%3A%201.png`],
  ["photo\u202egnp.exe", `filename="photognp.exe"; ${ENCODED}photognp.exe`],
  ["фото 🦊.png", `filename="____ _.png"; ${ENCODED}%D1%84%D0%BE%D1%82%D0%BE%20%F0%9F%A6%8A.png`],
  ["it's (1)*.png", `filename="it's (1)*.png"; ${ENCODED}it%27s%20%281%29%2A.png`],
  ["..", `filename="file"; ${ENCODED}file`],
  ["\ud800.png", `filename="_.png"; ${ENCODED}%EF%BF%BD.png`],
])("the name %j neither ends the header nor leads elsewhere", (name, expected) => {
  expect(buildContentDisposition(name, "image/png")).toBe(`inline; ${expected}`);
});

test("only what a browser shows without running it is inline", () => {
  const shown = ["image/png", "IMAGE/JPEG", "video/mp4", "audio/ogg; codecs=opus", "text/plain"];
  const saved = ["image/svg+xml", "text/html", "application/pdf", "text/html;x=image/png", "text/xml", "video"];
  const getDisposition = (type: string) => buildContentDisposition("file", type).split(";")[0];
  expect(shown.map(getDisposition)).toEqual(shown.map(() => "inline"));
  expect(saved.map(getDisposition)).toEqual(saved.map(() => "attachment"));
});

test.each([
  [undefined, [0, 18]],
  ["bytes=0-0", [0, 0]],
  ["bytes=5-", [5, 18]],
  ["bytes=-100", [0, 18]],
  ["bytes=-0", undefined],
  ["bytes=19-20", undefined],
  ["bytes=9-5", [0, 18]],
  ["bytes=0-1,3-4", [0, 18]],
  ["items=0-1", [0, 18]],
  ["bytes=-", [0, 18]],
])("the range %j of 19 bytes is %j", (header, expected) => {
  const range = findByteRange(header, 19);
  expect(range && [range.start, range.end]).toEqual(expected);
});
