import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curlCommand } from "./curl.ts";

test.each([false, true])(
  "the command sends exactly the request, with any special characters; indented: %s",
  (isIndented) => {
    const data = { organizationId: 'o\'brien $(id) `id` \\ "x"\n!', userIds: ["ü", "'"] };
    const service = { serviceUrl: "https://host.example/tools", apiKey: "key-1", isIndented };
    const command = curlCommand({ path: "/v2/users/get", data }, service);
    const printed = execFileSync("sh", ["-c", `curl() { printf '%s\\n\\0' "$@"; }\n${command}`], { encoding: "utf8" });
    const words = printed.split("\n\0");
    expect(words[0]).toBe("https://host.example/tools/v2/users/get");
    expect(words).toContain("x-service-api-key: key-1");
    expect(words).toContain("x-service-auth-token: YOUR_AUTH_TOKEN");
    expect(JSON.parse(words.at(-2) ?? "")).toEqual({ data });
  },
);

test("the command of a public operation contains no API key", () => {
  const service = { serviceUrl: "https://host.example", apiKey: undefined };
  expect(curlCommand({ path: "/v2/workspace/email/send-login-link", data: {} }, service)).not.toContain("x-service");
});

test("the command of a user contains the user token and no other credentials", () => {
  const command = curlCommand({ path: "/v2/x", data: {} }, { serviceUrl: "https://host.example", userToken: "e.y.J" });
  expect(command).toContain("-H 'authorization: Bearer e.y.J'");
  expect(command).not.toContain("x-service");
});
