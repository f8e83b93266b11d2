import { createClient } from "@colloquy/client";
import { ColloquyProvider } from "@colloquy/react";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@colloquy/react/styles.css";
import { DOCUMENT, USERS, type User } from "../team.ts";
import { Window } from "./window.tsx";
import "./page.css";

async function readText(path: string): Promise<string> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`The backend responded with HTTP ${response.status}.`);
  return response.text();
}

const url = await readText("/service");
/** A product has one user on a page, and one client. */
const sessions = USERS.map((user) => ({
  user,
  client: createClient({ url, getUserToken: () => readText(`/token?user=${user.userId}`) }),
}));

/** Returns the user beside this one. */
function otherThan(user: User): User {
  return user === USERS[0] ? USERS[1] : USERS[0];
}

createRoot(document.querySelector("#root") as Element).render(
  <StrictMode>
    <main>
      <header className="title">
        <h1>One document, two users</h1>
        <p>What one types, comments and reads, the other sees.</p>
      </header>
      {sessions.map(({ user, client }) => (
        <ColloquyProvider
          key={user.userId}
          client={client}
          organizationId={DOCUMENT.organizationId}
          userId={user.userId}
        >
          <Window user={user} colleague={otherThan(user)} />
        </ColloquyProvider>
      ))}
    </main>
  </StrictMode>,
);
