import { type DocumentState, useDocument } from "@colloquy/react/document";
import { Editor as Tiptap } from "@tiptap/core";
import Collaboration from "@tiptap/extension-collaboration";
import CollaborationCaret from "@tiptap/extension-collaboration-caret";
import StarterKit from "@tiptap/starter-kit";
import { useEffect, useReducer, useRef, useState } from "react";
import { DOCUMENT, type User } from "../team.ts";

interface TextProps {
  provider: NonNullable<DocumentState["provider"]>;
  user: User;
  isReadOnly: boolean;
}

/** The document, which both users change at once. */
export function Editor({ user }: { user: User }) {
  const { provider, isReadOnly, ...state } = useDocument(DOCUMENT);
  return (
    <article className="editor">
      {provider && <Text provider={provider} user={user} isReadOnly={isReadOnly} />}
      <p role="status" className="saved">
        {getStatus(state)}
      </p>
    </article>
  );
}

function getStatus({ error, status, isSaved }: Pick<DocumentState, "error" | "status" | "isSaved">): string {
  if (error !== undefined) return error.message;
  if (status === "connecting") return "Connecting…";
  return isSaved ? "Saved" : "Saving…";
}

function Text({ provider, user, isReadOnly }: TextProps) {
  const element = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Tiptap>();
  useEffect(() => {
    const created = new Tiptap({
      element: element.current,
      editable: !isReadOnly,
      editorProps: { attributes: { role: "textbox", "aria-multiline": "true", "aria-label": "Launch plan" } },
      extensions: [
        // A trailing paragraph would be added by each editor that opens the document.
        StarterKit.configure({ undoRedo: false, trailingNode: false, heading: { levels: [1] } }),
        Collaboration.configure({ document: provider.document }),
        CollaborationCaret.configure({ provider, user: { name: user.name, color: user.color } }),
      ],
    });
    setEditor(created);
    return () => created.destroy();
  }, [provider, user, isReadOnly]);
  return (
    <>
      {editor && <Toolbar editor={editor} />}
      <div ref={element} className="text" />
    </>
  );
}

function Toolbar({ editor }: { editor: Tiptap }) {
  const [, render] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    editor.on("transaction", render);
    return () => void editor.off("transaction", render);
  }, [editor]);
  const command = () => editor.chain().focus();
  const tools = [
    { name: "Heading", sign: "H", isOn: editor.isActive("heading"), run: () => command().toggleHeading({ level: 1 }) },
    { name: "Bold", sign: "B", isOn: editor.isActive("bold"), run: () => command().toggleBold() },
    { name: "Italic", sign: "I", isOn: editor.isActive("italic"), run: () => command().toggleItalic() },
    { name: "List", sign: "•", isOn: editor.isActive("bulletList"), run: () => command().toggleBulletList() },
  ];
  return (
    <div className="toolbar" role="toolbar" aria-label="Format">
      {tools.map(({ name, sign, isOn, run }) => (
        <button key={name} type="button" aria-label={name} aria-pressed={isOn} onClick={() => run().run()}>
          {sign}
        </button>
      ))}
    </div>
  );
}
