import { ActivityFeed, Avatars } from "@colloquy/react";
import { DOCUMENT, type User } from "../team.ts";
import { Comments } from "./comments.tsx";
import { Editor } from "./editor.tsx";
import { InboxButton } from "./inbox-button.tsx";

const { documentId } = DOCUMENT;

/** The product as one user sees it. */
export function Window({ user, colleague }: { user: User; colleague: User }) {
  return (
    <section className="window" aria-label={user.name}>
      <header>
        <span className="logo" aria-hidden="true">
          H
        </span>
        <p className="path">
          Harbor <span aria-hidden="true">/</span> <strong>Launch plan</strong>
        </p>
        <Avatars documentId={documentId} />
        <InboxButton />
        <p className="account">{user.name}</p>
      </header>
      <Editor user={user} />
      <aside>
        <Comments colleague={colleague} />
        <h2>Activity</h2>
        <ActivityFeed documentId={documentId} label={`Activity for ${user.name}`} />
      </aside>
    </section>
  );
}
