/** Markup that is safe to send. Only `html` makes it. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** What may stand in a template: markup as it is, text escaped, lists joined, `undefined` and `false` as nothing. */
export type HtmlPart = Html | string | number | undefined | false | readonly HtmlPart[];

/** A template whose values cannot become markup or leave a quoted attribute, whatever they hold. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  let text = strings[0] ?? '';
  for (const [index, part] of parts.entries()) text += render(part) + (strings[index + 1] ?? '');
  return new Html(text);
}

/** Text in which `code` between backticks is marked up as code, by `mark` if it is given. */
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
