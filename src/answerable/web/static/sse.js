// The event stream's rules (HTML standard, "parsing an event stream"), as a pure parser. No network here.

export class EventParser {
  #rest = "";
  #data = [];
  #event = "";
  #id = "";
  #started = false;

  /** Takes any piece of the stream; returns the events it completes, as {id, event, data}. */
  push(text) {
    if (!this.#started && text) {
      this.#started = true;
      if (text.startsWith("\uFEFF")) text = text.slice(1);
    }
    const done = [];
    this.#rest += text;
    for (;;) {
      const found = /\r\n|\n|\r(?!$)/.exec(this.#rest); // a CR at the very end may be half of a CRLF
      if (!found) break;
      const line = this.#rest.slice(0, found.index);
      this.#rest = this.#rest.slice(found.index + found[0].length);
      const event = this.#line(line);
      if (event) done.push(event);
    }
    return done;
  }

  #line(line) {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return null;
    const name = colon < 0 ? line : line.slice(0, colon);
    let value = colon < 0 ? "" : line.slice(colon + 1);
    if (value.startsWith(" ")) value = value.slice(1);
    if (name === "data") this.#data.push(value);
    else if (name === "event") this.#event = value;
    else if (name === "id" && !value.includes("\0")) this.#id = value;
    return null;
  }

  #dispatch() {
    const event = this.#data.length ? { id: this.#id, event: this.#event || "message", data: this.#data.join("\n") } : null;
    this.#data = [];
    this.#event = "";
    return event;
  }
}
