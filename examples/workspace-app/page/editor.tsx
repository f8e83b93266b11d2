import { CommentMargin, useComments } from "@colloquy/editor/react";
import "@colloquy/editor/styles.css";
import { Comments, toEditorSchema } from "@colloquy/editor/tiptap";
import { type DocumentState, useDocument } from "@colloquy/react/document";
import { getSchema, Editor as Tiptap } from "@tiptap/core";
import Collaboration from "@tiptap/extension-collaboration";
import CollaborationCaret from "@tiptap/extension-collaboration-caret";
import StarterKit from "@tiptap/starter-kit";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { DOCUMENT, type User } from "../team.ts";

/** Content of the document. A trailing paragraph would be added by each editor that opens it. */
const CONTENT = [StarterKit.configure({ undoRedo: false, trailingNode: false, heading: { levels: [1] } })];
/** A page whose editor knows less than the document would delete the rest, so it is read-only. */
const SCHEMA = toEditorSchema(getSchema(CONTENT), { name: "document", version: 1 });

/** The document, which all users change at once, with the comments on its text beside it. */
export function Editor({ user }: { user: User }) {
  const opened = useDocument({ ...DOCUMENT, schema: SCHEMA });
  const { provider, isReadOnly, isSaved, schemaError, error = schemaError } = opened;
  const comments = useComments(DOCUMENT);
  return (
    <section className="sheet" aria-label="Document">
      <div>
        <div className="bar">
          {user.accessRole !== "viewer" && (
            <button
              type="button"
              className="colloquy-button"
              onMouseDown={keepSelection}
              onClick={() => comments.startComment()}
            >
              Comment on the selection
            </button>
          )}
          <small role="status">{error ? error.message : isSaved ? "Saved" : "Saving…"}</small>
        </div>
        {provider && <Text {...{ provider, comments, user, isReadOnly }} />}
      </div>
      <CommentMargin comments={comments} documentId={DOCUMENT.documentId} />
    </section>
  );
}

function keepSelection(event: MouseEvent): void {
  event.preventDefault();
}

interface TextProps {
  provider: NonNullable<DocumentState["provider"]>;
  comments: ReturnType<typeof useComments>;
  user: User;
  isReadOnly: boolean;
}

function Text({ provider, comments, user, isReadOnly }: TextProps) {
  const element = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Tiptap>();
  useEffect(() => {
    const created = new Tiptap({
      element: element.current,
      editable: false,
      editorProps: {
        attributes: { role: "textbox", "aria-multiline": "true", "aria-label": "Launch plan", tabindex: "0" },
      },
      extensions: [
        ...CONTENT,
        Collaboration.configure({ document: provider.document }),
        CollaborationCaret.configure({ provider, user: { name: user.name, color: user.color } }),
        Comments.configure({ comments }),
      ],
    });
    setEditor(created);
    return () => created.destroy();
  }, [provider, comments, user]);
  useEffect(() => editor?.setEditable(!isReadOnly, false), [editor, isReadOnly]);
  return <div ref={element} />;
}
