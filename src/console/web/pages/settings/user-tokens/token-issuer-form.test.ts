import { expect, test } from "vitest";
import { TokenIssuerConfig } from "../../../../../features/user-tokens/token-issuer-config/token-issuer-config.ts";
import { CLAIMS, toForm, toUpdate } from "./token-issuer-form.ts";

const CONFIG: Parameters<typeof toForm>[0] = {
  ...{ isEnabled: true, issuer: "https://issuer.example/", jwksUrl: "https://issuer.example/keys" },
  ...{ audience: "colloquy", audienceClaim: "azp", defaultRole: "commenter" },
  claims: { userId: "sub", name: "name", email: "", photoUrl: "", organizations: "orgs", roles: "roles" },
  roles: { "org:admin": "moderator", member: "editor" },
};

test("a form that is not edited saves what is stored", () => {
  expect(toUpdate(toForm(CONFIG))).toEqual(CONFIG);
});

test("a line names a role of the issuer and a role of the service, whatever blanks and colons it has", () => {
  const roles = " org:admin : Moderator \n\nmember:viewer\nnobody\n";
  expect(toUpdate({ ...toForm(CONFIG), roles }).roles).toEqual({
    ...{ "org:admin": "moderator", member: "viewer" },
    nobody: "",
  });
});

test("the form has every claim of the API", () => {
  expect(CLAIMS).toEqual(Object.keys(TokenIssuerConfig.properties.claims.properties));
});
