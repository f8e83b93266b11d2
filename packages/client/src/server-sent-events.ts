/** Fields of a message. */
interface Fields {
  id?: string;
  event?: string;
  data?: string;
}

/**
 * Returns a function that takes the next text of an event stream and returns the messages that end in it, by the HTML
 * standard. A message has only an `id` if it reports no event.
 */
export function createEventParser(): (text: string) => Fields[] {
  let rest = "";
  let fields: Fields = {};
  return (text) => {
    const messages: Fields[] = [];
    // A carriage return at the end may belong to the line feed of the next text.
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [, name, value = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
      if (name === "data") fields.data = fields.data === undefined ? value : `${fields.data}\n${value}`;
      else if (name === "id" || name === "event") fields[name] = value;
      else if (line === "") {
        if (fields.id !== undefined || fields.data !== undefined) messages.push(fields);
        fields = {};
      }
    }
    return messages;
  };
}
