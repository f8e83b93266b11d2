import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curlCommand, typescriptCode } from "./curl.ts";

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

test("the TypeScript sends exactly the request, and throws the response of an error", async () => {
  const data = { organizationId: 'o\'brien $(id) `id` \\ "x"\n!\u202e', userIds: ["ü", "'"] };
  const code = typescriptCode({ path: "/v2/users/get", data }, { serviceUrl: "https://host.example", apiKey: "key-1" });
  expect(code).not.toContain("\u202e");
  const sent: [string, RequestInit][] = [];
  const run = (response: Response) => {
    const fetchResponse = (url: string, init: RequestInit) => {
      sent.push([url, init]);
      return Promise.resolve(response);
    };
    return new Function("fetch", `return (async () => { ${code} return result; })()`)(fetchResponse);
  };
  expect(await run(Response.json({ result: { data: ["ada"] } }))).toEqual({ data: ["ada"] });
  expect(sent).toMatchObject([["https://host.example/v2/users/get", { method: "POST" }]]);
  expect(sent[0]?.[1].headers).toEqual({
    "content-type": "application/json",
    "x-service-api-key": "key-1",
    "x-service-auth-token": "YOUR_AUTH_TOKEN",
  });
  expect(JSON.parse(String(sent[0]?.[1].body))).toEqual({ data });
  await expect(run(new Response("no", { status: 403 }))).rejects.toThrow("no");
});
