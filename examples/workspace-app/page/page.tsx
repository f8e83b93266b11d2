import { createClient } from "@colloquy/client";
import {
  ActivityFeed,
  Avatars,
  ColloquyProvider,
  Cursors,
  InboxButton,
  Pins,
  Preferences,
  Versions,
} from "@colloquy/react";
import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import "@colloquy/react/styles.css";
import { DOCUMENT, USERS } from "../team.ts";
import { Editor } from "./editor.tsx";
import "./page.css";
import { Sketch } from "./sketch.tsx";

const { organizationId, documentId } = DOCUMENT;
const query = new URLSearchParams(location.search);
/** In your product, the session says who the user is. */
const user = USERS.find(({ userId }) => userId === query.get("user")) ?? USERS[0];

async function readText(path: string): Promise<string> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`The backend responded with HTTP ${response.status}.`);
  return response.text();
}

const url = await readText("/service");
const client = createClient({ url, getUserToken: () => readText(`/token?user=${user.userId}`) });

function App() {
  const [isDark, setDark] = useState(matchMedia("(prefers-color-scheme: dark)").matches);
  return (
    <div className="app" data-colloquy-theme={isDark ? "dark" : "light"}>
      <header className="bar">
        <strong>Launch plan</strong>
        <Avatars documentId={documentId} />
        <InboxButton getDocumentName={() => "Launch plan"} onOpen={(_, event) => event.preventDefault()} />
        <button type="button" className="colloquy-button" aria-pressed={isDark} onClick={() => setDark(!isDark)}>
          Dark
        </button>
        <select
          className="colloquy-button"
          aria-label="User"
          value={user.userId}
          onChange={({ target }) => location.assign(`?user=${target.value}`)}
        >
          {USERS.map(({ userId, name, accessRole }) => (
            <option key={userId} value={userId}>
              {name}, {accessRole}
            </option>
          ))}
        </select>
      </header>
      <main>
        <Editor user={user} />
        <Cursors documentId={documentId}>
          <Pins documentId={documentId} selector="#sketch">
            <Sketch />
          </Pins>
        </Cursors>
      </main>
      <aside>
        <ActivityFeed documentId={documentId} />
        <Versions {...DOCUMENT} />
        <Preferences documentId={documentId} />
      </aside>
    </div>
  );
}

createRoot(document.querySelector("#root") as Element).render(
  <StrictMode>
    <ColloquyProvider
      {...{ client, organizationId, userId: user.userId }}
      resolveUsers={(ids) => USERS.filter(({ userId }) => ids.includes(userId))}
    >
      <App />
    </ColloquyProvider>
  </StrictMode>,
);
