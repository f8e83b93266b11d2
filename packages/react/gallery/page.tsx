import { createRoot } from "react-dom/client";
import { ColloquyProvider } from "../src/provider.tsx";
import { arabic } from "../src/texts/ar.ts";
import { english } from "../src/texts/en.ts";
import { TextsProvider } from "../src/texts.tsx";
import { CLIENT, STATES, searchUsers } from "./states.tsx";

/** Shows one state of the components, which the address names: `?state=long-names&language=ar`. */
const parameters = new URLSearchParams(location.search);
const texts = parameters.get("language") === "ar" ? arabic : english;
const state = STATES[parameters.get("state") ?? ""];
document.documentElement.lang = texts.language;
document.documentElement.dir = texts.direction;
createRoot(document.body.appendChild(document.createElement("main"))).render(
  <ColloquyProvider client={CLIENT} organizationId="acme" userId="ada" searchUsers={searchUsers}>
    <TextsProvider texts={texts}>
      <h1 className="colloquy-hidden">Components</h1>
      {state?.() ?? <p>{Object.keys(STATES).join(" ")}</p>}
    </TextsProvider>
  </ColloquyProvider>,
);
