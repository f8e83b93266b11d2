import { createParser } from "eventsource-parser";
import { expect, test } from "vitest";
import { createEventParser } from "../../packages/client/src/server-sent-events.ts";

/** Streams as services and proxies send them. */
const STREAMS = [
  'retry: 2000\n\nid: 1\nevent: activity.add\ndata: {"a":1}\n\n: comment\n\nid: 2\n\n',
  "id:1\r\nevent:x\r\ndata:one\r\ndata: two\r\n\r\n",
  "id: 1\revent: x\rdata:  three\r\rid: 2\revent: y\rdata\r\r: end\n",
  "id: 1\nevent: x\ndata: a:b: c\nunknown: field\nnothing\n\nid: 2\nevent: y\ndata: not ended\n",
  "\n\n\nevent: x\ndata: without an id\n\n",
];

test.each(STREAMS)("%j is parsed as the standard says, wherever its chunks end", (stream) => {
  const expected: unknown[] = [];
  const parser = createParser({ onEvent: ({ event, data }) => expected.push({ event, data }) });
  parser.feed(stream);
  parser.reset();
  for (let size = 1; size <= stream.length; size += 1) {
    const parse = createEventParser();
    const chunks = Array.from({ length: Math.ceil(stream.length / size) }, (_, index) =>
      stream.slice(index * size, (index + 1) * size),
    );
    const messages = chunks.flatMap((chunk) => parse(chunk));
    const events = messages.filter(({ data }) => data !== undefined).map(({ event, data }) => ({ event, data }));
    expect(events).toEqual(expected);
  }
});

test("a message without an event has the cursor from which a stream resumes", () => {
  const parse = createEventParser();
  expect(parse("id: 1\n\nid: 2\nevent: x\nda")).toEqual([{ id: "1" }]);
  expect(parse("ta: y\n\n")).toEqual([{ id: "2", event: "x", data: "y" }]);
});
