import { expect, test } from "vitest";
import { followFromStart, TUTORIAL_TIMEOUT_MS } from "./follow.ts";

// `tutorials.long.test.ts` follows the other tutorials.
test(
  "a webhook is accepted with a valid signature, and rejected with a changed body",
  async () => {
    const { reader } = await followFromStart("webhook");
    for (const line of ["Accepted comment_annotation.add", "Accepted invoice.paid", "Rejected a message"]) {
      await expect.poll(() => reader.output).toContain(line);
    }
    expect(reader.output.match(/Rejected a message/g)).toHaveLength(1);
  },
  TUTORIAL_TIMEOUT_MS,
);
