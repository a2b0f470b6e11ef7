/** Escaped markup, safe to send; only `html` creates it. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** Markup stays as it is, text is escaped, lists are joined, `undefined` and `false` render nothing. */
export type HtmlPart = Html | string | number | undefined | false | readonly HtmlPart[];

/** A template that escapes its values, so that none can become markup or leave a quoted attribute. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  let text = strings[0] ?? '';
  for (const [index, part] of parts.entries()) text += render(part) + (strings[index + 1] ?? '');
  return new Html(text);
}

/** Text with the pieces between backticks marked up as code, by `mark` if given. */
export function prose(text: string, mark: (code: string) => Html = (code) => html`<code>${code}</code>`): HtmlPart {
  return text.split('`').map((piece, index) => (index % 2 === 1 ? mark(piece) : piece));
}

function render(part: HtmlPart): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.toString();
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part));
  return part.map(render).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
