import Fastify from "fastify";
import { expect, test } from "vitest";
import { registerRedirects } from "./redirects.ts";

const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

function serverAt(publicUrl: string) {
  const server = Fastify();
  server.setNotFoundHandler((_request, reply) => reply.code(404).send("unknown path"));
  registerRedirects(server, publicUrl);
  return server;
}

test.each([
  ["http://127.0.0.1:8080", "/console"],
  ["https://example.com/collaboration", "/collaboration/console"],
])("a browser at / of %s is redirected to %s", async (publicUrl, location) => {
  const server = serverAt(publicUrl);
  for (const method of ["GET", "HEAD"] as const) {
    const response = await server.inject({ method, url: "/?from=bookmark", headers: BROWSER });
    expect([response.statusCode, response.headers.location]).toEqual([302, location]);
  }
});

test.each([{}, { accept: "*/*" }, { accept: "application/json" }])(
  "a caller that is not a browser gets 404 at /: %j",
  async (headers) => {
    const response = await serverAt("http://127.0.0.1:8080").inject({ method: "GET", url: "/", headers });
    expect([response.statusCode, response.body]).toEqual([404, "unknown path"]);
  },
);

test.each([
  ["http://127.0.0.1:8080", "/console/api"],
  ["https://example.com/collaboration", "/collaboration/console/api"],
])("/docs of %s leads to the reference at %s, with its query", async (publicUrl, location) => {
  for (const query of ["", "?operation=%2Fv2%2Fusers%2Fadd&search=a%3Fb"]) {
    const response = await serverAt(publicUrl).inject(`/docs${query}`);
    expect([response.statusCode, response.headers.location]).toEqual([302, `${location}${query}`]);
  }
});
