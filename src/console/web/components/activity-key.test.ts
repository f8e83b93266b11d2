import { expect, test } from "vitest";
import { activityKey, parseActivityKey } from "./activity-key.ts";

test.each([
  ["acme", "a-1", "acme/a-1"],
  ["team/west 100%2F", "a/b%", "team%2Fwest 100%252F/a/b%"],
])("the key of an activity of %s with the ID %s is %s, and names both", (organizationId, id, key) => {
  expect(activityKey({ id, metadata: { organizationId } })).toBe(key);
  expect(parseActivityKey(key)).toEqual({ organizationId, id });
});
